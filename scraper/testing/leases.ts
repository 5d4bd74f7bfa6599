/**
 * Ends, by a statement, the leases of a process that was killed: what it had in hand is free at once, and not after
 * their time. The articles that it was visiting are free once its run is taken up.
 */
export async function endLeases(query: (statement: string) => PromiseLike<unknown>): Promise<void> {
  for (const table of ["scraper_runs", "scraper_items", "host_leases"]) {
    await query(`update ${table} set lease_until = now() where lease_until > now()`);
  }
}
