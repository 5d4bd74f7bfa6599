import { constants, getPriority, setPriority } from "node:os";
import { platform } from "node:process";

const LOW = constants.priority.PRIORITY_BELOW_NORMAL;

/** Lowers the priority of the calling thread, and of those that it starts from now on, where priorities are theirs. */
export function stepAside(): void {
  // A larger number goes later; who has one already may not be allowed to take a smaller one.
  if (platform === "linux" && getPriority() < LOW) setPriority(LOW);
}
