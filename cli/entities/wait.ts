import { CommandError } from "@isnad/lib/service/cli";
import { pause } from "@isnad/lib/service/process";
import type { StageBacklog, Store } from "@isnad/lib/store";

const NO_BACKLOG = { waiting: 0, setAside: 0 };

/** How to wait for entities. */
export type EntityWaitOptions = {
  store: Pick<Store, "work">;
  /** How long nothing may move before the waiting is given up, in milliseconds. */
  patienceMs: number;
  signal: AbortSignal;
  onProgress?: (waiting: number) => void;
  everyMs?: number;
};

/**
 * Returns once no article waits for its entities. Throws CommandError when the number has not fallen for `patienceMs`.
 */
export async function waitForEntities(options: EntityWaitOptions): Promise<void> {
  const { store, patienceMs, signal, onProgress, everyMs = 250 } = options;
  let least = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const { waiting } = await entityBacklog(store);
    onProgress?.(waiting);
    if (waiting === 0) return;
    if (waiting < least) movedAt = performance.now();
    least = Math.min(least, waiting);
    if (performance.now() - movedAt > patienceMs) {
      const seconds = Math.round(patienceMs / 1000);
      throw new CommandError(
        `${waiting} articles wait for their entities, and none fewer for ${seconds} s: do the workers run?`,
      );
    }
    await pause(everyMs, signal);
  }
}

/** Returns how many articles wait for their entities, and how many were set aside. */
export async function entityBacklog({ work }: Pick<Store, "work">): Promise<Omit<StageBacklog, "stage">> {
  const { waiting, setAside } = (await work.backlog()).find(({ stage }) => stage === "entities") ?? NO_BACKLOG;
  return { waiting, setAside };
}
