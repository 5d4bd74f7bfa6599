import { expect, test } from "bun:test";
import type { Source } from "../../store/mod.ts";
import { keepTiers } from "./tiers.ts";

function source(key: string, tier: number): Source {
  const none = { provider: null, feedUrl: null, homepage: null, language: null };
  return { key, name: key, tier, active: true, offSince: null, createdAt: "", updatedAt: "", ...none };
}

function setup(...first: Source[]) {
  let sources = first;
  let reads = 0;
  const told: [string, number][] = [];
  const list = async () => {
    reads++;
    return sources;
  };
  const set = async (key: string, tier: number) => {
    told.push([key, tier]);
  };
  const unused = {
    upsert: async () => [],
    get: async () => undefined,
    remove: async () => [],
    retire: async () => ({ removed: [], deactivated: [] }),
  };
  const tiers = keepTiers({ sources: { list, ...unused } }, { setTier: set });
  return {
    tiers,
    told,
    reads: () => reads,
    change: (...next: Source[]) => {
      sources = next;
    },
  };
}

test("the tiers are read once, and again at a refresh", async () => {
  const { tiers, reads, change } = setup(source("a", 1));
  await tiers.current();
  expect((await tiers.current()).get("a")).toBe(1);
  expect(reads()).toBe(1);
  change(source("a", 2), source("b", 3));
  await tiers.refresh();
  expect(Object.fromEntries(await tiers.current())).toEqual({ a: 2, b: 3 });
});

test("the keyword index is told of every tier once, then of changes alone", async () => {
  const { tiers, told, change } = setup(source("a", 1), source("b", 2));
  await tiers.refresh();
  await tiers.refresh();
  expect(told).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
  change(source("a", 1), source("b", 3));
  await tiers.refresh();
  expect(told.slice(2)).toEqual([["b", 3]]);
});
