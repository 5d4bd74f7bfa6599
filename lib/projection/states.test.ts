import { expect, test } from "bun:test";
import type { FollowerState } from "../store/mod.ts";
import { remoteCaughtUp } from "./states.ts";

const rows: { name: string; state: FollowerState }[] = [];
const store = { followers: { list: async () => rows } };

const set = (...all: [string, FollowerState][]) => {
  rows.length = 0;
  for (const [name, state] of all) rows.push({ name, state });
};

test("indexes that other processes feed are waited for until each was once equal to the log", async () => {
  set(["keyword@embedded", "following"], ["keyword@opensearch", "filling"]);
  const check = remoteCaughtUp(store, ["keyword@opensearch", "vectors@opensearch"]);
  await expect(check()).rejects.toThrow(
    "keyword@opensearch is filling; vectors@opensearch is not followed by any process",
  );
  set(["keyword@opensearch", "following"], ["vectors@opensearch", "filling"]);
  await expect(check()).rejects.toThrow(/^vectors@opensearch is filling$/);
  // The first one has held everything: that it is healed, or that nobody follows, makes no start of it.
  set(["keyword@opensearch", "healing"], ["vectors@opensearch", "following"]);
  await check();
  set();
  await check();
});

test("without remote engines nobody is asked", async () => {
  const silent = { followers: { list: () => Promise.reject(new Error("no database")) } };
  await remoteCaughtUp(silent, [])();
});
