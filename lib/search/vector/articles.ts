import { type Filters, isUnfiltered, withinDomain } from "../filters.ts";
import { Dictionary } from "./dictionary.ts";
import { grown } from "./grow.ts";

/** What filters look at, of an article. `publishedAt` in ms since 1970. */
export type ArticleFields = {
  lang: string | null;
  sourceId: string;
  categoryId: string | null;
  domain: string;
  publishedAt: number | null;
};

/** The columns as they go into a snapshot. */
export type ArticleColumns = {
  ids: Float64Array;
  lang: Uint32Array;
  source: Uint32Array;
  category: Uint32Array;
  domain: Uint32Array;
  published: Float64Array;
  words: { lang: readonly string[]; source: readonly string[]; category: readonly string[]; domain: readonly string[] };
};

const ints = (length: number): Uint32Array => new Uint32Array(length);
const doubles = (length: number): Float64Array => new Float64Array(length);

/**
 * Articles under small numbers (ordinals), their fields in columns: 40 bytes an article. The ordinal of a removed article is
 * given out again. A tier belongs to the source, so that it can change without touching articles.
 */
export class ArticleTable {
  readonly #ordinals = new Map<number, number>();
  readonly #free: number[] = [];
  #count = 0;
  #ids: Float64Array = doubles(0);
  #lang: Uint32Array = ints(0);
  #source: Uint32Array = ints(0);
  #category: Uint32Array = ints(0);
  #domain: Uint32Array = ints(0);
  #published: Float64Array = doubles(0);
  readonly #words = {
    lang: new Dictionary(),
    source: new Dictionary(),
    category: new Dictionary(),
    domain: new Dictionary(),
  };
  #tiers: ReadonlyMap<string, number> = new Map();

  /** Articles present. */
  get size(): number {
    return this.#ordinals.size;
  }

  /** One more than the largest ordinal given out so far. */
  get capacity(): number {
    return this.#count;
  }

  /** The tier of each source, by `source_id`. */
  setTiers(tiers: ReadonlyMap<string, number>): void {
    this.#tiers = tiers;
  }

  ordinal(articleId: number): number | undefined {
    return this.#ordinals.get(articleId);
  }

  articleId(ordinal: number): number {
    return this.#ids[ordinal] ?? 0;
  }

  /** Adds the article or replaces its fields. Returns its ordinal. */
  put(articleId: number, fields: ArticleFields): number {
    const ordinal = this.#ordinals.get(articleId) ?? this.#free.pop() ?? this.#count++;
    this.#ordinals.set(articleId, ordinal);
    this.#reserve(this.#count);
    this.#ids[ordinal] = articleId;
    this.#lang[ordinal] = this.#words.lang.code(fields.lang);
    this.#source[ordinal] = this.#words.source.code(fields.sourceId);
    this.#category[ordinal] = this.#words.category.code(fields.categoryId);
    this.#domain[ordinal] = this.#words.domain.code(fields.domain);
    this.#published[ordinal] = fields.publishedAt ?? Number.NaN;
    return ordinal;
  }

  remove(ordinal: number): void {
    this.#ordinals.delete(this.articleId(ordinal));
    this.#ids[ordinal] = 0;
    this.#free.push(ordinal);
  }

  /** 1 for each ordinal whose article passes the filters, undefined when there is nothing to filter by. */
  matching(filters: Filters): Uint8Array | undefined {
    if (isUnfiltered(filters)) return undefined;
    const passes = new Uint8Array(this.#count).fill(1);
    const keep = (column: Uint32Array, wanted: Uint8Array) => {
      for (let i = 0; i < passes.length; i++) if (wanted[column[i] ?? 0] === 0) passes[i] = 0;
    };
    const { lang, source, category, domain } = this.#words;
    if (filters.lang !== undefined)
      keep(
        this.#lang,
        codesWhere(lang, (word) => word === filters.lang),
      );
    if (filters.source !== undefined)
      keep(
        this.#source,
        codesWhere(source, (word) => word === filters.source),
      );
    if (filters.category !== undefined)
      keep(
        this.#category,
        codesWhere(category, (word) => word === filters.category),
      );
    const { domain: within, sourceTier: tier, from, to } = filters;
    if (within !== undefined)
      keep(
        this.#domain,
        codesWhere(domain, (host) => withinDomain(host, within)),
      );
    if (tier !== undefined)
      keep(
        this.#source,
        codesWhere(source, (key) => this.#tiers.get(key) === tier),
      );
    // NaN, an article without a date, passes neither comparison.
    const published = this.#published;
    if (from !== undefined) for (let i = 0; i < passes.length; i++) if (!((published[i] ?? 0) >= from)) passes[i] = 0;
    if (to !== undefined) for (let i = 0; i < passes.length; i++) if (!((published[i] ?? 0) <= to)) passes[i] = 0;
    return passes;
  }

  /** The table as it can be written to disk; the arrays are views. */
  columns(): ArticleColumns {
    const { lang, source, category, domain } = this.#words;
    return {
      ids: this.#ids.subarray(0, this.#count),
      lang: this.#lang.subarray(0, this.#count),
      source: this.#source.subarray(0, this.#count),
      category: this.#category.subarray(0, this.#count),
      domain: this.#domain.subarray(0, this.#count),
      published: this.#published.subarray(0, this.#count),
      words: { lang: lang.values(), source: source.values(), category: category.values(), domain: domain.values() },
    };
  }

  /** Fills an empty table. */
  restore(columns: ArticleColumns): void {
    for (const field of ["lang", "source", "category", "domain"] as const) {
      for (const word of columns.words[field]) this.#words[field].code(word);
    }
    this.#count = columns.ids.length;
    this.#ids = columns.ids;
    this.#lang = columns.lang;
    this.#source = columns.source;
    this.#category = columns.category;
    this.#domain = columns.domain;
    this.#published = columns.published;
    for (let ordinal = 0; ordinal < this.#count; ordinal++) {
      const articleId = this.articleId(ordinal);
      if (articleId === 0) this.#free.push(ordinal);
      else this.#ordinals.set(articleId, ordinal);
    }
  }

  /** Bytes of the columns and, roughly, of the map over them. */
  bytes(): number {
    return this.#ids.length * 40 + this.#ordinals.size * 40;
  }

  #reserve(length: number): void {
    if (length <= this.#ids.length) return;
    this.#ids = grown(this.#ids, length, doubles);
    this.#lang = grown(this.#lang, length, ints);
    this.#source = grown(this.#source, length, ints);
    this.#category = grown(this.#category, length, ints);
    this.#domain = grown(this.#domain, length, ints);
    this.#published = grown(this.#published, length, doubles);
  }
}

/** 1 for each code whose word is wanted; code 0, no word, never is. */
function codesWhere(words: Dictionary, wanted: (word: string) => boolean): Uint8Array {
  const values = words.values();
  const codes = new Uint8Array(values.length + 1);
  for (let i = 0; i < values.length; i++) if (wanted(values[i] ?? "")) codes[i + 1] = 1;
  return codes;
}
