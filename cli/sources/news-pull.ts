import { CommandError, defineCommand, UsageError } from "@isnad/lib/service/cli";
import type { PullOptions, Source, Store } from "@isnad/lib/store";
import { UnsupportedProviderError } from "../../workers/pull/adapter.ts";
import { openPulls } from "./open-pulls.ts";
import { pullNow } from "./pull-now.ts";
import { sourceKey } from "./source-fields.ts";

/** Providers of news that can be asked for more than the regular pull brings. */
const NEWS_PROVIDERS = ["newsdata"];

/** Request options that are passed on as they are typed. */
const FILTERS = ["query", "language", "country", "category", "from", "to"] as const;

/** `news:pull`: takes latest or archived items of a news provider in, at once. */
export const newsPull = defineCommand({
  name: "news:pull",
  summary: "Pulls latest or archived articles from a news provider.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    provider: { kind: "text", value: "NAME", help: "the provider", default: "newsdata" },
    mode: { kind: "text", value: "latest|archive", help: "what to ask for", default: "latest" },
    query: { kind: "text", value: "TEXT", help: "words to search for, in the provider's syntax" },
    language: { kind: "text", value: "CODES", help: "languages, comma-separated: ar,en" },
    country: { kind: "text", value: "CODES", help: "countries, comma-separated: eg,jo" },
    category: { kind: "text", value: "NAMES", help: "the provider's categories, comma-separated" },
    from: { kind: "text", value: "DATE", help: "archive: first day, YYYY-MM-DD" },
    to: { kind: "text", value: "DATE", help: "archive: last day, YYYY-MM-DD" },
    max: { kind: "number", value: "N", help: "articles at most", default: 100, min: 1, max: 1_000_000 },
    source: { kind: "text", value: "KEY", help: "the source that they belong to (default: the provider's name)" },
  },
  details: `
newsdata.io: set NEWSDATA_API_KEY. A page of results costs a credit of your plan; the archive needs a paid one. The source is
registered when it is not there, and is not pulled regularly until it is made active.`,
  async run({ values }, context) {
    const { provider, mode, max } = values;
    const key = sourceKey(values.source ?? provider);
    if (!NEWS_PROVIDERS.includes(provider)) throw new UnsupportedProviderError({ key, provider }, NEWS_PROVIDERS);
    if (mode !== "latest" && mode !== "archive") throw new UsageError("--mode takes latest or archive");
    const options: PullOptions = { mode, max };
    for (const name of FILTERS) if (values[name] !== undefined) options[name] = values[name];
    checkDates(values.from, values.to, mode);
    if (mode === "archive" && !["query", "language", "country", "category"].some((name) => name in options)) {
      throw new UsageError("--mode archive needs --query, --language, --country or --category");
    }
    await using pulls = await openPulls(context.env);
    const source = await sourceFor(pulls.store, key, provider);
    return await pullNow(source, await pulls.pulling(), options, context);
  },
});

async function sourceFor(store: Store, key: string, provider: string): Promise<Source> {
  const source = await store.sources.get(key);
  if (source?.provider === provider) return source;
  if (source?.provider != null) {
    throw new CommandError(`source "${key}" is of provider "${source.provider}": name another with --source`);
  }
  const fresh = source === undefined ? { name: provider, active: false } : {};
  const [made] = await store.sources.upsert([{ key, provider, ...fresh }]);
  if (made === undefined) throw new Error("the source was not registered");
  return made;
}

function checkDates(from: string | undefined, to: string | undefined, mode: string): void {
  for (const [option, date] of [
    ["--from", from],
    ["--to", to],
  ] as const) {
    if (date === undefined) continue;
    if (mode !== "archive") throw new UsageError(`${option} goes with --mode archive`);
    const day = /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(`${date}T00:00:00Z`) : undefined;
    if (day === undefined || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) {
      throw new UsageError(`${option} takes a day as YYYY-MM-DD`);
    }
  }
  if (from !== undefined && to !== undefined && from > to) throw new UsageError("--from is after --to");
}
