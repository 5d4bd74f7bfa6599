import { writeFile } from "node:fs/promises";
import { CommandError, defineCommand, writeJson } from "@isnad/lib/service/cli";
import { type OpmlInput, writeOpml } from "@isnad/lib/web/feeds";
import type { Source } from "@isnad/lib/store";
import { openCommandStore } from "./open-store.ts";

/** `sources:export`: writes the sources that have a feed as OPML. */
export const sourcesExport = defineCommand({
  name: "sources:export",
  summary: "Writes the sources that have a feed as OPML.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    out: { kind: "text", value: "FILE", help: "write it there instead of to standard output" },
    active: { kind: "flag", help: "only active sources" },
  },
  details:
    "Other readers take the file as a list of feeds; sources:import takes keys, tiers and providers from it too.",
  async run({ values }, { env, json, stdout }) {
    await using opened = await openCommandStore(env);
    const sources = (await opened.store.sources.list()).filter(({ active }) => active || !values.active);
    const feeds = sources.flatMap((source) => outlineOf(source) ?? []);
    const opml = writeOpml({ title: "Isnad sources", createdAt: new Date(), feeds });
    if (values.out !== undefined) await write(values.out, opml);
    if (json)
      writeJson(stdout, { feeds: feeds.length, ...(values.out === undefined ? { opml } : { file: values.out }) });
    else stdout.write(values.out === undefined ? opml : `${feeds.length} feeds written to ${values.out}\n`);
    return 0;
  },
});

function outlineOf(source: Source): OpmlInput["feeds"][number] | undefined {
  const { key, name, feedUrl, homepage, language, tier, provider, active } = source;
  if (feedUrl === null) return undefined;
  return {
    title: name,
    xmlUrl: feedUrl,
    htmlUrl: homepage,
    language,
    extra: { source_id: key, tier: String(tier), active: String(active), ...(provider !== null && { provider }) },
  };
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new CommandError(`${path} cannot be written`, { cause });
  }
}
