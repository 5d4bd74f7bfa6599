import type { Sql } from "../client.ts";
import { MAX_ATTEMPTS, unheld } from "../lease.ts";

/** Whether an article that never had entities is due, or in work. */
export async function newArticlesWait(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ waits: boolean }[]>`
    select exists (
      select from entity_work w
      where not again and due_at <= now() and (w.attempts < ${MAX_ATTEMPTS} or not ${unheld(sql)})) as waits`;
  return row?.waits ?? false;
}
