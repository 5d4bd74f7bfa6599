import type { Follower } from "./follow.ts";

/** Rejects until every index has held what the database held when its follower began, naming those that have not. */
export async function assertCaughtUp(followers: readonly Follower[]): Promise<void> {
  const late = followers.filter((follower) => !follower.status().caughtUp);
  if (late.length > 0) throw new Error(late.map(describe).join("; "));
}

/** Rejects while an index is not equal to the log, or does not follow it, naming those and why. */
export async function assertFollowing(followers: readonly Follower[]): Promise<void> {
  const others = followers.filter((follower) => isBehind(follower));
  if (others.length > 0) throw new Error(others.map(describe).join("; "));
}

/** Tells whether an index that this process feeds is being filled or healed, or cannot be written. */
export function isBehind(follower: Follower): boolean {
  const { leads, state } = follower.status();
  return leads && state !== "following";
}

function describe({ name, status }: Follower): string {
  const { state, reason, behind } = status();
  return `${name} is ${state}${behind > 0 ? `, ${behind} behind` : ""}${reason === null ? "" : ` (${reason})`}`;
}
