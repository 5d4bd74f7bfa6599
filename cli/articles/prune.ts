import { createProgress, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { parseIsoTime } from "@isnad/lib/text/dates";
import { openCommandStore } from "../sources/open-store.ts";

/** `articles:prune`: deletes old articles. */
export const articlesPrune = defineCommand({
  name: "articles:prune",
  summary: "Deletes the articles from before a date, everywhere; without --yes it says how many they are.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    before: { kind: "text", value: "DATE", help: "a day or a time, ISO 8601 in UTC: articles from before it go" },
    yes: { kind: "flag", help: "delete them; there is no way back but a backup" },
  },
  details: `What counts is when an article was published, or came in where that is unknown. Each is deleted as article:delete does
it: indexes, webhooks and keys follow, with the workers when they run. May be cut short and started again. RETENTION_DAYS
has the workers do the same all the time.`,
  async run({ values }, { env, json, signal, stdout, stderr }) {
    const time = values.before === undefined ? undefined : parseIsoTime(values.before);
    if (time === undefined) throw new UsageError("--before takes a day (2024-12-31) or a time");
    if (time > Date.now()) throw new UsageError("--before is in the future: every article would go");
    const before = new Date(time).toISOString();
    await using opened = await openCommandStore(env);
    const { articles } = opened.store;
    const aged = await articles.countBefore(before);
    if (!values.yes) {
      if (json) writeJson(stdout, { before, ...aged, deleted: 0 });
      else stdout.write(`${aged.articles} articles${range(aged)}; --yes deletes them\n`);
      return 0;
    }
    const progress = createProgress(stderr);
    const onProgress = (done: number) => progress.update(done, aged.articles, `${done} of ${aged.articles} articles`);
    const deleted = await articles.removeBefore(before, { signal, onProgress });
    progress.clear();
    signal.throwIfAborted();
    if (json) writeJson(stdout, { before, ...aged, deleted });
    else stdout.write(`${deleted} articles deleted\n`);
    return 0;
  },
});

function range({ oldest, newest }: { oldest: string | null; newest: string | null }): string {
  return oldest === null || newest === null ? "" : `, from ${oldest.slice(0, 10)} to ${newest.slice(0, 10)}`;
}
