import type { Sql, Tx } from "../client.ts";

/** Tables that are of a running stack alone: its processes' metrics, the requests under way, and those of a minute. */
export const LEFT_OUT = [
  "schema_migrations",
  "worker_metrics",
  "host_leases",
  "rate_limits",
  "write_probe",
  "followers",
];

/** A table with the columns that are stored (generated ones are not). */
export type TableColumns = { name: string; columns: string[] };

/** How texts of values are written, whatever the server's settings, so that every version of PostgreSQL reads them. */
export async function settleTexts(sql: Sql | Tx): Promise<void> {
  await sql`select set_config(name, value, true) from (values
    ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('bytea_output', 'hex'),
    ('extra_float_digits', '1'), ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0')) as s (name, value)`;
}

/** The tables of the platform in an order in which each comes after those that it refers to. */
export async function tablesInOrder(sql: Sql | Tx): Promise<TableColumns[]> {
  const tables = await sql<TableColumns[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all(${LEFT_OUT})
    group by c.relname order by c.relname`;
  const references = await sql<{ name: string; parent: string }[]>`
    select child.relname as name, parent.relname as parent
    from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace and k.conrelid <> k.confrelid`;
  return inOrder(tables, references);
}

/** Orders tables so that each comes after its parents. Throws when they refer to each other in a circle. */
export function inOrder(
  tables: readonly TableColumns[],
  references: readonly { name: string; parent: string }[],
): TableColumns[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: TableColumns[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ name }) => !references.some((reference) => reference.name === name && left.has(reference.parent)),
    );
    if (free.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(", ")}`);
    for (const table of free) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}

/** Where each sequence of the schema stands. Reading it after the rows gives numbers that none of them has passed. */
export async function sequences(sql: Sql | Tx): Promise<{ name: string; value: number; called: boolean }[]> {
  const names = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' order by c.relname`;
  const states: { name: string; value: number; called: boolean }[] = [];
  for (const { name } of names) {
    const [state] = await sql<{ value: number; called: boolean }[]>`
      select last_value as value, is_called as called from ${sql(name)}`;
    if (state !== undefined) states.push({ name, ...state });
  }
  return states;
}
