import { at } from "../../std/mod.ts";
import type { NewMatch } from "../../store/mod.ts";
import { BLOCK, type CodeStore, createCodeStore } from "../vector/codes.ts";
import { quantizeQuery, quantizeRow } from "../vector/quantize.ts";
import type { Spellings } from "./across.ts";
import type { WatchedArticle } from "./article.ts";
import { type CompiledSearch, valueAnchors } from "./search.ts";

/**
 * Saved searches, held so that those that match an article are found without asking each: by a term that all its
 * matches hold, the rarest one, and by one product of the article's vectors with those of all searches.
 */
export class SearchIndex {
  readonly #dims: number;
  readonly #spellings: Spellings;
  readonly #slots: (CompiledSearch | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #slotOf = new Map<number, number>();
  /** The slots of the searches that an article may match which has a term. */
  readonly #postings = new Map<string, Set<number>>();
  /** Those of searches that any article may match. */
  readonly #unanchored = new Set<number>();
  readonly #codes: CodeStore;
  readonly #vectors = new Map<number, Float32Array>();
  #floor: number | undefined;

  /** `dims`: of the vectors of articles; 0 where there are none. */
  constructor(dims: number, spellings: Spellings) {
    this.#dims = dims;
    this.#spellings = spellings;
    this.#codes = createCodeStore(Math.max(1, dims));
  }

  get size(): number {
    return this.#slotOf.size;
  }

  /** Returns the numbers of all searches. */
  ids(): IterableIterator<number> {
    return this.#slotOf.keys();
  }

  get(searchId: number): CompiledSearch | undefined {
    return this.#slots[this.#slotOf.get(searchId) ?? -1];
  }

  /** Adds a search, in the place of that of the same number. Its vector is that which is given, of any length. */
  set(search: CompiledSearch, vector?: Float32Array): void {
    this.remove(search.searchId);
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = search;
    this.#slotOf.set(search.searchId, slot);
    if (search.anchors === undefined) this.#unanchored.add(slot);
    for (const anchor of search.anchors ?? []) {
      const slots = this.#postings.get(anchor);
      if (slots === undefined) this.#postings.set(anchor, new Set([slot]));
      else slots.add(slot);
    }
    if (search.meaning !== undefined && vector?.length === this.#dims) this.#setVector(slot, vector);
    else this.#codes.clear(slot);
  }

  #setVector(slot: number, vector: Float32Array): void {
    const codes = new Int8Array(this.#codes.width);
    const quantized = quantizeRow(vector, codes);
    if (quantized === undefined) {
      this.#codes.clear(slot);
      return;
    }
    const { scale, error, norm } = quantized;
    // float32 rounds the scale: a millionth covers that.
    this.#codes.write(slot, codes, { scale: scale / norm, error: error / norm + 1e-6 });
    this.#vectors.set(
      slot,
      vector.map((component) => component / norm),
    );
    this.#floor = undefined;
  }

  remove(searchId: number): void {
    const slot = this.#slotOf.get(searchId);
    if (slot === undefined) return;
    for (const anchor of this.#slots[slot]?.anchors ?? []) {
      const slots = this.#postings.get(anchor);
      slots?.delete(slot);
      if (slots?.size === 0) this.#postings.delete(anchor);
    }
    this.#unanchored.delete(slot);
    this.#codes.clear(slot);
    this.#vectors.delete(slot);
    this.#slots[slot] = undefined;
    this.#slotOf.delete(searchId);
    this.#free.push(slot);
    this.#floor = undefined;
  }

  /**
   * Returns the searches that an article matches. `vectors` are those of its passages. `known`: whether its entities
   * or claims are; the searches that ask for some are looked at then alone, and the others only before.
   */
  matches(article: WatchedArticle, vectors: readonly Float32Array[], { known = false } = {}): NewMatch[] {
    const { articleId } = article;
    this.#spellings.learn(article);
    const near = this.#near(article, vectors, known);
    const matches = Array.from(near, ([slot, similarity]): NewMatch => {
      return { searchId: at(this.#slots, slot)?.searchId ?? 0, articleId, similarity };
    });
    for (const slot of this.#candidates(article)) {
      const search = this.#slots[slot];
      if (search === undefined || near.has(slot) || search.isLate !== known) continue;
      if (search.byWord(article)) matches.push({ searchId: search.searchId, articleId, similarity: null });
    }
    return matches.sort((a, b) => a.searchId - b.searchId);
  }

  /** Returns the searches that an article may match by word. */
  #candidates(article: WatchedArticle): Set<number> {
    const slots = new Set(this.#unanchored);
    const add = (anchor: string): void => {
      for (const slot of this.#postings.get(anchor) ?? []) slots.add(slot);
    };
    for (const term of article.terms.keys()) {
      add(term);
      for (const { anchor } of this.#spellings.namesOf(term)) add(anchor);
    }
    valueAnchors(article).forEach(add);
    return slots;
  }

  /** Returns the searches that an article matches by meaning, with the cosine of its nearest passage. */
  #near(article: WatchedArticle, vectors: readonly Float32Array[], known: boolean): Map<number, number> {
    const near = new Map<number, number>();
    if (this.#vectors.size === 0) return near;
    this.#floor ??= this.#leastSimilarity();
    for (const vector of vectors) {
      const query = vector.length === this.#dims ? quantizeQuery(vector) : undefined;
      if (query === undefined) continue;
      for (let from = 0; from < this.#slots.length; from += BLOCK) {
        const to = Math.min(from + BLOCK, this.#slots.length);
        const found = this.#codes.scan({ from, to }, query, this.#floor);
        for (let i = 0; i < found.count; i++) {
          const slot = found.rows[i] ?? 0;
          const search = this.#slots[slot];
          if (search === undefined || (found.bounds[2 * i + 1] ?? 0) < search.minSimilarity) continue;
          if (search.isLate !== known || !search.mayBeNear(article)) continue;
          const similarity = dot(query.unit, this.#vectors.get(slot));
          if (similarity >= search.minSimilarity) near.set(slot, Math.max(similarity, near.get(slot) ?? -1));
        }
      }
    }
    return near;
  }

  #leastSimilarity(): number {
    let least = 1;
    for (const slot of this.#vectors.keys()) least = Math.min(least, this.#slots[slot]?.minSimilarity ?? 1);
    return least;
  }
}

function dot(a: Float64Array, b: Float32Array | undefined): number {
  if (b === undefined) return -1;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Articles after which the counts of terms are halved, so that what is rare now counts. */
const REMEMBERED = 4_096;

/** Counts how many of the latest articles hold each term. */
export class TermCounts {
  #counts = new Map<string, number>();
  #articles = 0;

  get articles(): number {
    return this.#articles;
  }

  readonly of = (term: string): number => this.#counts.get(term) ?? 0;

  add(terms: Iterable<string>): void {
    for (const term of terms) this.#counts.set(term, this.of(term) + 1);
    if (++this.#articles < REMEMBERED) return;
    this.#articles /= 2;
    const halves = Array.from(this.#counts, ([term, count]): [string, number] => [term, count / 2]);
    this.#counts = new Map(halves.filter(([, count]) => count >= 1));
  }
}
