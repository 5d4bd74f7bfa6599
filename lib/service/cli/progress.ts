import type { Sink } from "./command.ts";

/** A line that is redrawn in place; silent where the sink is no terminal. */
export type Progress = {
  /** `done` of `total` (unknown when undefined), with a few words after the bar. Draws at most ten times a second. */
  update(done: number, total: number | undefined, words: string): void;
  /** Clears the line, so that what is printed next starts at the margin. */
  clear(): void;
};

const CLEAR = "\r\u001B[2K";
const BAR = 24;
const INTERVAL_MS = 100;

/** A progress line on `sink`; `now` is the clock in milliseconds. */
export function createProgress(sink: Sink, now: () => number = () => performance.now()): Progress {
  if (sink.isTTY !== true) return { update() {}, clear() {} };
  let drawnAt = Number.NEGATIVE_INFINITY;
  let shown = false;
  return {
    update(done, total, words) {
      const time = now();
      if (time - drawnAt < INTERVAL_MS && done !== total) return;
      drawnAt = time;
      shown = true;
      sink.write(CLEAR + bar(done, total, words).slice(0, (sink.columns ?? 80) - 1));
    },
    clear() {
      if (shown) sink.write(CLEAR);
      shown = false;
      drawnAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** One progress line: bar and per cent when `total` is known, else the count alone. */
export function bar(done: number, total: number | undefined, words: string): string {
  if (total === undefined || total <= 0) return words;
  const share = Math.min(1, Math.max(0, done / total));
  const full = Math.floor(share * BAR);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${"#".repeat(full)}${".".repeat(BAR - full)}] ${percent}%  ${words}`;
}
