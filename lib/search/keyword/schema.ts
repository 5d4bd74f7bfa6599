import { ARTICLE_FILTER_FIELDS, isNumeric } from "../../contract/filters.ts";
import { ANALYSER_VERSION } from "../../text/mod.ts";

/** A column for each field that filters look at, under the field's name. */
const COLUMNS = [...ARTICLE_FILTER_FIELDS].map(([field, type]) => `"${field}" ${isNumeric(type) ? "integer" : "text"}`);

/** Changes whenever an index written before could not be read or would be searched wrongly. */
export const INDEX_VERSION = `7/${ANALYSER_VERSION}/${COLUMNS.join()}`;

/**
 * The tables, made in one transaction. A document's row is written once and never changed: replaced or removed, it
 * makes place for another one, or for a row of `removed`, with the next number of the one sequence.
 *
 * `form` numbers the words as written, with the key of how each sounds, and `term` their stems and roots, both from 1,
 * `vocabulary` says which terms each form has, and `doc.words` are the forms of a document (see `document.ts`). What an
 * index of `form` or `term` repeats tells damage: rows and indexes are compared when they are first read.
 */
export const SCHEMA = `
  create table meta (key text primary key, value text not null) without rowid;
  create table source ("sourceId" text primary key, tier integer not null, checksum integer not null) without rowid;
  create table form (text text primary key, id integer not null, sound text) without rowid;
  create unique index form_id on form (id);
  create index form_sound on form (sound, id) where sound is not null;
  create table term (text text primary key, id integer not null) without rowid;
  create unique index term_id on term (id);
  create table vocabulary (first integer primary key, terms blob not null, checksum integer not null);
  create table doc (
    seq integer primary key, id integer not null unique, ${COLUMNS.join()}, words blob not null, checksum integer not null
  );
  create table removed (seq integer primary key, id integer not null);
`;

/** Every table, in an order in which they can be dropped; `words` is of older versions. */
export const TABLES = ["words", "removed", "doc", "vocabulary", "term", "form", "source", "meta"] as const;

/** A number kept in `meta`, each read and written in the transaction that changes it. */
export type Counter = "seq" | "forms" | "terms" | "tiers";
