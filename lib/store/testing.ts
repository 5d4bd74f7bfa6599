import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import type { AdmissionItem } from "./admission/statements.ts";
import { codeOf, connect, type Sql } from "./client.ts";
import { ensurePostgres, type PostgresLease } from "./embedded/ensure.ts";
import type { Lease } from "./lease.ts";
import { migrate, migrations } from "./migrate.ts";
import { openStore, type Store } from "./store.ts";
import type { StageBacklog, Step, WorkItem } from "./work.ts";
import type { Discovery } from "./scraper/frontier.ts";
import type { NewItem, ScrapedItem } from "./scraper/items.ts";

export { type FreezablePostgres, freezablePostgres, takePort } from "./testing-faults.ts";

/** A valid item for tests; what is not given differs from item to item. The hash is made from title and content. */
export function testItem(fields: Partial<AdmissionItem> = {}): AdmissionItem {
  const id = randomBytes(8).toString("hex");
  const url = fields.url ?? `https://news.example/${id}`;
  const title = fields.title ?? `Title ${id}`;
  const content = fields.content ?? `Content ${id}. ${"The harbour was quiet again by nightfall. ".repeat(8)}`;
  return {
    sourceId: "test-source",
    externalId: id,
    url,
    canonicalUrl: url,
    domain: "news.example",
    title,
    content,
    contentHash: createHash("sha256").update(`${title}\n${content}`).digest("hex"),
    lang: "en",
    publishedAt: "2024-05-06T07:08:09.000Z",
    authors: [],
    images: [],
    raw: null,
    categoryLabel: null,
    provider: null,
    categoryId: null,
    categorySource: null,
    categoryConfidence: null,
    taxonomyVersion: null,
    ...fields,
  };
}

/** For tests: admits the items and returns the ids of the articles that were accepted. */
export async function admitItems(store: Store, items: readonly AdmissionItem[]): Promise<number[]> {
  const outcome = await store.admission.admit(items, { requireKnownSource: false });
  if (outcome.kind !== "decided") throw new Error(`unexpected outcome ${outcome.kind}`);
  return outcome.results.flatMap((result) =>
    result.status === "accepted" && result.articleId !== undefined ? [result.articleId] : [],
  );
}

/** For tests: admits `count` articles and takes them all the way to `indexed` by hand, with one chunk each. */
export async function indexedArticles(store: Store, count: number, modelId = "test@1"): Promise<number[]> {
  const ids = await admitItems(
    store,
    Array.from({ length: count }, () => testItem()),
  );
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  const chunk = { no: 0, start: 0, end: 10, vector: new Float32Array([1, 0, 0, 0]) };
  return store.indexing.commit(
    ids.map((articleId) => ({ articleId, chunks: [chunk] })),
    { modelId },
  );
}

/** A database of its own for a test, and how to drop it. */
export type TestDatabase = { url: string; drop(): Promise<void> };

const LOCK = 4_922_051_775;

/**
 * The Postgres that all test processes of this machine and account share; its folder is `isnad-test-<uid>` among the
 * temporary files, and it does not wait for the disk. It runs until the last lease is released.
 */
export async function testServer(): Promise<PostgresLease> {
  const dataDir = join(tmpdir(), `isnad-test-${process.getuid?.() ?? 0}`);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  // Nothing need outlive the tests. Their folder may be in memory, so that the log is kept small.
  const settings = { fsync: "off", full_page_writes: "off", max_connections: "400", max_wal_size: "256MB" };
  return ensurePostgres({ dataDir, settings });
}

/**
 * A fresh database with the platform's schema, for tests: a copy of a template in {@link testServer}. Call `drop()`
 * when done; what a killed test left behind is dropped by a later one. `empty` gives a database without the schema.
 */
export async function testDatabase({ empty = false }: { empty?: boolean } = {}): Promise<TestDatabase> {
  const lease = await testServer();
  const admin = postgres(lease.url, { max: 1, onnotice: () => {}, fetch_types: false });
  const name = `test_${Math.floor(Date.now() / 1000)}_${randomBytes(6).toString("hex")}`;
  try {
    await dropLeftovers(admin);
    const template = empty ? "template0" : await ensureTemplate(admin, lease.url);
    await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  } catch (error) {
    await admin.end();
    await lease.release();
    throw error;
  }
  let dropped: Promise<void> | undefined;
  const drop = async () => {
    try {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
    } finally {
      await admin.end({ timeout: 5 });
      await lease.release();
    }
  };
  return { url: databaseUrl(lease.url, name), drop: () => (dropped ??= drop()) };
}

