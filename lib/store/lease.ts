import type { PendingQuery, Row } from "postgres";
import type { Sql, Tx } from "./client.ts";

/** A piece of a statement. */
export type Fragment = PendingQuery<Row[]>;

/**
 * Under which name rows are held (one that nobody else uses, new for each claim), and for how many seconds unless it is
 * renewed.
 */
export type Lease = { owner: string; leaseS: number };

/** Holds what was taken this often without an end is not taken again: it is what ends its process. */
export const MAX_ATTEMPTS = 5;

/**
 * A table whose rows are worked on by one owner at a time. All of them say so in the same columns: `lease_owner` and
 * `lease_until`, which are null or past while nobody holds the row, and `attempts`, how often it was taken.
 */
export type LeaseTable = {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** SQL over the row `w`: it is still to be worked on. */
  readonly open: string;
};

/** Says which rows to claim, over the row `w`. */
export type ClaimOptions = {
  /** Conditions beyond those of every claim, each with its `and`. */
  where?: Fragment;
  orderBy: string;
  limit: number;
  /** Rows that were taken this often are left out. Default: none are. */
  maxAttempts?: number;
  /** Further assignments, each with a comma before it. */
  set?: Fragment;
};

/**
 * Claims rows that nobody holds: two queries for a `with` clause, `free` (their keys, and `last_owner`, who held them
 * before) and `claimed` (the rows, `attempts` counting this one). No row goes to two owners, and nobody waits for
 * another's claim.
 */
export function claiming(sql: Sql | Tx, table: LeaseTable, lease: Lease, options: ClaimOptions): Fragment {
  const { where = sql``, orderBy, limit, maxAttempts, set = sql`` } = options;
  const keys = (of: string) => table.key.map((column) => `${of}.${column}`).join(", ");
  return sql`
    free as materialized (
      select ${sql.unsafe(keys("w"))}, w.lease_owner as last_owner from ${sql(table.name)} w
      where ${sql.unsafe(table.open)} and ${unheld(sql)}
        ${maxAttempts === undefined ? sql`` : sql`and w.attempts < ${maxAttempts}`} ${where}
      order by ${sql.unsafe(orderBy)} limit ${limit}
      for update skip locked
    ), claimed as (
      update ${sql(table.name)} w set ${hold(sql, lease)}, attempts = w.attempts + 1 ${set}
      from free where (${sql.unsafe(keys("w"))}) = (${sql.unsafe(keys("free"))})
      returning w.*
    )`;
}

/** Condition over the row `w`: nobody holds it. */
export function unheld(sql: Sql | Tx): Fragment {
  return sql`(w.lease_until is null or w.lease_until <= now())`;
}

/** Assignments of a row that is taken, or whose lease is renewed. */
export function hold(sql: Sql | Tx, { owner, leaseS }: Lease): Fragment {
  return sql`lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseS})`;
}

/** Assignments of a row that nobody holds any more. */
export function free(sql: Sql | Tx): Fragment {
  return sql`lease_owner = null, lease_until = null`;
}

/** Assignments of a row `w` that is given back as if it had not been taken. */
export function giveBack(sql: Sql | Tx): Fragment {
  return sql`${free(sql)}, attempts = greatest(w.attempts - 1, 0)`;
}

/** Renews the lease of what this owner holds. Returns how many rows: with 0 they are another's, or settled. */
export async function heartbeat(
  sql: Sql,
  table: LeaseTable,
  lease: Lease,
  { where = sql``, set = sql`` }: Pick<ClaimOptions, "where" | "set"> = {},
): Promise<number> {
  const result = await sql`
    update ${sql(table.name)} w set ${hold(sql, lease)} ${set}
    where w.lease_owner = ${lease.owner} and ${sql.unsafe(table.open)} ${where}`;
  return result.count;
}

/** Gives back all that this owner holds, as if it had not been taken. Returns how many rows. */
export async function release(sql: Sql, table: LeaseTable, owner: string): Promise<number> {
  const result = await sql`
    update ${sql(table.name)} w set ${giveBack(sql)}
    where w.lease_owner = ${owner} and ${sql.unsafe(table.open)}`;
  return result.count;
}
