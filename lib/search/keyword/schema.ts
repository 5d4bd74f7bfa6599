import { ANALYSER_VERSION } from "../../text/index.ts";

/** Changes whenever an index written before could not be read or would be searched wrongly. */
export const INDEX_VERSION = `2/${ANALYSER_VERSION}`;

/** The tables, made in one transaction. */
export const SCHEMA = `
  create table meta (key text primary key, value text not null) without rowid;
  create table source (id integer primary key, key text not null unique, tier integer not null);
  create table doc (
    id integer primary key,
    source integer not null references source(id),
    lang text,
    category text,
    domain text not null,
    published integer
  );
  create virtual table words using fts5(
    title, content, title_roots, content_roots, content='', contentless_delete=1, tokenize="ascii tokenchars '~'"
  );
`;

/** Every table, in an order in which they can be dropped. */
export const TABLES = ["words", "doc", "source", "meta"] as const;
