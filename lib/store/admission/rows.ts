import { randomUUID } from "node:crypto";
import { type AdmissionItem, admittedFields, columnDefinition, columnOf, columnValue } from "../articles/columns.ts";
import { type Json, jsonText, storableReal, storableText } from "../json.ts";

/** The columns of `articles` that an item fills, as a list for `insert`. */
export const insertColumns = admittedFields.map(columnOf).join(", ");

/** The values of these columns, out of the rows of `itemRows`. */
export const insertValues = admittedFields.map(columnValue).join(", ");

/** All but the body, which travels by itself. */
const SHORT_FIELDS = admittedFields.filter((field) => field !== "content");

/**
 * The items as a table expression for a `from` clause, over the parameters that `itemParameters` makes: its columns are
 * `insertColumns`, with `content_hash` in hex, and `n`, the number of the item from 1.
 */
export const itemRows = `rows from (
    json_to_recordset($1::text::json) as (${SHORT_FIELDS.map(columnDefinition).join(", ")}),
    unnest(string_to_array($2::text, $3::text))
  ) with ordinality as item (${SHORT_FIELDS.map(columnOf).join(", ")}, content, n)`;

/**
 * The parameters of `itemRows`. The statement is the same whatever the number of items. Short fields travel as JSON;
 * bodies, which are costly to take out of JSON or of an array, as one text with a separator that nobody can guess. All
 * together costs what multi-row parameters cost.
 */
export function itemParameters(items: readonly AdmissionItem[]): [fields: string, contents: string, separator: string] {
  const separator = `\u001e${randomUUID()}\u001e`;
  const contents = items.map((item) => item.content).join(separator);
  return [jsonText(items.map(shortFields)), storableText(contents), separator];
}

/** Puts items into the order of their hashes, in which all requests store them: none waits for another crosswise. */
export function inOrder(items: readonly AdmissionItem[]): AdmissionItem[] {
  return [...items].sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1));
}

const SHORT_COLUMNS = SHORT_FIELDS.map((field) => ({ field, column: columnOf(field) }));

/** All fields but the body, under the names of their columns. What is left out becomes null. */
function shortFields(item: AdmissionItem): Record<string, Json> {
  const row: Record<string, Json> = {};
  for (const { field, column } of SHORT_COLUMNS) row[column] = item[field] ?? undefined;
  if (item.categoryConfidence !== null) row.category_confidence = storableReal(item.categoryConfidence);
  return row;
}
