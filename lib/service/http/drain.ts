/** What is kept of the past at each completion: some fifty of them count. */
const KEPT = 0.98;

/** Completions that tell anything, at the least. */
const FEWEST = 2;

/** How fast work is done while there is always some waiting; measured anew whenever some begins to wait. */
export type Drain = {
  /** Something waits from now on, while `inWork` requests are worked on. */
  busy(inWork: number): void;
  /** `cost` units are done; `waiting` tells whether something waits still. */
  done(cost: number, options: { waiting: boolean }): void;
  /** Something else took the time since the last completion: it does not count. */
  skip(): void;
  /**
   * Milliseconds a unit, over all that is done at the same time, rather too few than too many: what was done so far is
   * but a sample. 0 as long as nothing is known.
   */
  msPerUnit(): number;
};

/**
 * Makes it. The time between completions is divided by what was completed in it, so that it does not matter how much is
 * done at a time. The first completion only starts the clock: it took as long as all that was done beside it.
 */
export function createDrain(now: () => number): Drain {
  let isBusy = false;
  let since: number | undefined;
  let ms = 0;
  let units = 0;
  let completions = 0;
  let atOnce = 0;
  let before = 0;
  return {
    busy(inWork) {
      if (isBusy) return;
      isBusy = true;
      since = undefined;
      ms = 0;
      units = 0;
      completions = 0;
      atOnce = inWork;
    },
    done(cost, { waiting }) {
      if (!isBusy) return;
      const at = now();
      if (since !== undefined) {
        ms = ms * KEPT + (at - since);
        units = units * KEPT + cost;
        completions += 1;
      }
      since = at;
      isBusy = waiting;
    },
    skip() {
      since = undefined;
    },
    msPerUnit() {
      // What was found the last time counts half until as much is known as half of what is done at a time tells.
      if (completions < Math.max(FEWEST, atOnce / 2)) return before / 2;
      before = ms / units;
      return before / (1 + atOnce / completions);
    },
  };
}
