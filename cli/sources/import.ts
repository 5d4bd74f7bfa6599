import { defineCommand, writeJson } from "@isnad/lib/service/cli";
import type { OpmlFeed } from "@isnad/lib/web/feeds";
import type { Source, SourceInput } from "@isnad/lib/store";
import { feedKey } from "./feed-key.ts";
import { openCommandStore } from "./open-store.ts";
import { readOpmlFile } from "./opml-file.ts";

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
 * The sources to make or change: each feed under the key of the file, of the source that has its address, or a new one.
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
