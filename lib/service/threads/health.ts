import type { ThreadsState } from "./options.ts";

/** Threads by what they are for; undefined where there are none. */
export type ThreadStates = Readonly<Record<string, ThreadsState | undefined>>;

/** For health routes: throws when a thread does not run although it should, naming what it is for and why it ended. */
export function assertThreadsRun(states: ThreadStates): void {
  const failing = Object.entries(states).flatMap(([name, state]) =>
    state === undefined || state.failing === 0
      ? []
      : [`${name}: ${state.failing} of ${state.threads} failing after ${state.restarts} restarts, ${state.lastError}`],
  );
  if (failing.length > 0) throw new Error(failing.join("; "));
}
