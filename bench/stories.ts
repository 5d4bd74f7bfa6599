import { readFileSync } from "node:fs";
import { openStore, type Store, type StoryReport } from "@isnad/lib/store";
import { reportOf, STORIES_VERSION, STORY_RULES } from "@isnad/lib/stories";
import postgres from "postgres";
import { type Figure, quantile } from "./rounds.ts";
import { durableDatabase } from "./store-articles.ts";

/** Articles in the archive, of so many days. */
const SIZES = process.env.BENCH_ARTICLES?.split(",").map(Number) ?? [50_000, 500_000];
const DAYS = 60;

/** Articles that come in while it is measured, as many at a time as the stage takes. */
const BATCH = 32;
const BATCHES = 12;
const WARM_BATCHES = 3;

/** Texts that simulated articles are made of; each is many articles of other days. */
const TEMPLATES = 1_000;

/** Bytes of memory beside the database that an article may cost. */
const MAX_ARTICLE_BYTES = 100;

/** Lists that are asked for. */
const LISTS = 60;

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2024, 0, 1);

/**
 * Measures what an article costs until it has its story, in milliseconds of processor time of this process and of the
 * database, and how long the stories of a day take to list, over simulated archives of two sizes.
 */
export async function stories(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const memory: number[] = [];
  for (const size of SIZES) {
    const database = await durableDatabase();
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    // One connection, so that one process of the database does all of its work.
    const store = openStore(database.url, { max: 1 });
    try {
      await fill(sql, size);
      figures.push(await costOf(store, sql, size), ...(await listing(store, size)));
      Bun.gc(true);
      memory.push(process.memoryUsage().rss);
    } finally {
      await store.close();
      await sql.end();
      await database.drop();
    }
  }
  const [few = 0, many = 0] = [SIZES[0], SIZES.at(-1)];
  if (many > few)
    figures.push({
      name: "stories: memory an article beside the database",
      value: Math.max(0, ((memory.at(-1) ?? 0) - (memory[0] ?? 0)) / (many - few)),
      bound: { atMost: MAX_ARTICLE_BYTES },
      detail: `bytes, of this process, between ${few} and ${many} articles`,
    });
  return figures;
}

/** Simulates an archive: five of eight events have one article, the others two to three of the same hours. */
async function fill(sql: postgres.Sql, size: number): Promise<void> {
  const templates = Array.from({ length: TEMPLATES }, (_, i) => reportOf(textOf(i)));
  await sql`create temporary table templates (n int primary key, keys int[], traits bytea)`;
  for (const [n, { keys, traits }] of templates.entries())
    await sql`insert into templates values (${n}, ${[...keys]}::int[], ${traits})`;
  await sql`set session_replication_role = replica`;
  await sql`set synchronous_commit = off`;
  // Indexes are made of what is there: each row by itself takes minutes at this size.
  await sql`alter table story_keys drop constraint story_keys_pkey`;
  await sql`alter table story_links drop constraint story_links_pkey`;
  await sql`drop index story_articles_story, story_articles_time, story_links_other`;
  await sql`
    insert into articles (source_id, external_id, url, canonical_url, domain, title, content, content_hash, lang,
      published_at, created_at, state, category_id)
    select 's' || i % 40, i::text, 'http://n.example/' || i, 'http://n.example/' || i, 'n.example', 'Title ' || i,
      repeat('word ', 60) || i, decode(md5(i::text), 'hex'), case when i % 2 = 0 then 'ar' else 'en' end,
      to_timestamp(${START_MS / 1000}) + (i / 8) * make_interval(secs => ${(DAYS * 86_400 * 8) / size}),
      now(), 'indexed', 'world'
    from generate_series(0, ${size - 1}) as i`;
  await sql`
    insert into stories (size) select 0 from generate_series(1, ${Math.ceil(size / 8) * 5})`;
  await sql`
    insert into story_articles (article_id, story_id, at, lang, version, stems, keys, traits)
    select article_id, 1 + ((i / 8) * 5 + case i % 8 when 0 then 0 when 1 then 1 when 2 then 2 when 3 then 3 when 4 then 3
        else 4 end), published_at, lang, ${STORIES_VERSION}, t.keys[1:8],
      array(select case when place <= 14 then key else hashint8(key::bigint + i / 8) end
        from unnest(t.keys) with ordinality as k (key, place)), t.traits
    from (select article_id, external_id::int as i, published_at, lang from articles) a
    join templates t on t.n = (i / 8) % ${TEMPLATES}`;
  await sql`create index story_articles_story on story_articles (story_id, at)`;
  await sql`create index story_articles_time on story_articles (at) include (story_id)`;
  await sql`insert into story_keys select distinct unnest(keys), at, article_id from story_articles`;
  await sql`alter table story_keys add primary key (key, at, article_id)`;
  await sql`
    insert into story_links select a.article_id, b.article_id, 2 from story_articles a
    join story_articles b on b.story_id = a.story_id and b.article_id > a.article_id`;
  await sql`
    update stories s set size = n.size, first_seen = n.first_seen, last_seen = n.last_seen, langs = n.langs
    from (
      select story_id, count(*) as size, min(at) as first_seen, max(at) as last_seen, array_agg(distinct lang) as langs
      from story_articles group by 1) as n where n.story_id = s.story_id`;
  await sql`alter table story_links add primary key (article_id, other_id)`;
  await sql`create index story_links_other on story_links (other_id)`;
  await sql`set session_replication_role = origin`;
  await sql`vacuum analyze`;
}

