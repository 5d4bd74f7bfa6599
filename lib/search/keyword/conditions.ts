import { type FilterKind, type Filters, givenFilters } from "../../contract/filters.ts";

/** A part of a statement, with the values of its parameters in order. */
export type Sql = { sql: string; values: (string | number)[] };

/** A condition on a table: `doc d`, or `source s`. */
export type Condition = Sql & { on: "doc" | "source" };

/** A column of one of these tables. */
export type Column = { on: "doc" | "source"; name: string };

/** The conditions that the filters stand for; none for no filter. */
export function filterConditions(filters: Filters): Condition[] {
  const conditions = givenFilters(filters).map(({ filter, wanted }) =>
    conditionOf(filter.kind, columnOf(filter), wanted),
  );
  return filters.articleIds === undefined ? conditions : [...conditions, among(filters.articleIds)];
}

/** The plus keeps SQLite from asking the index of words once for each id. */
function among(ids: readonly number[]): Condition {
  return { on: "doc", sql: "+d.id in (select value from json_each(?))", values: [JSON.stringify(ids)] };
}

function conditionOf(kind: FilterKind, column: Column, wanted: string | number): Condition {
  switch (kind) {
    case "equals":
      return equals(column, wanted);
    case "within":
      return within(column, String(wanted));
    case "atLeast":
      return { on: column.on, sql: `${column.name} >= ?`, values: [wanted] };
    case "atMost":
      return { on: column.on, sql: `${column.name} <= ?`, values: [wanted] };
  }
}

/** The column that a filter looks at. */
export function columnOf({ field, of }: { field: string; of?: "source" }): Column {
  return of === "source" ? { on: "source", name: `s."${field}"` } : { on: "doc", name: `d."${field}"` };
}

/** The condition that a column has a value. */
export function equals({ on, name }: Column, value: string | number): Condition {
  return { on, sql: `${name} = ?`, values: [value] };
}

function within({ on, name }: Column, host: string): Condition {
  return { on, sql: `(${name} = ? or substr(${name}, ?) = ?)`, values: [host, -host.length - 1, `.${host}`] };
}
