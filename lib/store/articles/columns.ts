import type { ArticleState } from "../../contract/mod.ts";
import type { Sql, Tx } from "../client.ts";
import type { Json } from "../values.ts";

/** A column of table `articles` whose values are `T`. */
type Column<T> = {
  /** Its type in Postgres, and in the rows of the admission. */
  readonly type: string;
  /** SQL that reads it, and that makes it out of a value of the admission; the column as it is when missing. */
  readonly read?: (column: string) => string;
  readonly write?: (column: string) => string;
  /** True when an admitted item fills it; the others are filled by the jobs or by Postgres. */
  readonly admitted: boolean;
  readonly value?: T;
};

type Extras = Pick<Column<unknown>, "read" | "write">;

const admitted = <T>(type: string, extras: Extras = {}): Column<T> & { readonly admitted: true } => ({
  type,
  ...extras,
  admitted: true,
});

const later = <T>(type: string, extras: Extras = {}): Column<T> & { readonly admitted: false } => ({
  type,
  ...extras,
  admitted: false,
});

/** Times are ISO 8601 in UTC. */
const time: Extras = { read: iso };

/** Hashes are hex. */
const hex: Extras = { read: (column) => `encode(${column}, 'hex')`, write: (column) => `decode(${column}, 'hex')` };

/** The columns of `articles`, under the names that {@link Article} gives them; the table has them in snake case. */
const COLUMNS = {
  articleId: later<number>("bigint"),
  docId: later<string>("uuid"),
  sourceId: admitted<string>("text"),
  externalId: admitted<string>("text"),
  url: admitted<string>("text"),
  canonicalUrl: admitted<string>("text"),
  /** Host of the canonical URL, in punycode. */
  domain: admitted<string>("text"),
  title: admitted<string>("text"),
  content: admitted<string>("text"),
  /** Some of its sentences, as it was indexed; null where none was made. */
  summary: later<string | null>("text"),
  contentHash: admitted<string>("text", hex),
  lang: admitted<string | null>("text"),
  publishedAt: admitted<string | null>("timestamptz", time),
  authors: admitted<string[]>("text[]"),
  images: admitted<string[]>("text[]"),
  raw: admitted<{ [key: string]: Json } | null>("jsonb"),
  categoryLabel: admitted<string | null>("text"),
  provider: admitted<string | null>("text"),
  categoryId: admitted<string | null>("text"),
  categorySource: admitted<string | null>("text"),
  categoryConfidence: admitted<number | null>("real"),
  taxonomyVersion: admitted<string | null>("text"),
  state: later<ArticleState>("text"),
  stateReason: later<string | null>("text"),
  queuedAt: later<string>("timestamptz", time),
  createdAt: later<string>("timestamptz", time),
  updatedAt: later<string>("timestamptz", time),
};

type Columns = typeof COLUMNS;

/** The name of an article's field. */
export type ArticleField = keyof Columns;

type ValueOf<C> = C extends Column<infer T> ? T : never;

type AdmittedField = { [F in ArticleField]: Columns[F]["admitted"] extends true ? F : never }[ArticleField];

/** An article as it is kept. */
export type Article = { [F in ArticleField]: ValueOf<Columns[F]> };

/** One valid, cleaned item as it is to be stored. Text without U+0000; times in years 0001 to 9999. */
export type AdmissionItem = Pick<Article, AdmittedField>;

/** Every field, in the order of `Article`. */
export const everyField = Object.keys(COLUMNS).filter((name): name is ArticleField => name in COLUMNS);

/** The fields that an admitted item fills. */
export const admittedFields = everyField.filter((field): field is AdmittedField => COLUMNS[field].admitted);

/** A timestamp as ISO 8601 in UTC with milliseconds. */
export function iso(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The name of a field's column. */
export function columnOf(field: ArticleField): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The name and type of a field's column in the rows of the admission. */
export function columnDefinition(field: ArticleField): string {
  return `${columnOf(field)} ${COLUMNS[field].type}`;
}

/** The value of a field's column, out of a row of the admission. */
export function columnValue(field: ArticleField): string {
  const { write }: Extras = COLUMNS[field];
  return write?.(columnOf(field)) ?? columnOf(field);
}

/** A select list of these fields of table `articles`; they are null where the condition `unless` holds. */
export function select(sql: Sql | Tx, fields: readonly ArticleField[], { unless }: { unless?: string } = {}) {
  const expression = (field: ArticleField): string => {
    const value = read(field, columnOf(field));
    return unless === undefined ? value : `case when ${unless} then null else ${value} end`;
  };
  return sql.unsafe(fields.map((field) => `${expression(field)} as "${field}"`).join(", "));
}

/** A JSON object of these columns of table `articles`, which goes by `alias`, under their own names. */
export function jsonObject(sql: Sql | Tx, columns: readonly string[], alias: string) {
  const fields = everyField.filter((field) => columns.includes(columnOf(field)));
  return sql.unsafe(
    `jsonb_build_object(${fields.map((field) => `'${columnOf(field)}', ${read(field, `${alias}.${columnOf(field)}`)}`).join(", ")})`,
  );
}

function read(field: ArticleField, column: string): string {
  const { read }: Extras = COLUMNS[field];
  return read?.(column) ?? column;
}
