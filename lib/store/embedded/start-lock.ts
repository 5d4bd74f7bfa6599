import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lock, tryExclusive } from "../../service/process/file-lock.ts";
import { PostgresStartError } from "../errors.ts";
import { folderError, type Layout } from "./layout.ts";

/**
 * Takes the lock under which the server is started and stopped. Throws PostgresStartError, naming the process that has
 * it, when it is not free within `waitMs`.
 */
export async function lockStart(layout: Layout, waitMs = 60_000): Promise<Lock> {
  const holder = `${layout.startLock}.holder`;
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(layout);
    if (lock !== undefined) {
      // Only for the message below: on a full disk the server must still be stopped.
      await writeFile(holder, String(process.pid)).catch(() => undefined);
      return lock;
    }
    if (performance.now() > deadline) {
      const pid = await readFile(holder, "utf8").catch(() => "unknown");
      const message = `process ${pid} has been starting or stopping the embedded Postgres of ${layout.folder} for ${waitMs / 1000} s: end it if it hangs`;
      throw new PostgresStartError("EBUSY", message);
    }
    await sleep(20);
  }
}

function tryLock(layout: Layout): Lock | undefined {
  try {
    return tryExclusive(layout.startLock);
  } catch (error) {
    throw folderError(layout.folder, error);
  }
}
