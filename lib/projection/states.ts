import { instruments, type Registry } from "../service/process/mod.ts";
import type { FollowerFacts } from "../store/mod.ts";
import type { Follower } from "./follow.ts";

/** Rejects until every index has held what the database held when its follower began, naming those that have not. */
export async function assertCaughtUp(followers: readonly Follower[]): Promise<void> {
  const late = followers.filter((follower) => !follower.status().caughtUp);
  if (late.length > 0) throw new Error(late.map(describe).join("; "));
}

/**
 * Makes a check that rejects until each of the followers with these names, which other processes run, was once equal to
 * the log: the indexes that they feed have held what the database held.
 */
export function remoteCaughtUp(
  store: { followers: { list(): Promise<Pick<FollowerFacts, "name" | "state">[]> } },
  names: readonly string[],
): () => Promise<void> {
  const late = new Set(names);
  return async () => {
    if (late.size === 0) return;
    const states = new Map((await store.followers.list()).map(({ name, state }) => [name, state]));
    for (const name of late) if (states.get(name) === "following") late.delete(name);
    const waiting = Array.from(late, (name) => `${name} is ${states.get(name) ?? "not followed by any process"}`);
    if (waiting.length > 0) throw new Error(waiting.join("; "));
  };
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

const STATES = ["filling", "healing", "following", "failing"] as const;

/** Registers how the followers of this process stand, read when the metrics are. */
export function followerMetrics(metrics: Registry, followers: readonly Follower[]): void {
  const { gauge } = instruments(metrics);
  gauge(
    "projection_state",
    "1 for what each follower does: it fills its index, heals it, follows the log, or fails.",
    ["follower", "state"],
    {
      collect() {
        for (const { name, status } of followers) {
          for (const state of STATES) this.set({ follower: name, state }, status().state === state ? 1 : 0);
        }
      },
    },
  );
  gauge("projection_behind", "Numbers of the log that a follower has not followed yet.", ["follower"], {
    collect() {
      for (const { name, status } of followers) this.set({ follower: name }, status().behind);
    },
  });
  gauge(
    "projection_resets",
    "How often an index was found to be of no use or of another history since the start of its process.",
    ["follower"],
    {
      collect() {
        for (const { name, status } of followers) this.set({ follower: name }, status().resets);
      },
    },
  );
}
