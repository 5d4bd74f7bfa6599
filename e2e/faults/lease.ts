import { setTimeout as sleep } from "node:timers/promises";
import { ensurePostgres, isUnavailable, type PostgresLease } from "@isnad/lib/store";

/** The embedded database of a stack under trial, which may have been killed a moment ago. */
export async function leaseDatabase(dataDir: string): Promise<PostgresLease> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ensurePostgres({ dataDir });
    } catch (error) {
      if (attempt === 50 || !isUnavailable(error)) throw error;
      await sleep(100);
    }
  }
}
