import { Cron } from "croner";

/** When a profile is due. */
export type Due = { schedule: string; timezone: string };

/**
 * The first slot after `after` (ms since 1970), undefined when there is none. Where clocks are put forward, a slot at a
 * fixed time that does not exist comes right after the gap; where they are put back, it comes once.
 */
export function nextSlot(due: Due, after: number): number | undefined {
  return cronOf(due).nextRun(new Date(after))?.getTime();
}

/** The last slot at or before `until`. */
export function lastSlot(due: Due, until: number): number | undefined {
  // What croner gives is before its reference, in whole seconds.
  const reference = new Date((Math.floor(until / 1000) + 1) * 1000);
  return cronOf(due).previousRuns(1, reference)[0]?.getTime();
}

function cronOf({ schedule, timezone }: Due): Cron {
  return new Cron(schedule, { mode: "5-part", timezone });
}
