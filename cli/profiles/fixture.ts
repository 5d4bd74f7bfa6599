import { trimEnd } from "@isnad/lib/std";
import { type CommandContext, CommandError, UsageError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { createMemoryLeaseStore } from "@isnad/lib/web/egress";
import { createClients } from "../../scraper/crawl/index.ts";
import { fixtureDir, writeFixture } from "../../scraper/profiles/fixtures.ts";
import { ReaderError, ReaderPool } from "../../lib/extraction/reader/mod.ts";
import { pageFrom } from "./check.ts";
import type { ProfileValues } from "./profile-values.ts";
import { profileFile } from "./profile-file.ts";

/** `scraper:profile fixture FILE PAGE`: keeps a page and what is read from it today. */
export async function fixtureCommand(
  from: string,
  values: ProfileValues,
  { env, signal, json, stdout }: CommandContext,
  [source = ""]: readonly string[],
): Promise<number> {
  const config = loadConfig(env);
  const { profile, dir } = await profileFile(from, config);
  const clientFor = createClients({ config, leases: createMemoryLeaseStore() });
  const page = await pageFrom({ clientFor, credentials: config.scraper.credentials }, profile, source, signal);
  const url = values.url ?? page.url;
  if (url === "") throw new UsageError("--url says where a saved page came from");
  const name = values.name ?? nameOf(url);
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) throw new UsageError("--name takes a-z, 0-9, _ and -, 64 at most");
  const folder = fixtureDir(dir, profile.name);
  const reader = new ReaderPool();
  try {
    const expected = await writeFixture(reader, profile, { dir: folder, name, html: page.html, url });
    if (json) writeJson(stdout, { folder, name, expected });
    else {
      const { title, published_at, authors, content } = expected;
      stdout.write(`${folder}/${name}.html.gz and .json written; read over what must come out of it:\n`);
      stdout.write(`${title}\n${published_at ?? "no date"} ${authors.join(", ") || "no author"}\n\n${content}\n`);
    }
    return 0;
  } catch (error) {
    if (error instanceof ReaderError) throw new CommandError(error.message, { cause: error });
    throw error;
  } finally {
    await reader.close();
  }
}

/** The last part of an address, as far as a file may be called so. */
function nameOf(url: string): string {
  const last =
    trimEnd(URL.parse(url)?.pathname ?? "", /\//)
      .split("/")
      .at(-1) ?? "";
  return (
    last
      .toLowerCase()
      .replace(/\.html?$/, "")
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 64) || "page"
  );
}
