import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { type AdmissionItem, ensurePostgres, migrate, openStore } from "@isnad/lib/store";
import { testItem } from "@isnad/lib/store/testing";
import postgres from "postgres";
import { freePort } from "../lib/std/ports.ts";
import { type Figure, interleaved, median, quantile } from "./rounds.ts";

const arabic = "قال وزير الخارجية في مؤتمر صحفي اليوم إن المحادثات بين الجانبين حققت تقدما كبيرا نحو اتفاق شامل".split(
  " ",
);
const english =
  "the minister said on monday that talks between both sides had made progress towards a wider deal".split(" ");

/** New items with bodies of about 400 words, Arabic and English in turn, each unlike any other. */
export function makeItems(count: number, sourceId = "bench"): AdmissionItem[] {
  return Array.from({ length: count }, (_, i) => {
    const words = i % 2 === 0 ? arabic : english;
    const id = randomUUID();
    const body = Array.from({ length: 400 }, () => words[Math.floor(Math.random() * words.length)]).join(" ");
    const content = `${id} ${body}`;
    const url = `https://news.example/${id}`;
    return testItem({
      sourceId,
      externalId: id,
      url,
      title: `${words.slice(0, 9).join(" ")} ${id}`,
      content,
      lang: i % 2 === 0 ? "ar" : "en",
      authors: ["A. Writer"],
      images: [`${url}/image.jpg`],
      raw: { provider: "bench", section: "politics" },
      categoryLabel: "politics",
      provider: "bench",
    });
  });
}

/** A database as `up` would make it, fsync and all, and how to do away with it. */
export async function durableDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "isnad-bench-"));
  const lease = await ensurePostgres({ dataDir });
  await migrate(lease.url);
  return {
    url: lease.url,
    drop: async () => {
      await lease.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Connections that write at once. */
const CONNECTIONS = 2;

/** Batches that each connection writes in one run. */
const BATCHES = 10;

/** Articles of a batch. */
const ROWS = 50;

/** Articles a second of runs of {@link inParallel}, from their times in milliseconds. */
const articlesPerSecond = (ms: number): number => (CONNECTIONS * BATCHES * ROWS * 1000) / ms;

/** Makes `raw_articles`: columns, indexes and constraints of `articles`, to compare with plain inserts. */
async function createRawArticles(sql: postgres.Sql): Promise<void> {
  await sql`create table raw_articles (like articles including all)`;
  await sql`alter table raw_articles alter column content set storage external`;
  // What decides races: an article's pair is unique, as its content is.
  await sql`alter table raw_articles add unique (source_id, external_id)`;
}

/** The row of `raw_articles` for an item, without authors, images and `raw`. */
const rawRow = (item: AdmissionItem) => ({
  source_id: item.sourceId,
  external_id: item.externalId,
  url: item.url,
  canonical_url: item.canonicalUrl,
  domain: item.domain,
  title: item.title,
  content: item.content,
  content_hash: Buffer.from(item.contentHash, "hex"),
  lang: item.lang,
  published_at: item.publishedAt,
  category_label: item.categoryLabel,
  provider: item.provider,
});

/** Calls `once` as many times as there are batches, on each connection at the same time. */
async function inParallel(once: () => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let i = 0; i < BATCHES; i++) await once();
    }),
  );
}

/** The body of an ingest request with these items. */
export function toBody(items: readonly AdmissionItem[]): string {
  const articles = items.map((item) => ({
    source_id: item.sourceId,
    external_id: item.externalId,
    url: item.url,
    title: item.title,
    content: item.content,
    lang: item.lang,
    published_at: item.publishedAt,
    authors: item.authors,
    images: item.images,
    raw: item.raw,
    category_label: item.categoryLabel,
    provider: item.provider,
  }));
  return JSON.stringify({ articles });
}

/**
 * Returns what deciding over items costs on top of storing them: `admit` against plain inserts of 50 rows into a table
 * of the same columns, indexes and constraints, among them that a pair of source and external id is unique. Both over
 * two connections, fsync on.
 */
