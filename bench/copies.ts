import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { chainOf, matchCopies } from "@isnad/lib/stories";
import { openStore } from "@isnad/lib/store";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import postgres from "postgres";
import { dataFolder } from "../eval/retrieval-sets.ts";
import { readArticles } from "../eval/tasks/known-item.ts";
import { type Figure, quantile } from "./rounds.ts";
import { spread } from "./search/beside.ts";
import { durableDatabase } from "./store-articles.ts";

/** Articles that are there before, as anchors by chance. */
const STORED = Number(process.env.BENCH_ARTICLES ?? 50_000);

/** Anchors of an article of news in the mean. */
const ANCHORS = 57;

/** Articles that come in while it is measured, and how many at a time. */
const ARRIVING = 1_500;
const BATCH = 32;

/** Chains that are asked for, about. */
const CHAINS_READ = 300;

/**
 * Measures what finding the copies and credits of an article costs in processor time, of this process and of the
 * database together, beside many articles that are there; and how long a chain takes to be read.
 */
export async function copies(): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) {
    process.stderr.write("copies: skipped, no shared data (ISNAD_SHARED)\n");
    return [];
  }
  const database = await durableDatabase();
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  const store = openStore(database.url, { max: 1 });
  try {
    await fill(sql);
    const news = spread(readArticles(join(folder, "news/ant_v2_ar.jsonl.gz")), ARRIVING);
    const ids = await admitItems(
      store,
      news.map(({ title, text }, i) => testItem({ title, content: text, lang: "ar", sourceId: `s${i % 40}` })),
    );
    await sql`update articles set state = 'indexed' where article_id = any(${ids}::bigint[])`;
    const match = async (batch: readonly number[]): Promise<void> => {
      await store.copies.put(await matchCopies(store, await store.copies.texts(batch)));
    };
    await match(ids.slice(0, BATCH));
    const [backend] = await sql<{ pids: number[] }[]>`
      select array_agg(pid) as pids from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    const pids = backend?.pids ?? [];
    const before = ownMs() + backendsMs(pids);
    const startedAt = performance.now();
    for (let at = BATCH; at < ids.length; at += BATCH) await match(ids.slice(at, at + BATCH));
    const articles = ids.length - BATCH;
    const perArticle = (ownMs() + backendsMs(pids) - before) / articles;
    const wallMs = (performance.now() - startedAt) / articles;
    const times: number[] = [];
    for (const id of ids.filter((_, i) => i % Math.ceil(ids.length / CHAINS_READ) === 0)) {
      const asked = performance.now();
      const family = await store.copies.family(id);
      if (family !== undefined) chainOf(family);
      times.push(performance.now() - asked);
    }
    return [
      {
        name: `copies: ms of processor time an article, beside ${STORED}`,
        value: perArticle,
        bound: { atMost: 10 },
        detail: `copies and credits, with the database; ${wallMs.toFixed(1)} ms by the clock`,
      },
      {
        name: `chain: ms, p95, beside ${STORED} articles`,
        value: quantile(times, 0.95),
        bound: { atMost: 20 },
        detail: `p50 ${quantile(times, 0.5).toFixed(1)} ms, ${times.length} chains`,
      },
    ];
  } finally {
    await store.close();
    await sql.end();
    await database.drop();
  }
}

/** Stores articles with anchors by chance. */
async function fill(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into articles (source_id, external_id, url, canonical_url, domain, title, content, content_hash, state)
    select 's', n::text, 'https://s.example/' || n, 'https://s.example/' || n, 's.example', 'T', 'C', int8send(n), 'failed'
    from generate_series(1::bigint, ${STORED}) as n`;
  await sql`drop index article_copies_anchors`;
  await sql`
    insert into article_copies (article_id, revision, version, words, anchors)
    select article_id, 1, 1, 230, array(
      select (random() * 1073741823)::int from generate_series(1, ${ANCHORS} + (article_id % 2)::int)) from articles`;
  await sql`create index article_copies_anchors on article_copies using gin (anchors) with (gin_pending_list_limit = 64)`;
  await sql`analyze article_copies`;
}

/** Returns the processor time of this process so far, in milliseconds. */
function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the processor time of processes so far, in milliseconds, of those that are there. */
function backendsMs(pids: readonly number[]): number {
  const lines = execFileSync(
    "cat",
    pids.map((pid) => `/proc/${pid}/stat`),
  )
    .toString()
    .trim()
    .split("\n");
  const ticks = lines.map((line) => line.slice(line.lastIndexOf(")") + 2).split(" "));
  return ticks.reduce((total, fields) => total + (Number(fields[11]) + Number(fields[12])) * 10, 0);
}
