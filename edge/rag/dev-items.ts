import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { ChunkCondition, ChunkField, Passage } from "@isnad/lib/contract";
import { conditionHolds, monthOf } from "@isnad/lib/search/filters";

/** A chunk by its article's uuid and its number. */
type ChunkId = { docId: string; chunkNo: number };

const FORM = /^article:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):chunk:(\d{1,6})$/i;

/** Returns the id of a chunk as it is shown. */
export function formatChunkId({ docId, chunkNo }: ChunkId): string {
  return `article:${docId}:chunk:${chunkNo}`;
}

/** Returns what an id names; undefined for text of another form. */
function parseChunkId(id: string): ChunkId | undefined {
  const [, docId, no] = FORM.exec(id) ?? [];
  return docId === undefined ? undefined : { docId: docId.toLowerCase(), chunkNo: Number(no) };
}

/** An item as developers upsert it; metadata in the names of the filters. */
export type DevItem = {
  id: string;
  text: string;
  metadata: Partial<Record<ChunkField | "title" | "url", string | number | null>>;
  vector: Float32Array;
};

/**
 * Items that are found beside the chunks of articles. They are gone when the process ends: the store's articles have
 * one writer, and this is not it.
 */
export type DevItems = {
  /**
   * Adds items, or replaces those of the same id. Returns how many there are. Throws {@link RangeError} when there
   * would be too many.
   */
  upsert(items: readonly DevItem[]): number;
  /** Removes an item; false when it is not there. */
  remove(id: string): boolean;
  /** Returns the `k` items nearest to the vector of a question, among those that meet the conditions. */
  search(vector: Float32Array, k: number, conditions: readonly ChunkCondition[]): Candidate[];
};

/** Items of one process, at most. */
const MAX_ITEMS = 10_000;

/** Makes an empty set of items. */
export function createDevItems(): DevItems {
  const items = new Map<string, DevItem>();
  return {
    upsert(given) {
      const added = new Set(given.map(({ id }) => id).filter((id) => !items.has(id))).size;
      if (items.size + added > MAX_ITEMS) throw new RangeError(`more than ${MAX_ITEMS} items`);
      for (const item of given) items.set(item.id, item);
      return items.size;
    },
    remove: (id) => items.delete(id),
    search(vector, k, conditions) {
      return [...items.values()]
        .filter((item) => conditions.every((condition) => conditionHolds(condition, fieldOf(item, condition.field))))
        .map((item) => shown(item, dot(item.vector, vector)))
        .sort((a, b) => b.score - a.score)
        .slice(0, k);
    },
  };
}

function fieldOf({ id, metadata }: DevItem, field: ChunkField): string | number | null {
  return field === "article_id" ? (metadata.article_id ?? docIdOf(id)) : (metadata[field] ?? null);
}

function shown({ id, text, metadata }: DevItem, score: number): Candidate {
  const { title, url, lang, source, published_at_bucket: month } = metadata;
  return {
    docId: docIdOf(id),
    chunkNo: parseChunkId(id)?.chunkNo ?? 0,
    url: String(url ?? ""),
    title: String(title ?? ""),
    text,
    lang: lang == null ? null : String(lang),
    source: String(source ?? "dev"),
    month: typeof month === "number" ? month : null,
    score,
  };
}

/** Returns the uuid that an id names, or one made of it (RFC 9562, version 8). */
function docIdOf(id: string): string {
  const named = parseChunkId(id)?.docId;
  if (named !== undefined) return named;
  const hex = createHash("sha256").update(id).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (const [i, value] of a.entries()) sum += value * (b[i] ?? 0);
  return sum;
}

/** A chunk that may answer a question. */
export type Candidate = {
  docId: string;
  chunkNo: number;
  url: string;
  title: string;
  text: string;
  lang: string | null;
  source: string;
  /** YYYYMM. */
  month: number | null;
  score: number;
  /** Holds what the reranker made of the chunk beforehand. */
  vector?: Int8Array | undefined;
};

/** Returns a passage of the retrieval service as a candidate. */
export function candidateOf(passage: Passage): Candidate {
  const { doc_id, chunk_no, url, title, text, lang, source, published_at, score, vector } = passage;
  const month = published_at === null ? null : monthOf(new Date(published_at));
  return { docId: doc_id, chunkNo: chunk_no, url, title, text, lang, source, month, score, ...read(vector) };
}

function read(base64: string | undefined): { vector?: Int8Array } {
  return base64 === undefined ? {} : { vector: Int8Array.from(Buffer.from(base64, "base64")) };
}
