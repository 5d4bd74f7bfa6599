import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { testStore } from "../testing.ts";

setDefaultTimeout(60_000);

const { store, another, close } = await testStore();
const stores = [store, another()];
afterAll(close);

/** Asks for a slot `times` times at once, in turn from each store. Returns how many got it. */
async function claims(profileId: string, slot: string, times: number): Promise<number> {
  const asked = Array.from({ length: times }, (_, i) =>
    stores[i % stores.length]?.scraper.schedule.claim(profileId, slot),
  );
  return (await Promise.all(asked)).filter((answer) => answer === true).length;
}

test("a slot goes to exactly one of many", async () => {
  expect(await claims("a", "2026-11-21T10:00:00Z", 20)).toBe(1);
  expect(await claims("a", "2026-11-21T10:15:00Z", 20)).toBe(1);
});

test("a slot that is over is given to nobody, and profiles do not hinder each other", async () => {
  expect(await claims("b", "2026-11-21T10:15:00Z", 1)).toBe(1);
  expect(await claims("b", "2026-11-21T10:00:00Z", 2)).toBe(0);
  expect(await claims("c", "2026-11-21T10:00:00Z", 2)).toBe(1);
});

test("a slot of a future that was a mistake gives way to the next one of the present, once", async () => {
  const now = Date.parse("2026-11-21T10:30:00Z");
  const claimAt = (slot: string, at: number) => store.scraper.schedule.claim("d", slot, at);
  expect(await claimAt("2036-11-21T10:00:00Z", now + 10 * 365 * 86_400_000)).toBe(true);
  expect(await claimAt("2026-11-21T11:00:00Z", now + 1_800_000)).toBe(true);
  expect(await claimAt("2026-11-21T11:00:00Z", now + 1_800_000)).toBe(false);
});

test("the slot of a machine whose clock is a little ahead is not claimed again", async () => {
  const slot = "2026-11-21T11:00:00Z";
  expect(await store.scraper.schedule.claim("e", slot, Date.parse(slot))).toBe(true);
  expect(await store.scraper.schedule.claim("e", "2026-11-21T10:58:00Z", Date.parse(slot) - 120_000)).toBe(false);
});
