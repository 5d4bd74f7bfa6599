import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Registry } from "prom-client";
import { instruments } from "../process/metrics.ts";
import { errorMessage } from "../../std/mod.ts";
import { refusalOf } from "../process/run-main.ts";
import type { Logger } from "../process/logger.ts";
import { type Dependency, DependencyFailure } from "./health.ts";

/** With less than this nothing is written any more, in bytes. */
const MIN_FREE_BYTES = 64_000_000;

/** Why the database takes no writes, as the metric names it. */
const REASONS = ["read-only", "locked", "full", "away"] as const;
type Reason = (typeof REASONS)[number];

/** Describes what tells whether a service can write. */
export type WritesOptions = {
  /** Rejects with the database's own error when it takes no writes. */
  store: { ping(): Promise<void>; checkWrites(): Promise<void> };
  dataDir: string;
  logger: Logger;
  metrics: Registry;
};

/**
 * Makes the dependencies of a service that writes: the database, without which nothing is served, its readiness to
 * write, and room on the disk of the data folder. The reason is shown by health, logged when it changes, and a metric.
 */
export function writesHealth({ store, dataDir, logger, metrics }: WritesOptions): Record<string, Dependency> {
  let current: Reason | undefined;
  const tell = (reason: Reason | undefined, error?: unknown): void => {
    if (reason === current) return;
    current = reason;
    if (reason === undefined) logger.info("the database takes writes again");
    else logger.error({ reason, detail: errorMessage(error) }, "the database takes no writes");
  };
  const checkWrites = async (): Promise<void> => {
    try {
      await store.checkWrites();
      tell(undefined);
    } catch (error) {
      const reason = refusalOf(error) ?? "away";
      tell(reason, error);
      throw new DependencyFailure(reason, `the database takes no writes: ${errorMessage(error)}`, { cause: error });
    }
  };
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(nearestFolder(dataDir));
    return bavail * bsize;
  };
  let isLow = false;
  const checkDisk = async (): Promise<void> => {
    const free = await freeBytes();
    const wasLow = isLow;
    isLow = free < MIN_FREE_BYTES;
    if (!isLow) return;
    if (!wasLow) logger.error({ free_bytes: free }, "the disk of the data folder is full");
    throw new DependencyFailure("full", `${free} bytes are left on the disk of the data folder`);
  };
  addGauges(metrics, {
    freeBytes,
    reason: () =>
      checkWrites().then(
        () => undefined,
        () => current,
      ),
  });
  return {
    database: { check: () => store.ping(), critical: true },
    writes: { check: checkWrites, critical: false, readiness: true },
    disk: { check: checkDisk, critical: false, readiness: true },
  };
}

/** Returns the folder, or the nearest above it that there is: it is made when something is first kept in it. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function addGauges(
  metrics: Registry,
  { freeBytes, reason }: { freeBytes(): Promise<number>; reason(): Promise<Reason | undefined> },
): void {
  const { gauge } = instruments(metrics);
  gauge(
    "database_refuses_writes",
    "1 while the database takes no writes, by reason: read-only, locked, full, away.",
    ["reason"],
    {
      aggregator: "max",
      async collect() {
        const current = await reason();
        for (const each of REASONS) this.set({ reason: each }, Number(each === current));
      },
    },
  );
  gauge("disk_free_bytes", "Bytes left on the disk of the data folder.", [], {
    aggregator: "min",
    async collect() {
      this.set(await freeBytes());
    },
  });
}
