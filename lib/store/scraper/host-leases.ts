import type { Sql } from "../client.ts";
import { onceConnected, repeating } from "../transaction.ts";

/** How often and how many at once a host may be asked. */
type Limits = { readonly concurrency: number; readonly minDelayMs: number };

/** A permission to send one request to a host. */
type Lease = { readonly host: string; readonly id: string };

/**
 * The lease store of `@isnad/lib/web/egress` that all processes of one database share. Each operation is one short
 * statement on the database's clock; no lock is held while a request is under way. A lease that was never given back
 * ends after `holdMs`.
 */
export function hostLeases(sql: Sql) {
  return {
    acquire: (host: string, limits: Limits, holdMs: number) => onceConnected(() => acquire(sql, host, limits, holdMs)),
    release: ({ id }: Lease): Promise<void> =>
      repeating(async () => void (await sql`delete from host_leases where lease_id = ${id}`)),
    /** Nobody asks the host for that long. */
    defer: (host: string, forMs: number): Promise<void> =>
      repeating(
        async () =>
          void (await sql`
            insert into host_turns as t (host, next_at) values (${host}, now() + make_interval(secs => ${forMs / 1000}))
            on conflict (host) do update set next_at = greatest(t.next_at, excluded.next_at)`),
      ),
  };
}

async function acquire(
  sql: Sql,
  host: string,
  { concurrency, minDelayMs }: Limits,
  holdMs: number,
): Promise<{ lease: Lease } | { waitMs: number }> {
  const [answer] = await sql<{ given: string | null; waitMs: number | null }[]>`
    select given, wait_ms as "waitMs" from acquire_host_turn(${host}, ${concurrency}, ${minDelayMs}, ${holdMs})`;
  if (answer?.given != null) return { lease: { host, id: answer.given } };
  return { waitMs: answer?.waitMs ?? 0 };
}
