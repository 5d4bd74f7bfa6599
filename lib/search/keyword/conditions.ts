import type { Filters } from "../filters.ts";

/** A condition on the tables `doc d` and `source s`, with the values of its parameters in order. */
export type Condition = { sql: string; values: (string | number)[] };

/** The conditions that the filters stand for; none for no filter. */
export function filterConditions(filters: Filters): Condition[] {
  const list: (Condition | undefined)[] = [
    equals("d.lang", filters.lang),
    equals("s.key", filters.source),
    equals("d.category", filters.category),
    equals("s.tier", filters.sourceTier),
    filters.domain === undefined ? undefined : withinDomain(filters.domain),
    filters.from === undefined ? undefined : { sql: "d.published >= ?", values: [filters.from] },
    filters.to === undefined ? undefined : { sql: "d.published <= ?", values: [filters.to] },
  ];
  return list.filter((condition) => condition !== undefined);
}

/** The condition that a column has a value. */
export function equals(column: string, value: string | number | undefined): Condition | undefined {
  return value === undefined ? undefined : { sql: `${column} = ?`, values: [value] };
}

function withinDomain(domain: string): Condition {
  return { sql: "(d.domain = ? or substr(d.domain, ?) = ?)", values: [domain, -domain.length - 1, `.${domain}`] };
}
