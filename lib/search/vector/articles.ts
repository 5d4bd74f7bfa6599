import {
  ARTICLE_FILTER_FIELDS,
  type Filters,
  type FilterType,
  givenFilters,
  isNumeric,
} from "../../contract/filter-table.ts";
import type { ChunkCondition, ChunkField } from "../../contract/filters.ts";
import { at } from "../../std/mod.ts";
import {
  ARTICLE_FIELDS,
  type ArticleFields,
  CHUNK_COLUMNS,
  comparable,
  isUnfiltered,
  passes,
  testOf,
} from "../filters.ts";
import { type Column, type ColumnData, NumberColumn, TextColumn } from "./column.ts";
import { grown } from "./memory.ts";

/** The columns as they go into a snapshot, each under its field. */
export type ArticleColumns = { ids: Float64Array; fields: ReadonlyMap<string, ColumnData> };

/**
 * Articles under small numbers (ordinals), what filters look at in columns: about 50 bytes an article. The ordinal of a
 * removed article is given out again. A tier belongs to the source, so that it can change without touching articles.
 */
export class ArticleTable {
  readonly #ordinals = new Map<number, number>();
  readonly #free: number[] = [];
  readonly #sources = new TextColumn();
  readonly #columns: ReadonlyMap<string, Column> = new Map<string, Column>([
    ...[...ARTICLE_FILTER_FIELDS].map(([field, type]): [string, Column] => [field, columnOf(type)]),
    ["sourceId", this.#sources],
  ]);
  #count = 0;
  #ids: Float64Array = new Float64Array(0);
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
    return at(this.#ids, ordinal);
  }

  /** Up to `limit` ids above `after`, ascending. */
  idsAfter(after: number, limit: number): number[] {
    const ids = this.#ids.slice(0, this.#count).filter((id) => id > after);
    return Array.from(ids.sort().subarray(0, limit));
  }

  /** Adds the article or replaces its fields. Returns its ordinal. */
  put(articleId: number, fields: ArticleFields): number {
    const ordinal = this.#ordinals.get(articleId) ?? this.#free.pop() ?? this.#count++;
    this.#ordinals.set(articleId, ordinal);
    this.#ids = grown(this.#ids, this.#count, (length) => new Float64Array(length));
    this.#ids[ordinal] = articleId;
    for (const field of ARTICLE_FIELDS) {
      const column = this.#column(field);
      column.reserve(this.#ids.length);
      column.put(ordinal, comparable(fields, field));
    }
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
    const marked = this.#among(filters.articleIds);
    for (const { filter, wanted } of givenFilters(filters)) {
      if ("of" in filter) {
        const tierOf = (source: string) => this.#tiers.get(source) ?? null;
        this.#sources.keepAllowed(marked, (source) => passes(filter.kind, tierOf(source), wanted));
      } else this.#column(filter.field).keep(marked, filter.kind, wanted);
    }
    return marked;
  }

  /** 1 for each ordinal whose article meets the conditions, undefined when there are none. */
  meeting(conditions: readonly ChunkCondition[]): Uint8Array | undefined {
    if (conditions.length === 0) return undefined;
    const marked = new Uint8Array(this.#count).fill(1);
    for (const condition of conditions) {
      const test = testOf(condition);
      if (condition.is === "notIn") {
        const meets = new Uint8Array(this.#count).fill(1);
        this.#keep(meets, condition.field, test);
        for (let i = 0; i < marked.length; i++) if (meets[i] === 1) marked[i] = 0;
      } else this.#keep(marked, condition.field, test);
    }
    return marked;
  }

  /** 1 for each ordinal of these articles, for all where none are named. */
  #among(articleIds: Filters["articleIds"]): Uint8Array {
    const marked = new Uint8Array(this.#count).fill(articleIds === undefined ? 1 : 0);
    for (const id of articleIds ?? []) {
      const ordinal = this.#ordinals.get(id);
      if (ordinal !== undefined) marked[ordinal] = 1;
    }
    return marked;
  }

  /** Sets to 0 what has no value, or one that does not pass the test. */
  #keep(marked: Uint8Array, field: ChunkField, test: (value: string | number) => boolean): void {
    const column = CHUNK_COLUMNS[field];
    if (column !== undefined) {
      this.#column(column).keepAllowed(marked, test);
      return;
    }
    for (let i = 0; i < marked.length; i++) if (!test(at(this.#ids, i))) marked[i] = 0;
  }

  /** The table as it can be written to disk; the arrays are views. */
  columns(): ArticleColumns {
    return {
      ids: this.#ids.subarray(0, this.#count),
      fields: new Map(ARTICLE_FIELDS.map((field) => [field, this.#column(field).data(this.#count)])),
    };
  }

  /** Fills an empty table. Throws {@link RangeError} when a column is missing. */
  restore({ ids, fields }: ArticleColumns): void {
    for (const field of ARTICLE_FIELDS) {
      const data = fields.get(field);
      if (data === undefined) throw new RangeError(`there is no column ${field}`);
      this.#column(field).restore(data);
    }
    this.#count = ids.length;
    this.#ids = ids;
    for (let ordinal = 0; ordinal < this.#count; ordinal++) {
      const articleId = this.articleId(ordinal);
      if (articleId === 0) this.#free.push(ordinal);
      else this.#ordinals.set(articleId, ordinal);
    }
  }

  /** Bytes of the columns and, roughly, of the map over them. */
  bytes(): number {
    const columns = ARTICLE_FIELDS.map((field) => this.#column(field).data(this.#count).values.BYTES_PER_ELEMENT);
    return this.#ids.length * columns.reduce((sum, bytes) => sum + bytes, 8) + this.#ordinals.size * 40;
  }

  #column(field: string): Column {
    const column = this.#columns.get(field);
    if (column === undefined) throw new RangeError(`there is no column ${field}`);
    return column;
  }
}

function columnOf(type: FilterType): Column {
  return isNumeric(type) ? new NumberColumn() : new TextColumn();
}
