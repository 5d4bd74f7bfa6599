import { expect, test } from "bun:test";
import type { KeyRecord, KeyUse } from "../../contract/keys.ts";
import { createKeyBook } from "./keys.ts";

const KEY: KeyRecord = { key_id: "k", hash: "aa", scopes: ["read"], rate_per_min: null, expires_at: null };

function book() {
  const state = { at: 0, loads: [] as (readonly KeyUse[])[], answer: async (): Promise<KeyRecord[]> => [KEY] };
  const made = createKeyBook(
    {
      load: (used) => {
        state.loads.push(used);
        return state.answer();
      },
    },
    { now: () => state.at },
  );
  return { state, made };
}

test("many requests ask the source once a second", async () => {
  const { state, made } = book();
  await Promise.all([made.find("aa"), made.hasReadKey(), made.find("bb")]);
  for (let i = 0; i < 100; i++) await made.find("aa");
  expect(state.loads).toHaveLength(1);
  state.at = 1_001;
  await made.find("aa");
  expect(state.loads).toHaveLength(2);
});

test("while the source is away, or silent, what was known holds", async () => {
  const { state, made } = book();
  await made.find("aa");
  state.at = 5_000;
  state.answer = () => Promise.reject(new Error("away"));
  expect(await made.find("aa")).toEqual(KEY);
  state.at = 10_000;
  state.answer = () => new Promise(() => undefined);
  const silent = made.find("aa");
  state.at = 11_000;
  expect(await made.find("aa")).toEqual(KEY);
  expect(await silent).toEqual(KEY);
});

test("the uses are told now and then, and told again when that failed", async () => {
  const { state, made } = book();
  await made.find("aa");
  state.at = 30_001;
  state.answer = () => Promise.reject(new Error("away"));
  await made.find("aa");
  expect(state.loads.at(-1)).toMatchObject([{ key_id: "k" }]);
  state.at = 32_000;
  state.answer = async () => [KEY];
  await made.find("aa");
  expect(state.loads.at(-1)).toMatchObject([{ key_id: "k" }]);
  state.at = 34_000;
  await made.find("aa");
  expect(state.loads.at(-1)).toEqual([]);
});
