import { UsageError } from "@isnad/lib/service/cli";
import { isObject, type Json } from "@isnad/lib/std";
import { COLUMNS, FIELDS, type Field } from "./item.ts";

/** A row of a file. */
export type Row = { [column: string]: Json };

/** How rows of a file become items: the columns of each field, and fields that are the same for every row. */
export type Mapping = {
  columns: Readonly<Record<Field, readonly string[]>>;
  constants: Partial<Record<Field, string>>;
};

/**
 * Reads `--map FIELD=COLUMN` (a dot reaches into an object) and `--set FIELD=VALUE` over the usual columns.
 * Throws UsageError.
 */
export function readMapping(maps: readonly string[], sets: readonly string[]): Mapping {
  const columns: Record<Field, readonly string[]> = { ...COLUMNS };
  for (const [field, column] of maps.map((entry) => pair("map", entry))) columns[field] = [column];
  const constants: Partial<Record<Field, string>> = {};
  for (const [field, value] of sets.map((entry) => pair("set", entry))) constants[field] = value;
  return { columns, constants };
}

function pair(option: string, entry: string): [Field, string] {
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(entry) ?? [];
  const field = FIELDS.find((known) => known === name);
  if (field === undefined || value === "") {
    throw new UsageError(
      `--${option} ${entry}: expected FIELD=${option === "map" ? "COLUMN" : "VALUE"} with one of ${FIELDS.join(", ")}`,
    );
  }
  return [field, value];
}

/** The value of a row's column; `a.b` reaches into an object when the row has no column of that very name. */
export function column(row: Row, name: string): Json {
  if (Object.hasOwn(row, name)) return row[name];
  let value: Json = row;
  for (const part of name.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** A field's value for this row: the constant, or the first of its columns that is not null or empty. */
export function fieldValue(row: Row, field: Field, mapping: Mapping): Json {
  const constant = mapping.constants[field];
  if (constant !== undefined) return constant;
  for (const name of mapping.columns[field]) {
    const value = column(row, name);
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return undefined;
}
