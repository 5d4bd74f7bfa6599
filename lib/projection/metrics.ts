import { Gauge, type Registry } from "../service/process/mod.ts";
import type { Follower } from "./follow.ts";

const STATES = ["filling", "healing", "following", "failing"] as const;

/** Registers how the followers of this process stand, read when the metrics are. */
export function followerMetrics(metrics: Registry, followers: readonly Follower[]): void {
  const registers = [metrics];
  new Gauge({
    name: "projection_state",
    help: "1 for what each follower does: it fills its index, heals it, follows the log, or fails.",
    labelNames: ["follower", "state"],
    registers,
    collect() {
      for (const { name, status } of followers) {
        for (const state of STATES) this.set({ follower: name, state }, status().state === state ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: "projection_behind",
    help: "Numbers of the log that a follower has not followed yet.",
    labelNames: ["follower"],
    registers,
    collect() {
      for (const { name, status } of followers) this.set({ follower: name }, status().behind);
    },
  });
  new Gauge({
    name: "projection_resets",
    help: "How often an index was found to be of no use or of another history since the start of its process.",
    labelNames: ["follower"],
    registers,
    collect() {
      for (const { name, status } of followers) this.set({ follower: name }, status().resets);
    },
  });
}
