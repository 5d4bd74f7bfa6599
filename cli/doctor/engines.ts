import { explain } from "@isnad/lib/service/cli";
import type { Config } from "@isnad/lib/service/config";
import { checkEngine, type RemoteEngine } from "@isnad/lib/search";
import { type Finding, findings } from "./finding.ts";

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

function addressOf(remote: RemoteEngine): string {
  return remote.engine === "meilisearch" ? remote.server.url : remote.server.urls.join(", ");
}

async function problemOf(remote: RemoteEngine): Promise<string | undefined> {
  return await checkEngine(remote).then(() => undefined, explain);
}
