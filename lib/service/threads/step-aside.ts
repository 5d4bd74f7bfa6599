import { constants, getPriority, setPriority } from "node:os";
import { platform } from "node:process";

/** Whether a thread steps aside: true for those whose answers somebody waits for, `"idle"` for others like it, too. */
export type Background = boolean | "idle";

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/** Half the share of one in the background: the lowest priority of all would starve beside anything else. */
const PRIORITY_IDLE = PRIORITY_BELOW_NORMAL + 3;

/** Lowers the priority of the calling thread, and of those that it starts from now on, where priorities are theirs. */
export function stepAside(background: Background): void {
  if (background === false || platform !== "linux") return;
  const nice = background === "idle" ? PRIORITY_IDLE : PRIORITY_BELOW_NORMAL;
  // A larger number goes later; who has one already may not be allowed to take a smaller one.
  if (getPriority() < nice) setPriority(nice);
}
