import { explain } from "@isnad/lib/cli";
import type { Config, Engines } from "@isnad/lib/config";
import { checkMeili, meiliClient } from "../../lib/search/meilisearch/client.ts";
import { checkOpenSearch, openSearchClient } from "../../lib/search/opensearch/client.ts";
import { type Finding, findings } from "./finding.ts";

type Remote = Exclude<Engines["keyword"] | Engines["vectors"], { engine: "embedded" } | { engine: "usearch" }>;

/** What answers searches, and whether its server can be used. */
export async function engineFindings({ engines }: Config): Promise<Finding[]> {
  const { list, ok, fail } = findings("engine");
  for (const [task, engine] of [
    ["by word", engines.keyword],
    ["by meaning", engines.vectors],
  ] as const) {
    if (!("server" in engine)) {
      ok(task, `${engine.engine === "embedded" ? "built in" : engine.engine}, in DATA_DIR`);
      continue;
    }
    const problem = await problemOf(engine);
    if (problem === undefined) ok(task, `${engine.engine} at ${addressOf(engine)}`);
    else fail(task, problem);
  }
  return list;
}

function addressOf(remote: Remote): string {
  return remote.engine === "meilisearch" ? remote.server.url : remote.server.urls.join(", ");
}

async function problemOf(remote: Remote): Promise<string | undefined> {
  try {
    if (remote.engine === "opensearch") {
      const search = openSearchClient(remote.server);
      await checkOpenSearch(search).finally(() => search.close());
      return undefined;
    }
    await checkMeili(meiliClient(remote.server), remote.server);
    return undefined;
  } catch (error) {
    return explain(error);
  }
}
