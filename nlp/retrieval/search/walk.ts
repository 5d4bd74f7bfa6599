import { createHash } from "node:crypto";
import type { SearchParams } from "@isnad/lib/contract";
import { AppError, z } from "@isnad/lib/service/http";
import type { Hybrid } from "@isnad/lib/search";
import { BoundedMap, parseJson } from "@isnad/lib/std";
import { articleIdOfKey, type Store, WALK_HIT_BYTES } from "@isnad/lib/store";

/**
 * Holds what a cursor says. After a first page: the hits of that page, when it was made, whether all parts answered,
 * and the highest key that the index had, where that is known; the hits are kept when the second page is asked for, so
 * that searches that end at one page cost nothing. Then: the walk.
 */
const Cursor = z.union([
  z.object({
    ...{ v: z.literal(1), q: z.string(), at: z.int().min(0) },
    ...{ seen: z.base64url().max(1_400), last: z.int().min(0).optional(), whole: z.literal(true).optional() },
  }),
  z.object({ v: z.literal(1), q: z.string(), walk: z.uuid(), from: z.int().min(0).max(100_000_000) }),
]);
export type Cursor = z.output<typeof Cursor>;

/** Parameters that a walk belongs to; the others only say how hits are shown. */
const BINDING = [
  ...([
    "q",
    "mode",
    "match",
    "sort",
    "entity",
    "story",
    "typos",
    "prefix",
    "k_rrf",
    "fusion",
    "rerank",
    "group",
  ] as const),
  ...(["lang", "source", "category", "domain", "source_tier", "from", "to"] as const),
];

/** Returns what stands for the search that parameters ask for. */
export function searchHash(params: SearchParams): string {
  const asked = BINDING.map((name) => [name, params[name] ?? null]);
  return createHash("sha256").update(JSON.stringify(asked)).digest("base64url").slice(0, 22);
}

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** Returns what a cursor says. @throws AppError (422) for one that is none, or of another search */
export function decodeCursor(text: string, params: SearchParams): Cursor {
  const { data } = Cursor.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  if (data === undefined) throw badCursor("must be a next_cursor of this search");
  if (data.q !== searchHash(params)) throw badCursor("belongs to a search with other parameters");
  return data;
}

/** Makes the problem of a cursor. */
export function badCursor(rule: string): AppError {
  return new AppError("validation-error", "The cursor cannot be used.", { errors: { cursor: [rule] } });
}

/** Returns keys as a cursor has them. */
export function encodeKeys(keys: readonly number[]): string {
  return Buffer.from(Float64Array.from(keys).buffer).toString("base64url");
}

/** Returns the keys that a cursor has. @throws AppError (422) where it has none */
function decodeKeys(seen: string): number[] {
  const bytes = Uint8Array.from(Buffer.from(seen, "base64url"));
  if (bytes.length % 8 !== 0) throw badCursor("must be a next_cursor of this search");
  return Array.from(new Float64Array(bytes.buffer));
}

/** First pages whose hits are held at most, until the next ones are asked for. */
const MAX_HELD = 128;

/** Returns all hits of a search, in their order, as they were when it was made. */
type AllHits = () => Promise<Hybrid[]>;

/** The hits of the last first pages, by their cursors: as they were, whatever changed since. */
export class FirstPages {
  readonly #held = new BoundedMap<string, AllHits>(MAX_HELD);

  hold(cursor: string, all: AllHits): void {
    this.#held.set(cursor, all);
  }

  /**
   * Returns the hits that a first page did not show, of those that were there when it was made, and how many it showed.
   * Where they are not held any more they are found again, `now`: what was revised since and does not match any more is
   * not among them.
   */
  async left(
    cursor: Extract<Cursor, { seen: string }>,
    now: AllHits,
    store: { hits: Pick<Store["hits"], "cameAfter"> },
  ): Promise<{ hits: Hybrid[]; shown: number }> {
    const seen = new Set(decodeKeys(cursor.seen));
    const held = this.#held.get(encodeCursor(cursor));
    const isLeft = ({ articleId }: Hybrid) => !seen.has(articleId);
    if (held !== undefined) return { hits: (await held()).filter(isLeft), shown: seen.size };
    const hits = (await now()).filter(isLeft);
    const { last, at } = cursor;
    // A number that was given out later is of an article that came later.
    if (last !== undefined) {
      const newest = articleIdOfKey(last);
      return { hits: hits.filter(({ articleId }) => articleIdOfKey(articleId) <= newest), shown: seen.size };
    }
    const ids = hits.map(({ articleId }) => articleIdOfKey(articleId));
    const later = new Set(await store.hits.cameAfter(ids, at));
    return { hits: hits.filter(({ articleId }) => !later.has(articleIdOfKey(articleId))), shown: seen.size };
  }
}

/** Returns hits in {@link WALK_HIT_BYTES} each: key, score, ranks (0 for none). */
export function encodeHits(hits: readonly Hybrid[]): Uint8Array {
  const bytes = new Uint8Array(hits.length * WALK_HIT_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, { articleId, score, keywordRank, vectorRank }] of hits.entries()) {
    view.setFloat64(i * WALK_HIT_BYTES, articleId);
    view.setFloat32(i * WALK_HIT_BYTES + 8, score);
    view.setUint32(i * WALK_HIT_BYTES + 12, keywordRank ?? 0);
    view.setUint32(i * WALK_HIT_BYTES + 16, vectorRank ?? 0);
  }
  return bytes;
}

/** Returns the hits again; `k`: the constant of rank fusion. */
export function decodeHits(bytes: Uint8Array, k: number): Hybrid[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / WALK_HIT_BYTES) }, (_, i) => {
    const at = i * WALK_HIT_BYTES;
    const keywordRank = view.getUint32(at + 12) || null;
    const vectorRank = view.getUint32(at + 16) || null;
    const rrfScore = [keywordRank, vectorRank].reduce<number>(
      (sum, rank) => sum + (rank === null ? 0 : 1 / (k + rank)),
      0,
    );
    return { articleId: view.getFloat64(at), score: view.getFloat32(at + 8), keywordRank, vectorRank, rrfScore };
  });
}
