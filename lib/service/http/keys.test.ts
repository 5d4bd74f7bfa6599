import { expect, test } from "bun:test";
import type { KeyRecord, KeyUse } from "../../contract/state-v1.ts";
import { createKeyBook, createRateLimit, createSharedRateLimit } from "./keys.ts";
import { AppError } from "./problem.ts";

const KEY: KeyRecord = { key_id: "k", hash: "aa", scopes: ["read"], rate_per_min: null, expires_at: null };

function book() {
  const state = {
    at: 0,
    loads: [] as (readonly KeyUse[])[],
    answer: async (): Promise<KeyRecord[]> => [KEY],
    later: [] as (() => unknown)[],
  };
  const made = createKeyBook(
    {
      load: (used) => {
        state.loads.push(used);
        return state.answer();
      },
    },
    { now: () => state.at, later: (tell) => state.later.push(tell) },
  );
  return { state, made };
}

test("the last use before a silence is told, too, until it could be", async () => {
  const { state, made } = book();
  await made.find("aa");
  await made.find("aa");
  expect(state.later).toHaveLength(1);
  state.answer = () => Promise.reject(new Error("away"));
  state.at = 30_000;
  await state.later.pop()?.();
  expect(state.later).toHaveLength(1);
  state.answer = async () => [KEY];
  state.at = 60_000;
  await state.later.pop()?.();
  expect(state.loads.map((uses) => uses.length)).toEqual([0, 1, 1]);
  expect(state.later).toHaveLength(0);
});

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

test("a client has so many requests in any minute, each client its own", () => {
  let at = 0;
  const count = createRateLimit(3, { now: () => at });
  const refusal = (client: string): string | undefined => {
    try {
      count(client);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect([error.slug, error.status]).toEqual(["rate-limit-exceeded", 429]);
      return error.headers["Retry-After"];
    }
  };
  for (at of [0, 10_000, 20_000]) expect(refusal("a")).toBeUndefined();
  at = 30_500;
  expect(refusal("a")).toBe("30");
  expect(refusal("b")).toBeUndefined();
  at = 59_999;
  expect(refusal("a")).toBe("1");
  at = 60_000;
  expect(refusal("a")).toBeUndefined();
  expect(refusal("a")).toBe("10");
});

test("where processes count together, that count holds; while it cannot be asked each one counts by itself", async () => {
  let together: number | undefined | Error;
  const count = createSharedRateLimit(1, {
    count: async () => {
      if (together instanceof Error) throw together;
      return together;
    },
    isAway: (error) => error instanceof Error && error.message === "away",
  });
  await count("a");
  await count("a");
  together = 7;
  await expect(count("a")).rejects.toMatchObject({ status: 429, headers: { "Retry-After": "7" } });
  together = new Error("away");
  await count("a");
  await expect(count("a")).rejects.toMatchObject({ status: 429 });
  together = new Error("a bug");
  await expect(count("b")).rejects.toThrow("a bug");
});
