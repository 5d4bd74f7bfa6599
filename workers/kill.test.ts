import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnService } from "@isnad/lib/service/process/testing";
import { admitItems, testItem, testStore } from "@isnad/lib/store/testing";
import { until } from "@isnad/lib/std/testing-until";

/** Kills of the test: few by default, as many as wanted by hand (`KILLS=100 bun test workers/kill.test.ts`). */
const KILLS = Number(process.env.KILLS ?? 2);
/** How long one step may take until it is said to be stuck. */
const KILL_LIMIT_MS = 180_000;
const ARTICLES_A_ROUND = 6;
/** Attempts that are left standing: a stage sets aside what ended its process five times, and here it is the test. */
const MAX_ATTEMPTS = 3;
const STAGES = ["ingestion", "analysis", "entities", "copies", "stories", "rerank", "claims", "summary", "relations"];

setDefaultTimeout(KILL_LIMIT_MS * (2 * KILLS + 2));

const { url, store, sql, close } = await testStore();
const dir = mkdtempSync(join(tmpdir(), "isnad-workers-kill-"));

const VERB = "افتتح";
const PLACE = "عمان";
const ENGLISH = "Angela Merkel met Emmanuel Macron in Paris on Tuesday.";
const ARABIC = `${VERB} الوزير المستشفى الجديد في ${PLACE} يوم الثلاثاء. ${"وقال الناس إن الخبر مهم للمدينة كلها. ".repeat(6)}`;

/** Stands in for the linguistic service: finds one event in each text that it is asked about. */
const nlp = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { text } = Object(await request.json());
    const place = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
    const offsets = { predicate: null, subject: place(VERB), object: place(PLACE) };
    const relation = { predicate: "place", subject: VERB, object: PLACE, event: "launch", confidence: 0.8, offsets };
    return Response.json({ relations: text.includes(VERB) ? [relation] : [] });
  },
});

afterAll(async () => {
  await nlp.stop(true);
  await close();
  rmSync(dir, { recursive: true, force: true });
});

const start = () =>
  spawnService(new URL("./main.ts", import.meta.url), {
    DATABASE_URL: url,
    DATA_DIR: dir,
    PULL_INTERVAL_S: "0",
    NLP_URL: nlp.url.origin,
    RELATIONS_EXTRACT: "true",
    SUMMARIZE_ON_INGEST: "true",
  });

/** The stages to strike: each in turn, in another order each time. */
const targets = Array.from({ length: Math.ceil(KILLS / STAGES.length) }, () =>
  STAGES.toSorted(() => Math.random() - 0.5),
)
  .flat()
  .slice(0, KILLS);

const holds = async (stage: string) =>
  (await sql`select from work where stage = ${stage} and lease_until > now() limit 1`).length > 0;

const isLeft = async () => (await sql`select from work limit 1`).length > 0;

/** Waits until no work is left; rejects with what is when none of it ends for a while, or when some was set aside. */
async function drained(): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let deadline = 0; ; await Bun.sleep(50)) {
    const rows = await sql<{ stage: string; articles: number; aside: number; reason: string | null }[]>`
      select stage, count(*)::int as articles, count(set_aside_at)::int as aside, max(reason) as reason
      from work group by stage`;
    const left = rows.reduce((sum, { articles }) => sum + articles, 0);
    if (left === 0) return;
    if (left < fewest) deadline = performance.now() + KILL_LIMIT_MS;
    fewest = Math.min(fewest, left);
    if (performance.now() > deadline || rows.some(({ aside }) => aside > 0))
      throw new Error(`work is left: ${JSON.stringify(rows)}`);
  }
}

test(`workers that are killed ${KILLS} times, in every stage, lose nothing and do nothing twice that readers see`, async () => {
  const english: number[] = [];
  const arabic: number[] = [];
  const strikes: Record<string, number> = {};
  let serial = 0;
  for (const stage of targets) {
    const items = Array.from({ length: ARTICLES_A_ROUND }, () =>
      serial++ % 2 === 0
        ? testItem({ content: `${ENGLISH} ${serial}.` })
        : testItem({ content: `${ARABIC} ${serial}.`, lang: "ar" }),
    );
    for (const [n, id] of (await admitItems(store, items)).entries()) (n % 2 === 0 ? english : arabic).push(id);
    const worker = start();
    await until(`stage ${stage} holds work, or nothing is left`, async () => (await holds(stage)) || !(await isLeft()));
    // A moment somewhere in its run.
    await Bun.sleep(Math.random() * 100);
    expect(await worker.end("SIGKILL")).toBeNull();
    const held = await sql<{ stage: string }[]>`select distinct stage from work where lease_until > now()`;
    for (const { stage: name } of held) strikes[name] = (strikes[name] ?? 0) + 1;
    if (KILLS > STAGES.length) process.stderr.write(`killed in ${held.map(({ stage: name }) => name).join(", ")}\n`);
    // The lease runs by the clock of the database: as if it had run out meanwhile.
    await sql`
      update work set lease_until = now(), attempts = least(attempts, ${MAX_ATTEMPTS}) where lease_owner is not null`;
  }
  const last = start();
  await drained();
  expect(await last.end()).toBe(0);
  if (KILLS > STAGES.length) process.stderr.write(`stages that held work when killed: ${JSON.stringify(strikes)}\n`);

  const articles = english.length + arabic.length;
  expect(articles).toBe(KILLS * ARTICLES_A_ROUND);
  expect((await store.articles.countByState()).indexed).toBe(articles);
  const [counts] = await sql`
    select (select count(*)::int from outbox where type = 'article.upserted') as events,
      (select count(distinct article_id)::int from outbox where type = 'article.upserted') as announced,
      (select count(distinct article_id)::int from article_entities where tagged) as named,
      (select count(*)::int from rerank_vectors) as read,
      (select count(*)::int from articles where summary <> '') as summaries,
      (select count(distinct article_id)::int from relations) as related, (select count(*)::int from relations) as relations,
      (select count(*)::int from article_copies) as matched,
      (select count(*)::int from story_articles) as told,
      (select count(*)::int from stories s where merged_into is null and size <> (
        select count(*) from story_articles a where a.story_id = s.story_id)) as miscounted,
      (select count(distinct article_id)::int from chunks) as indexed,
      (select count(*)::int from chunks) - (select count(distinct (article_id, chunk_no))::int from chunks) as doubled`;
  expect(counts).toEqual({
    events: articles,
    announced: articles,
    named: articles,
    read: articles,
    summaries: articles,
    related: arabic.length,
    relations: arabic.length,
    matched: articles,
    told: articles,
    miscounted: 0,
    indexed: articles,
    doubled: 0,
  });
});
