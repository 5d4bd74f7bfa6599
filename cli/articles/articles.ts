import {
  type ApiTarget,
  CommandError,
  createProgress,
  defineCommand,
  findApi,
  UsageError,
  writeJson,
} from "@isnad/lib/service/cli";
import { parseIsoTime } from "@isnad/lib/text/dates";
import { openCommandStore } from "../open-store.ts";

type Deleted = { id: string; deleted: boolean };

/** `article:delete`: removes articles everywhere, through the central API. */
export const articleDelete = defineCommand({
  name: "article:delete",
  summary: "Deletes articles from the database and from every index.",
  positionals: { usage: "ID…", min: 1, max: Number.POSITIVE_INFINITY },
  options: {},
  details: "An ID is an article_id or a doc_id. An unknown one is reported, the others are deleted all the same.",
  async run({ positionals }, { env, json, signal, stdout, stderr }) {
    const target = await findApi(env);
    const results: Deleted[] = [];
    for (const id of positionals) {
      const deleted = await remove(target, id, signal);
      results.push({ id, deleted });
      if (json) continue;
      if (deleted) stdout.write(`deleted ${id}\n`);
      else stderr.write(`no article ${id}\n`);
    }
    if (json) writeJson(stdout, { results });
    return results.every(({ deleted }) => deleted) ? 0 : 1;
  },
});

async function remove({ url, ingestToken }: ApiTarget, id: string, signal: AbortSignal): Promise<boolean> {
  let response: Response;
  try {
    response = await fetch(`${url}/v1/articles/${encodeURIComponent(id)}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${ingestToken}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
    });
    await response.arrayBuffer();
  } catch (cause) {
    throw new CommandError(`the API at ${url} cannot be reached`, { cause });
  }
  if (response.ok) return true;
  if (response.status === 404) return false;
  throw new CommandError(`the API answered ${response.status} for article ${id}`);
}

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

/** Longest list of what was set aside. */
const MAX_LISTED = 50;

/** `articles:retry`: tries articles again that were set aside or have failed. */
export const articlesRetry = defineCommand({
  name: "articles:retry",
  summary: "Tries articles again that a stage has set aside; without --all or an ID it lists them with their reasons.",
  positionals: { usage: "[ID…]", min: 0, max: 1_000 },
  options: {
    all: { kind: "flag", help: "everything that was set aside" },
    stage: { kind: "text", value: "NAME", help: "only what was set aside in this stage" },
  },
  details: `An article is set aside in a stage (ingestion, analysis, entities, rerank, relations, summary) once five attempts at it
have failed. ID is the number of an article; one that has failed for another reason begins anew.`,
  async run({ positionals, values }, { env, json, stdout }) {
    const { all, stage } = values;
    const articleIds = positionals.map(idOf);
    if (all && articleIds.length > 0) throw new UsageError("give --all or IDs, not both");
    await using opened = await openCommandStore(env);
    const { work } = opened.store;
    if (!all && articleIds.length === 0) {
      const list = await work.setAside({ limit: MAX_LISTED, stage });
      if (json)
        writeJson(stdout, {
          retried: 0,
          set_aside: list.map(({ articleId, ...rest }) => ({ article_id: articleId, ...rest })),
        });
      else {
        for (const { articleId, stage: name, at, reason } of list)
          stdout.write(`${articleId} ${name} ${at} ${reason ?? ""}\n`);
        stdout.write(list.length === 0 ? "nothing was set aside\n" : "--all or an ID tries again\n");
      }
      return 0;
    }
    const retried = await work.retry({ articleIds: all ? undefined : articleIds, stage });
    if (json) writeJson(stdout, { retried, set_aside: [] });
    else stdout.write(`${retried} to be tried again\n`);
    return all || retried > 0 ? 0 : 1;
  },
});

function idOf(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new UsageError(`${text} is no number of an article`);
  return Number(text);
}
