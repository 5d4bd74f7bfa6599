import { ARTICLE_FILTER_FIELDS, isNumeric } from "../../contract/filters.ts";
import { ANALYSER_VERSION } from "../../text/index.ts";

/** A column for each field that filters look at, under the field's name. */
const COLUMNS = [...ARTICLE_FILTER_FIELDS].map(([field, type]) => `"${field}" ${isNumeric(type) ? "integer" : "text"}`);

/** Changes whenever an index written before could not be read or would be searched wrongly. */
export const INDEX_VERSION = `3/${ANALYSER_VERSION}/${COLUMNS.join()}`;

/** The tables, made in one transaction. */
export const SCHEMA = `
  create table meta (key text primary key, value text not null) without rowid;
  create table source ("sourceId" text primary key, tier integer not null) without rowid;
  create table doc (id integer primary key, ${COLUMNS.join()});
  create virtual table words using fts5(
    title, content, title_roots, content_roots, content='', contentless_delete=1, tokenize="ascii tokenchars '~'"
  );
`;

/** Every table, in an order in which they can be dropped. */
export const TABLES = ["words", "doc", "source", "meta"] as const;