export async function admission(rounds: number): Promise<Figure[]> {
  const database = await durableDatabase();
  const sql = postgres(database.url, { max: CONNECTIONS, onnotice: () => {} });
  const store = openStore(database.url, { max: CONNECTIONS });
  try {
    await createRawArticles(sql);
    await store.admission.admit(makeItems(ROWS), { requireKnownSource: false });
    const admit = async (items: AdmissionItem[]): Promise<void> => {
      const outcome = await store.admission.admit(items, { requireKnownSource: false });
      const accepted = "results" in outcome && outcome.results.every((result) => result.status === "accepted");
      if (!accepted) throw new Error("a new article was not accepted");
    };
    const insert = async (items: AdmissionItem[]): Promise<void> => {
      await sql`insert into raw_articles ${sql(items.map((item) => wholeRow(sql, item)))}`;
    };
    const total = (rounds + 2) * BATCHES * CONNECTIONS * 2;
    const batches = Array.from({ length: total }, () => makeItems(ROWS));
    const times = await interleaved(
      [
        { name: "admit", run: () => inParallel(() => admit(batches.pop() ?? [])) },
        { name: "raw", run: () => inParallel(() => insert(batches.pop() ?? [])) },
      ],
      { rounds },
    );
    const rate = (name: string) => articlesPerSecond(median(times.get(name) ?? []));
    return [
      {
        name: "store: admission / raw inserts",
        value: rate("admit") / rate("raw"),
        bound: { atLeast: 0.85 },
        detail: `${Math.round(rate("admit"))} against ${Math.round(rate("raw"))} articles/s, 50 a batch, 2 connections`,
      },
    ];
  } finally {
    await store.close();
    await sql.end();
    await database.drop();
  }
}

function wholeRow(sql: postgres.Sql, item: AdmissionItem) {
  const raw = item.raw === null ? null : sql.json(JSON.parse(JSON.stringify(item.raw)));
  return { ...rawRow(item), authors: item.authors, images: item.images, raw };
}

/** The central API as a process of its own. */
type ApiProcess = { url: string; token: string; stop(): Promise<void> };

const ENTRY = fileURLToPath(new URL("../api/main.ts", import.meta.url));
const TOKEN = "bench-token";

/** Starts the API over the database and waits until it answers. */
async function startApi(databaseUrl: string): Promise<ApiProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-bench-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = Bun.spawn([process.execPath, ENTRY], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      API_PORT: String(port),
      INGEST_TOKEN: TOKEN,
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const answers = () =>
    fetch(`${url}/livez`).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`the API ended with ${child.exitCode}`);
    await Bun.sleep(50);
  }
  return {
    url,
    token: TOKEN,
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Returns what the ingest route costs over storing: articles a second from HTTP to the durable commit, against plain
 * inserts of 50 rows into a table of the same shape and indexes. Both over two connections, in the same run.
 */
export async function durable(rounds: number): Promise<Figure[]> {
  const database = await durableDatabase();
  const sql = postgres(database.url, { max: CONNECTIONS, onnotice: () => {} });
  await createRawArticles(sql);
  const api = await startApi(database.url);
  const latencies: number[] = [];
  try {
    const post = async (body: string): Promise<void> => {
      const start = performance.now();
      const response = await fetch(`${api.url}/v1/ingest/articles`, {
        method: "POST",
        headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
        body,
      });
      const answer = await response.text();
      latencies.push(performance.now() - start);
      const { accepted } = JSON.parse(answer).summary ?? {};
      if (accepted !== ROWS) throw new Error(`${response.status} ${answer.slice(0, 300)}`);
    };
    const insert = async (items: ReturnType<typeof makeItems>): Promise<void> => {
      await sql`insert into raw_articles ${sql(items.map(rawRow))}`;
    };
    // What is sent is made before the clock starts.
    const total = (rounds + 2) * BATCHES * CONNECTIONS;
    const bodies = Array.from({ length: total }, () => toBody(makeItems(ROWS)));
    const rows = Array.from({ length: total }, () => makeItems(ROWS));
    const times = await interleaved(
      [
        { name: "http", run: () => inParallel(() => post(bodies.pop() ?? "")) },
        { name: "raw", run: () => inParallel(() => insert(rows.pop() ?? [])) },
      ],
      { rounds },
    );
    const rate = (name: string) => articlesPerSecond(median(times.get(name) ?? []));
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    return [
      {
        name: "ingest: HTTP to durable / raw inserts",
        value: rate("http") / rate("raw"),
        bound: { atLeast: 0.75 },
        detail: `${Math.round(rate("http"))} against ${Math.round(rate("raw"))} articles/s, 50 a batch, 2 connections`,
      },
      {
        name: "ingest: batch p99 / p50",
        value: p99 / p50,
        bound: { atMost: 2.5 },
        detail: `${p50.toFixed(1)} ms, ${p99.toFixed(1)} ms over ${latencies.length} batches`,
      },
    ];
  } finally {
    await api.stop();
    await sql.end();
    await database.drop();
  }
}
