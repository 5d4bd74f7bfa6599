import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePostgres, migrate } from "@isnad/lib/store";

/** A database as `up` would make it, fsync and all, and how to do away with it. */
export async function durableDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "isnad-bench-"));
  const lease = await ensurePostgres({ dataDir });
  await migrate(lease.url);
  return {
    url: lease.url,
    drop: async () => {
      await lease.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
