import type { SourceDays, VolumeVerdict } from "@isnad/lib/store";

/** Articles a day from which on a source is watched: of fewer, a day without any is chance. */
const MIN_USUAL = 8;

/** Weeks of which a source's usual day is made, at least. */
const MIN_WEEKS = 3;

/** Shares of the usual day: at most this is quiet, and from this on it is so no more. */
const QUIET = { from: 0.2, until: 0.5 };

/** Multiples of the usual day: from this on it has doubled, and below this it has no more. */
const DOUBLED = { from: 2, until: 1.5 };

/** Standard deviations (of rare events: the root of their count) by which a day that has doubled is above the usual. */
const DEVIATIONS = 4;

/**
 * Judges the last day of a source against its usual one: the median of the same 24 hours of the last weeks, which one
 * holiday or one day of great news does not move. It must lie outside of all of them, too. What is unusual stays so
 * until it is well back, so that a source at the edge does not flap.
 */
export function judgeVolume({ state, lastDay, before }: Omit<SourceDays, "key" | "name">): VolumeVerdict {
  if (before.length < MIN_WEEKS) return { state: "usual", usual: null };
  const usual = median(before);
  if (isDoubled(lastDay, usual, before)) return { state: "doubled", usual };
  if (isQuiet(lastDay, usual, before)) return { state: "quiet", usual };
  if (state === "quiet" && (lastDay === 0 || lastDay < usual * QUIET.until)) return { state, usual };
  if (state === "doubled" && lastDay >= usual * DOUBLED.until) return { state, usual };
  return { state: "usual", usual };
}

function isQuiet(lastDay: number, usual: number, before: readonly number[]): boolean {
  return usual >= MIN_USUAL && lastDay <= usual * QUIET.from && lastDay < Math.min(...before) / 2;
}

function isDoubled(lastDay: number, usual: number, before: readonly number[]): boolean {
  const least = Math.max(usual * DOUBLED.from, usual + DEVIATIONS * Math.sqrt(usual));
  return usual >= MIN_USUAL && lastDay >= least && lastDay > Math.max(...before);
}

function median(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.floor(sorted.length / 2)] ?? low;
  return (low + high) / 2;
}
