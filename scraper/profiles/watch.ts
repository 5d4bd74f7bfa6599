import { watch } from "node:fs";
import type { Logger } from "@isnad/lib/service/process";
import type { Profiles } from "./profiles.ts";

/** Editors write a file in several steps; one reading for all of them is enough. In milliseconds. */
const QUIET_MS = 150;

/**
 * Reloads the profiles whenever a file of the folder changes; returns how to stop that. A folder that cannot be watched
 * is logged: its changes then wait for `POST /profiles/reload`.
 */
export function watchProfiles(
  profiles: Pick<Profiles, "reload">,
  { dir, logger, quietMs = QUIET_MS }: { dir: string; logger: Logger; quietMs?: number },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Whatever its name: mounted folders change by a link being moved.
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void profiles.reload(), quietMs);
  };
  const cannot = (error: unknown): void => logger.warn({ dir, err: error }, "the folder of profiles cannot be watched");
  try {
    const watcher = watch(dir, { persistent: false }, changed);
    watcher.on("error", cannot);
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch (error) {
    cannot(error);
    return () => {};
  }
}
