import { writeFile } from "node:fs/promises";
import { isIdentifier, LIMITS } from "@isnad/lib/contract";
import { opmlOfSources, sourcesOfOpml } from "@isnad/lib/ingest";
import { type CommandContext, CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { at } from "@isnad/lib/std";
import type { PullRun, Source, SourceInput, Store } from "@isnad/lib/store";
import { type OpmlDocument, OpmlError, readOpml } from "@isnad/lib/web/feeds";
import { openCommandStore } from "../open-store.ts";
import { readDocument } from "../scraper/pages.ts";

/** `sources:list`: the sources that are registered, and how each was last pulled. */
export const sourcesList = defineCommand({
  name: "sources:list",
  summary: "Lists the registered sources with their last pull.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    provider: { kind: "text", value: "NAME", help: "only sources of this provider" },
    active: { kind: "flag", help: "only active sources" },
  },
  async run({ values }, { env, json, stdout }) {
    await using opened = await openCommandStore(env);
    const [all, latest] = await Promise.all([opened.store.sources.list(), opened.store.pulls.latest()]);
    const sources = all.filter(
      ({ provider, active }) =>
        (values.provider === undefined || provider === values.provider) && (active || !values.active),
    );
    if (json)
      writeJson(
        stdout,
        sources.map((source) => sourceJson(source, latest.get(source.key))),
      );
    else stdout.write(table(sources, latest));
    return 0;
  },
});

/** Returns a source record in the field names of the contract, with its last pull. */
function sourceJson(source: Source, last: PullRun | undefined) {
  const { key, provider, name, feedUrl, homepage, language, tier, active, createdAt, updatedAt } = source;
  return {
    key,
    provider,
    name,
    feed_url: feedUrl,
    homepage,
    language,
    tier,
    active,
    off_since: source.offSince,
    created_at: createdAt,
    updated_at: updatedAt,
    last_pull:
      last === undefined
        ? null
        : { run_id: last.runId, status: last.status, at: last.createdAt, counts: last.counts, error: last.error },
  };
}

function table(sources: readonly Source[], latest: ReadonlyMap<string, PullRun>): string {
  const rows = sources.map((source) => {
    const last = latest.get(source.key);
    return [
      source.key,
      source.provider ?? "-",
      source.language ?? "-",
      String(source.tier),
      source.offSince !== null ? "off" : source.active ? "active" : "inactive",
      last === undefined ? "-" : `${last.status} ${last.createdAt.slice(0, 16).replace("T", " ")}`,
      source.name,
    ];
  });
  const all = [["KEY", "PROVIDER", "LANG", "TIER", "STATE", "LAST PULL", "NAME"], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? "")].length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, at(widths, column) - [...cell].length)))
      .join("  ")
      .trimEnd();
  return `${all.map(line).join("\n")}\n`;
}

/** Holds what a source record may be given on the command line. */
export type SourceFlags = {
  provider?: string | undefined;
  name?: string | undefined;
  "feed-url"?: string | undefined;
  homepage?: string | undefined;
  language?: string | undefined;
  tier?: string | undefined;
};

/** Returns the key of a source as typed. Throws {@link UsageError} when it can be none. */
export function sourceKey(key: string): string {
  if (key.trim() === "" || !isIdentifier(key, LIMITS.sourceId)) {
    throw new UsageError(`a source's key has 1 to ${LIMITS.sourceId} characters, none of them a control character`);
  }
  return key;
}

/** Returns the fields of a source from the command line; what is not given is left out. Throws {@link UsageError}. */
export function sourceFields(flags: SourceFlags): Omit<SourceInput, "key"> {
  const { provider, name, homepage, language, tier } = flags;
  const feedUrl = flags["feed-url"];
  if (tier !== undefined && !/^[123]$/.test(tier)) throw new UsageError("--tier takes 1, 2 or 3");
  if (language !== undefined && !/^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(language)) {
    throw new UsageError("--language takes a language code such as ar or en");
  }
  return {
    ...(provider !== undefined && { provider }),
    ...(name !== undefined && { name }),
    ...(feedUrl !== undefined && { feedUrl: webAddress(feedUrl, "--feed-url") }),
    ...(homepage !== undefined && { homepage: webAddress(homepage, "--homepage") }),
    ...(language !== undefined && { language }),
    ...(tier !== undefined && { tier: Number(tier) }),
  };
}

function webAddress(text: string, option: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError(`${option} takes an http or https address`);
  return text;
}

/** Returns what is done to each of the sources; false where there is none of that key. */
type Act = (states: Store["sourceStates"], key: string) => Promise<boolean>;

/** `sources:enable`: switches sources on. */
export const sourcesEnable = defineCommand({
  name: "sources:enable",
  summary: "Switches sources on: they are pulled and scheduled again.",
  positionals: { usage: "KEY…", min: 1, max: 1000 },
  options: {},
  details:
    "A source that the scraper brings follows its profile's schedule; one of the workers is pulled when it is due.",
  run: ({ positionals }, context) =>
    toEach(positionals, context, "enabled", async (states, key) => (await states.switch(key, true)) !== undefined),
});

/** `sources:disable`: switches sources off. */
export const sourcesDisable = defineCommand({
  name: "sources:disable",
  summary: "Switches sources off: they are neither pulled nor scheduled.",
  positionals: { usage: "KEY…", min: 1, max: 1000 },
  options: {},
  details:
    "What waits of a source is dropped, what is in work ends. Its articles stay, and sources:enable brings it back.",
  run: ({ positionals }, context) =>
    toEach(positionals, context, "disabled", async (states, key) => (await states.switch(key, false)) !== undefined),
});

/** `sources:remove`: removes sources. */
export const sourcesRemove = defineCommand({
  name: "sources:remove",
  summary: "Removes sources; their articles stay.",
  positionals: { usage: "KEY…", min: 1, max: 1000 },
  options: {},
  details: `
A removed source is neither pulled nor scheduled, whatever a profile of the scraper says, until somebody registers it
again (crawl:source --create, sources:import, scraper:sync-sources --again, the API).`,
  run: ({ positionals }, context) => toEach(positionals, context, "removed", (states, key) => states.remove(key)),
});

async function toEach(keys: readonly string[], context: CommandContext, done: string, act: Act): Promise<number> {
  const { env, json, stdout, stderr } = context;
  const distinct = [...new Set(keys.map(sourceKey))];
  await using opened = await openCommandStore(env);
  const reached: string[] = [];
  const unknown: string[] = [];
  for (const key of distinct) {
    if (await act(opened.store.sourceStates, key)) reached.push(key);
    else unknown.push(key);
  }
  if (json) writeJson(stdout, { [done]: reached, unknown });
  else {
    for (const key of reached) stdout.write(`${key}: ${done}\n`);
    for (const key of unknown) stderr.write(`${key}: there is no such source\n`);
  }
  return unknown.length === 0 ? 0 : 1;
}

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
    await using opened = await openCommandStore(env, { creates: true });
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
