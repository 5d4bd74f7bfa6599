import { writeFile } from "node:fs/promises";
import { CommandError, defineCommand, writeJson } from "@isnad/lib/service/cli";
import type { Source, SourceInput } from "@isnad/lib/store";
import { type OpmlDocument, OpmlError, type OpmlFeed, type OpmlInput, readOpml, writeOpml } from "@isnad/lib/web/feeds";
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

/**
 * Returns a key for a feed that has none: its host, then host and path, then with a number, whichever `isFree` first.
 * The same feed gets the same key as long as the others stay.
 */
export function feedKey(address: string, isFree: (key: string) => boolean): string {
  const url = new URL(address);
  const host = url.hostname.replace(/^(www|feeds?|rss)\./, "");
  const path = slug(`${url.pathname} ${url.search}`);
  const long = (path === "" ? host : `${host}-${path}`).slice(0, 120);
  for (const key of [host.slice(0, 120), long]) if (isFree(key)) return key;
  for (let n = 2; ; n++) if (isFree(`${long}-${n}`)) return `${long}-${n}`;
}

/** Words that say nothing but that it is a feed. */
const FEED_WORDS: ReadonlySet<string> = new Set(["rss", "xml", "atom", "rdf", "feed", "feeds", "index", "php", "aspx"]);

function slug(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => !FEED_WORDS.has(word)).join("-");
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
    const inputs = sourcesOf(feeds, sources, !values.inactive);
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

/**
 * Returns the sources to make or change: each feed under the key of the file, of the source that has its address, or a
 * new one.
 */
function sourcesOf(feeds: readonly OpmlFeed[], known: readonly Source[], active: boolean): SourceInput[] {
  const taken = new Set(known.map(({ key }) => key));
  const byAddress = new Map(known.flatMap(({ feedUrl, key }) => (feedUrl === null ? [] : [[feedUrl, key]])));
  const inputs = new Map<string, SourceInput>();
  for (const feed of feeds) {
    const { title, xmlUrl, htmlUrl, language, extra } = feed;
    const key = byAddress.get(xmlUrl) ?? extra.source_id ?? feedKey(xmlUrl, (free) => !taken.has(free));
    const isNew = !taken.has(key);
    taken.add(key);
    inputs.set(key, {
      key,
      feedUrl: xmlUrl,
      ...(title !== "" && { name: title }),
      ...(htmlUrl !== null && { homepage: htmlUrl }),
      ...(language !== null && { language }),
      ...(/^[123]$/.test(extra.tier ?? "") && { tier: Number(extra.tier) }),
      ...(isNew && { provider: extra.provider ?? "rss", active: active && extra.active !== "false" }),
    });
  }
  return [...inputs.values()];
}