let serial = 0;

/** Returns a text of ordinary length whose words are as frequent as in the news. */
function textOf(topic: number): Parameters<typeof reportOf>[0] {
  const words = frequentStems();
  const pick = (i: number): string =>
    words[Math.floor(((Math.sin(i * 12.9898 + topic * 78.233) + 1) / 2) ** 3 * words.length)] ?? "";
  const text = (from: number, count: number): string =>
    Array.from({ length: count }, (_, i) => pick(from + i)).join(" ");
  return {
    articleId: serial++,
    sourceId: `s${topic % 40}`,
    title: text(0, 9),
    content: text(9, 350),
    lang: topic % 2 === 0 ? "ar" : "en",
    at: START_MS,
    entities: Array.from({ length: 12 }, (_, i) => ({
      entityId: topic * 7 + i,
      name: pick(400 + i),
      mentions: 1 + (i % 3),
    })),
    vectors: Array.from({ length: 4 }, (_, n) =>
      Float32Array.from({ length: 256 }, (_, i) => Math.sin(i * (topic + 1) + n)),
    ),
    read: Int8Array.from({ length: 384 }, (_, i) => 127 * Math.sin(i * (topic + 2))),
  };
}

let stems: string[] | undefined;

function frequentStems(): string[] {
  stems ??= readFileSync(new URL("../nlp/lexicon/stories/frequent-stems.tsv", import.meta.url), "utf8")
    .split("\n")
    .flatMap((line) => line.split("\t")[1]?.split(" ") ?? []);
  return stems;
}

async function costOf(store: Store, sql: postgres.Sql, size: number): Promise<Figure> {
  const backend = await pidOf(store, sql);
  const times: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const ids = await fresh(sql, batch);
    const texts = ids.map((articleId, i) => ({
      ...textOf((batch * BATCH + i) % TEMPLATES),
      ...{ articleId, at: START_MS + ((batch * 5 + 1) % DAYS) * DAY_MS + i * 60_000 },
    }));
    const before = [process.cpuUsage(), ticksOf(backend)] as const;
    const reports: StoryReport[] = texts.map(reportOf);
    await store.stories.place(reports, STORY_RULES);
    const { user, system } = process.cpuUsage(before[0]);
    times.push((user + system) / 1000 / BATCH + ((ticksOf(backend) - before[1]) * MS_PER_TICK) / BATCH);
  }
  const measured = times.slice(WARM_BATCHES);
  const mean = measured.reduce((sum, time) => sum + time, 0) / measured.length;
  return {
    name: `stories: processor time an article at ${size.toLocaleString("en-US")}`,
    value: mean,
    bound: { atMost: 10 },
    detail: `ms, this process and the database, ${BATCH} at a time`,
  };
}

/** Milliseconds of a clock tick of /proc. */
const MS_PER_TICK = 10;

/** Returns the processor time of a process, in ticks. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Returns the number of the process of the database that works for the store. */
async function pidOf(store: Store, sql: postgres.Sql): Promise<number> {
  await store.ping();
  const [row] = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    order by backend_start desc limit 1`;
  return row?.pid ?? 0;
}

/** Stores new articles; returns their numbers. */
async function fresh(sql: postgres.Sql, batch: number): Promise<number[]> {
  const rows = await sql<{ id: string }[]>`
    insert into articles (source_id, external_id, url, canonical_url, domain, title, content, content_hash, lang, state)
    select 'new', ${batch} || '-' || i, 'http://n.example/n', 'http://n.example/n', 'n.example', 'New', 'New',
      decode(md5(${`new ${batch}-`} || i), 'hex'), 'en', 'indexed'
    from generate_series(1, ${BATCH}) as i returning article_id::text as id`;
  return rows.map(({ id }) => Number(id));
}

/** Measures how long the reports of the story of an article take, which its chain shows beside the links. */
async function ofArticle(store: Store, size: number): Promise<Figure> {
  const times: number[] = [];
  for (let i = 0; i < LISTS; i++) {
    const started = performance.now();
    await store.stories.ofArticle(1 + ((i * 7_919) % size));
    times.push(performance.now() - started);
  }
  return {
    name: `stories: reports of an article's story at ${size.toLocaleString("en-US")}, p95`,
    value: quantile(times.slice(5), 0.95),
    bound: { atMost: 20 },
    detail: "ms, in the database and this process",
  };
}

async function listing(store: Store, size: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  figures.push(await ofArticle(store, size));
  for (const [name, more] of [
    ["a day by size", { sort: "size" }],
    ["a day by growth", { sort: "growth" }],
    ["a day in one language", { sort: "newest", lang: "ar" }],
    ["a week by size", { sort: "size", days: 7 }],
  ] as const) {
    const times: number[] = [];
    for (let i = 0; i < LISTS; i++) {
      const { days = 1, ...rest } = { days: 1, ...more };
      const from = START_MS + (10 + ((i * 7) % (DAYS - 20))) * DAY_MS;
      const started = performance.now();
      await store.stories.list({ from, to: from + days * DAY_MS - 1, minSize: 2, limit: 20, ...rest });
      times.push(performance.now() - started);
    }
    figures.push({
      name: `stories: ${name} at ${size.toLocaleString("en-US")}, p95`,
      value: quantile(times.slice(5), 0.95),
      bound: { atMost: name.startsWith("a day") ? 50 : 250 },
      detail: "ms, in the database and this process",
    });
  }
  return figures;
}
