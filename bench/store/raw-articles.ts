import type { AdmissionItem } from "@isnad/lib/store";
import type postgres from "postgres";

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
