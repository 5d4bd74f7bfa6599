import { DEFAULT_MIN_SIMILARITY, filtersOf, SavedQuery } from "../../contract/mod.ts";
import type { NewMatch, WatchedSearch } from "../../store/mod.ts";
import { isUnfiltered, matchesFilters } from "../filters.ts";
import { type QueryNode, readQuery } from "../query-language/parse.ts";
import { at } from "../../std/mod.ts";
import { BLOCK, type CodeStore, createCodeStore, quantizeQuery, quantizeRow } from "../vector/codes.ts";
import type { Spellings, WatchedArticle } from "./across.ts";
import { conditionOf, type ConditionParts, oneWordOf, rarestOf } from "./condition.ts";

/** A saved search, ready to be matched. */
export type CompiledSearch = {
  searchId: number;
  changeNo: number;
  /** Terms of which an article that matches by word holds one; undefined: it may hold any. */
  anchors: readonly string[] | undefined;
  /** Tells whether an article matches by word, or by what else the search says where it names no words. */
  byWord(article: WatchedArticle): boolean;
  /** Tells whether an article may match by meaning, if it is near enough. */
  mayBeNear(article: WatchedArticle): boolean;
  /** The text that is searched by meaning; undefined where the search does not ask for that. */
  meaning: string | undefined;
  minSimilarity: number;
  /** The entities that it asks for. */
  entities: readonly string[];
  /** It asks for what is known of an article only some time after this has become searchable. */
  isLate: boolean;
};

/** Begins the anchors that are values of filters: no term begins with it. */
const VALUE = "\0";

/** The filters whose values are anchors, by how few articles share one. */
const ANCHORED = ["source", "category", "source_tier", "lang"] as const;

/** Returns the anchors that an article has by what filters look at. */
function valueAnchors({ sourceId, categoryId, tier, lang }: WatchedArticle): string[] {
  const values = { source: sourceId, category: categoryId, source_tier: tier, lang };
  return ANCHORED.flatMap((name) => {
    const value = values[name] ?? null;
    return value === null ? [] : [`${VALUE}${name}${VALUE}${value}`];
  });
}

const HAS_WORD = /[\p{L}\p{N}]/u;

/** Makes a saved search ready. @throws ZodError for a query that this version does not know */
export function compileSearch(saved: WatchedSearch, parts: ConditionParts): CompiledSearch {
  const query = SavedQuery.parse(saved.query);
  const read = readQuery(query.q ?? "", query.match);
  const filters = filtersOf(query);
  const unfiltered = isUnfiltered(filters);
  const passes = (article: WatchedArticle): boolean =>
    (unfiltered || matchesFilters(article, filters)) &&
    (query.claims === undefined || article.refuted) &&
    (query.entity === undefined || article.entityIds.has(parts.entityId(query.entity) ?? 0));
  const entities = [...(query.entity === undefined ? [] : [query.entity]), ...entitiesIn(read.condition)];
  const condition = read.condition && conditionOf(read.condition, parts);
  const required = read.required && conditionOf(read.required, parts);
  const hasWords = HAS_WORD.test(read.text);
  const words = hasWords ? oneWordOf(read.text, parts) : undefined;
  const named = ANCHORED.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [[`${VALUE}${name}${VALUE}${value}`]];
  });
  return {
    searchId: saved.searchId,
    changeNo: saved.changeNo,
    anchors: rarestOf([condition?.anchors, words?.anchors], parts.rarity) ?? named[0],
    byWord: (article) =>
      (query.mode !== "vector" || !hasWords) &&
      passes(article) &&
      (condition?.holds(article) ?? true) &&
      (words?.holds(article) ?? true),
    mayBeNear: (article) => passes(article) && (required?.holds(article) ?? true),
    meaning: hasWords && query.mode !== "bm25" ? read.text : undefined,
    minSimilarity: saved.minSimilarity ?? DEFAULT_MIN_SIMILARITY,
    entities,
    isLate: entities.length > 0 || query.claims !== undefined,
  };
}

/** Tells whether a saved query asks for an entity. */
export function asksForEntities(query: SavedQuery): boolean {
  return query.entity !== undefined || entitiesIn(readQuery(query.q ?? "", query.match).condition).length > 0;
}

function entitiesIn(node: QueryNode | undefined): string[] {
  if (node === undefined) return [];
  if (node.is === "field") return node.field === "entity" ? [node.text] : [];
  if (node.is === "not") return entitiesIn(node.of);
  return node.is === "all" || node.is === "any" ? node.of.flatMap(entitiesIn) : [];
}

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
