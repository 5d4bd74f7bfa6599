import type { Sql } from "../client.ts";
import { codeOf } from "../errors.ts";

/** Which database this is, and the latest number given out to a change of chunks or to an event. */
export type Head = { database: string; seq: number };

/**
 * The head of the change log. `database` tells clusters, databases and tables apart (a restored backup has other ones):
 * what was read from another one, or beyond this `seq`, says nothing about this one.
 */
export async function changesHead(sql: Sql): Promise<Head> {
  const [row] = await sql<{ oid: string; seq: number }[]>`
    select concat(oid, '/', 'chunks'::regclass::oid) as oid, (select case when is_called then last_value else 0 end from change_seq)::float8 as seq
    from pg_database where datname = current_database()`;
  return { database: `${await cluster(sql)}/${row?.oid ?? ""}`, seq: row?.seq ?? 0 };
}

/** The cluster's identifier; "" where the role may not read it. */
async function cluster(sql: Sql): Promise<string> {
  try {
    const [row] = await sql<{ id: string }[]>`select system_identifier::text as id from pg_control_system()`;
    return row?.id ?? "";
  } catch (error) {
    if (codeOf(error) === "42501") return "";
    throw error;
  }
}
