import type { Lock } from "../../service/process/file-lock.ts";
import { errorMessage } from "../../std/mod.ts";
import { bringUp } from "./bring-up.ts";
import type { Layout } from "./layout.ts";
import { isAlive } from "./pidfile.ts";
import { lockStart } from "./start-lock.ts";

/** What the embedded Postgres needs of a logger; pino's fits. */
export type StoreLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

const LOOK_MS = 500;
const WAIT_AFTER_FAILURE_MS = 2_000;

/** Looks twice a second whether the server lives, and brings it back when it was killed, until it is stopped. */
export function watchServer(
  layout: Layout,
  settings: Record<string, string>,
  first: number,
  logger: StoreLogger | undefined,
): { stop(): Promise<void> } {
  let pid = first;
  let stopped = false;
  let notBefore = 0;
  let working: Promise<void> | undefined;

  const look = async () => {
    if (stopped || performance.now() < notBefore || isAlive(pid)) return;
    let starting: Lock | undefined;
    try {
      starting = await lockStart(layout);
      if (stopped) return;
      const startedAt = performance.now();
      ({ pid } = await bringUp(layout, settings));
      logger?.warn(
        { pid, took_ms: Math.round(performance.now() - startedAt) },
        "embedded Postgres had ended and was started again",
      );
    } catch (error) {
      const reason = errorMessage(error);
      logger?.error({ reason }, "embedded Postgres had ended and cannot be started");
      notBefore = performance.now() + WAIT_AFTER_FAILURE_MS;
    } finally {
      starting?.release();
    }
  };

  const timer = setInterval(() => {
    working ??= look().finally(() => {
      working = undefined;
    });
  }, LOOK_MS);
  timer.unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await working;
    },
  };
}
