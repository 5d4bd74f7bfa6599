import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdmissionItem, ensurePostgres, migrate } from "@isnad/lib/store";
import { testItem } from "@isnad/lib/store/testing";
import type postgres from "postgres";

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
export const CONNECTIONS = 2;

/** Batches that each connection writes in one run. */
export const BATCHES = 10;

/** Articles of a batch. */
export const ROWS = 50;

/** Articles a second of runs of {@link inParallel}, from their times in milliseconds. */
export const articlesPerSecond = (ms: number): number => (CONNECTIONS * BATCHES * ROWS * 1000) / ms;

/** Makes `raw_articles`: columns, indexes and constraints of `articles`, to compare with plain inserts. */
export async function createRawArticles(sql: postgres.Sql): Promise<void> {
  await sql`create table raw_articles (like articles including all)`;
  await sql`alter table raw_articles alter column content set storage external`;
  // What decides races: an article's pair is unique, as its content is.
  await sql`alter table raw_articles add unique (source_id, external_id)`;
}

/** The row of `raw_articles` for an item, without authors, images and `raw`. */
export const rawRow = (item: AdmissionItem) => ({
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
export async function inParallel(once: () => Promise<void>): Promise<void> {
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