/** Returns the template of the current migrations and of the code that applies them, made once. */
async function ensureTemplate(admin: postgres.Sql, url: string): Promise<string> {
  const hash = createHash("sha256").update(await readFile(fileURLToPath(import.meta.resolve("./migrate.ts"))));
  for (const { name, checksum } of await migrations()) hash.update(name).update(checksum);
  const template = `template_${hash.digest("hex").slice(0, 16)}`;
  await admin`select pg_advisory_lock(${LOCK})`;
  try {
    const made = await admin`select from pg_database where datname = ${template} and datistemplate`;
    if (made.length === 0) {
      await admin.unsafe(`drop database if exists ${template} with (force)`);
      await admin.unsafe(`create database ${template} template template0 strategy wal_log`);
      await migrate(databaseUrl(url, template));
      await admin.unsafe(`alter database ${template} with is_template true`);
    }
  } finally {
    await admin`select pg_advisory_unlock(${LOCK})`;
  }
  return template;
}

/** Drops test databases older than an hour: their tests are over, one way or the other. */
async function dropLeftovers(admin: postgres.Sql): Promise<void> {
  const rows = await admin<{ name: string }[]>`
    select datname as name from pg_database
    where datname ~ '^test_[0-9]+_' and split_part(datname, '_', 2)::bigint < extract(epoch from now()) - 3600`;
  for (const { name } of rows) {
    try {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
    } catch (error) {
      // Another process drops it at the same time.
      if (!["3D000", "XX000", "55006"].includes(codeOf(error))) throw error;
    }
  }
}

function databaseUrl(url: string, database: string): string {
  const named = new URL(url);
  named.pathname = `/${database}`;
  return named.href;
}

/** A store over a database of its own, for a test. */
export type TestStore = {
  url: string;
  store: Store;
  /** Opens one more store over the same database, as another process would have. */
  another(): Store;
  /** Statements of the test's own, past the store. */
  sql: Sql;
  /** Closes all of it, and drops the database. */
  close(): Promise<void>;
};

/** Makes a test database and its store; each store has at most `max` connections (8). */
export async function testStore({ max = 8 }: { max?: number } = {}): Promise<TestStore> {
  const { url, drop } = await testDatabase();
  const sql = connect(url, { max: 8 });
  const stores: Store[] = [];
  const another = (): Store => {
    const store = openStore(url, { max });
    stores.push(store);
    return store;
  };
  return {
    url,
    store: another(),
    another,
    sql,
    async close() {
      await Promise.all([...stores.map((store) => store.close()), sql.end()]);
      await drop();
    },
  };
}

/** Work on one stage by hand. */
type TestStage = {
  claim(lease: Lease & { limit: number }): Promise<WorkItem[]>;
  backlog(): Promise<Pick<StageBacklog, "waiting" | "setAside">>;
  step(owner: string, ...next: string[]): Step;
};

/** For tests: works on a stage by hand, as a runner would. */
export function testStage(store: Pick<Store, "work">, stage: string): TestStage {
  return {
    claim: (lease) => store.work.claim({ stage, ...lease }),
    async backlog() {
      const backlog = (await store.work.backlog()).find((entry) => entry.stage === stage);
      return { waiting: backlog?.waiting ?? 0, setAside: backlog?.setAside ?? 0 };
    },
    step: (owner, ...next) => ({ stage, owner, next }),
  };
}

/** For tests: queues articles for a stage. */
export async function queueWork(sql: Sql, stage: string, articleIds: readonly number[]): Promise<void> {
  await sql`insert into work (article_id, stage) select id, ${stage} from unnest(${[...articleIds]}::bigint[]) as id`;
}

/** For tests: forgets the stories of all articles. */
export async function forgetStories(sql: Sql): Promise<void> {
  await sql`delete from story_articles`;
}

/** Every row of every table as text, so that two databases can be compared. */
export async function rowsOf(sql: Sql): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' order by 1`;
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(name)} t order by 1`;
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

/** An article as the scraper makes it. */
export function scrapedItem(id: string, fields: Partial<ScrapedItem> = {}): ScrapedItem {
  return {
    id,
    sourceId: "desk",
    source: "The Desk",
    url: `https://desk.example/${id}`,
    canonicalUrl: null,
    title: `عنوان ${id}`,
    content: `نص المقال ${id}`,
    publishedAt: "2026-11-20T10:00:00.000Z",
    language: "ar",
    category: "politics",
    categoryLabel: "سياسة",
    provider: "desk",
    authors: ["كاتب"],
    images: [],
    details: { quality: 0.9 },
    ...fields,
  };
}

/** The same, to be kept and delivered. */
export function newItem(profileId: string, id: string, fields: Partial<NewItem> = {}): NewItem {
  const item = scrapedItem(id);
  return { profileId, runId: null, url: item.url, item, contentHash: `hash of ${id}`, deliver: true, ...fields };
}

/** An article that a feed names. */
export function discovery(id: string, fields: Partial<Discovery> = {}): Discovery {
  return { url: `https://desk.example/${id}`, entry: { title: id }, category: null, stamp: "1", ...fields };
}
