import { CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import type { Source, Store } from "@isnad/lib/store";
import { type Adapters, adapterFor } from "../../workers/pull/adapter.ts";
import { openPulls } from "./open-pulls.ts";
import { requireOn } from "./open-store.ts";
import { pullNow } from "./pull-now.ts";
import { type SourceFlags, sourceFields, sourceKey } from "./source-fields.ts";

/** `crawl:source`: has a source pulled, by the workers or at once. */
export const crawlSource = defineCommand({
  name: "crawl:source",
  summary: "Pulls the articles of a source.",
  positionals: { usage: "KEY", min: 1, max: 1 },
  options: {
    create: { kind: "flag", help: "register the source first, or change what is given of it" },
    force: { kind: "flag", help: "pull it although somebody switched it off" },
    sync: { kind: "flag", help: "pull at once, in this process, and report what came" },
    provider: { kind: "text", value: "NAME", help: "with --create: rss, newsdata, scraper or scraper-push" },
    name: { kind: "text", value: "TEXT", help: "with --create: the name to show" },
    "feed-url": { kind: "text", value: "URL", help: "with --create: the feed's address (provider rss)" },
    homepage: { kind: "text", value: "URL", help: "with --create: the source's own page" },
    language: { kind: "text", value: "CODE", help: "with --create: the language it writes in" },
    tier: { kind: "text", value: "1|2|3", help: "with --create: 1 most trusted, 3 least" },
  },
  details: `
Without --sync the pull is kept in the database until a worker takes it, also across restarts; asking again while it
waits changes nothing. A source is never pulled twice at once. One that is switched off is not pulled without --force.`,
  async run({ values, positionals }, context) {
    const { create, force, sync, ...flags } = values;
    const key = sourceKey(positionals[0] ?? "");
    const fields = sourceFields(flags);
    if (!create && Object.keys(fields).length > 0) throw new UsageError("the fields of a source go with --create");
    const { env, json, stdout } = context;
    await using pulls = await openPulls(env);
    const { store, adapters } = pulls;
    const source = create ? await register(store, adapters, key, flags) : await store.sources.get(key);
    if (source === undefined) throw new CommandError(`there is no source "${key}"; --create registers it`);
    if (!force) requireOn(key, source.offSince === null ? undefined : "switched off");
    adapterFor(source, adapters);
    if (sync) return await pullNow(source, await pulls.pulling(), {}, context);
    const { run, fresh } = await store.pulls.request({ sourceKey: key, provider: source.provider, trigger: "cli" });
    if (json) writeJson(stdout, { source: key, provider: source.provider, run_id: run.runId, status: run.status });
    else stdout.write(`${key}: ${fresh ? "queued" : "is queued already"} (run ${run.runId})\n`);
    return 0;
  },
});

/** Makes or changes the source, when its provider is one that can be pulled. */
async function register(
  store: Store,
  adapters: Adapters,
  key: string,
  flags: SourceFlags,
): Promise<Source | undefined> {
  const source = await store.sources.get(key);
  const fields = sourceFields(flags);
  const feedUrl = fields.feedUrl ?? source?.feedUrl ?? null;
  const provider = fields.provider ?? source?.provider ?? (feedUrl === null ? null : "rss");
  if (provider === null) throw new UsageError("--create needs --provider, or --feed-url for a feed");
  adapterFor({ key, provider }, adapters);
  if (provider === "rss" && feedUrl === null) throw new UsageError("a source of provider rss needs --feed-url");
  const [made] = await store.sources.upsert([{ ...fields, key, provider, active: true }]);
  return made;
}
