import { writeFile } from "node:fs/promises";
import { CommandError, defineCommand, writeJson } from "@isnad/lib/service/cli";
import { opmlOfSources, sourcesOfOpml } from "@isnad/lib/ingest";
import { type OpmlDocument, OpmlError, readOpml } from "@isnad/lib/web/feeds";
import { openCommandStore } from "../open-store.ts";
import { readDocument } from "../scraper/pages.ts";

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
    const { opml, feeds } = opmlOfSources(sources);
    if (values.out !== undefined) await write(values.out, opml);
    if (json) writeJson(stdout, { feeds, ...(values.out === undefined ? { opml } : { file: values.out }) });
    else stdout.write(values.out === undefined ? opml : `${feeds} feeds written to ${values.out}\n`);
    return 0;
  },
});

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new CommandError(`${path} cannot be written`, { cause });
  }
}

/**
 * Returns the feeds of an OPML file. Throws CommandError when it cannot be read, is larger than 20 MB, or is no OPML.
 */
export function readOpmlFile(path: string): OpmlDocument {
  const { text } = readDocument(path);
  try {
    return readOpml(text);
  } catch (error) {
    if (error instanceof OpmlError) throw new CommandError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** `sources:import`: registers the feeds of an OPML file. */
export const sourcesImport = defineCommand({
  name: "sources:import",
  summary: "Registers the feeds of an OPML file as sources.",
  positionals: { usage: "FILE.opml", min: 1, max: 1 },
  options: {
    inactive: { kind: "flag", help: "register them without pulling them yet" },
    "dry-run": { kind: "flag", help: "only say what would be done" },
  },
  details: `
A feed that is registered already keeps its key and its state. A file written by sources:export brings keys, tiers and providers along;
for other files a source's key is made from the feed's address.`,
  async run({ values, positionals }, { env, json, stdout, stderr }) {
    const { feeds, problems } = readOpmlFile(positionals[0] ?? "");
    await using opened = await openCommandStore(env);
    const { store } = opened;
    const sources = await store.sources.list();
    const inputs = sourcesOfOpml(feeds, sources, !values.inactive);
    const keys = new Set(sources.map(({ key }) => key));
    if (!values["dry-run"]) await store.sources.upsert(inputs);
    const created = inputs.filter(({ key }) => !keys.has(key)).map(({ key }) => key);
    const updated = inputs.filter(({ key }) => keys.has(key)).map(({ key }) => key);
    if (json) writeJson(stdout, { dry_run: values["dry-run"], created, updated, problems });
    else {
      for (const key of created) stdout.write(`+ ${key}\n`);
      for (const key of updated) stdout.write(`= ${key}\n`);
      for (const { title, reason, address } of problems)
        stderr.write(`${title || "an outline"}: ${reason} ${address}\n`);
      const would = values["dry-run"] ? "would be " : "";
      stdout.write(`${created.length} ${would}registered, ${updated.length} known, ${problems.length} passed over\n`);
    }
    return feeds.length > 0 ? 0 : 1;
  },
});
