import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { HostLimits, LeaseAnswer } from "../../web/egress/mod.ts";
import { testStore } from "../testing.ts";

describe("schedule", async () => {
  setDefaultTimeout(300_000);

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
});

describe("host leases", async () => {
  setDefaultTimeout(300_000);

  const { store, another, sql, close } = await testStore({ max: 16 });
  const [a, b] = [store.scraper.hostLeases, another().scraper.hostLeases];
  afterAll(close);

  let names = 0;

  const newHost = () => `host-${names++}.example:8080`;
  const waitOf = (answer: LeaseAnswer) => ("waitMs" in answer ? answer.waitMs : 0);

  /** Asks `times` times at once, through both pools in turn. Returns how many leases were given. */
  async function given(host: string, limits: HostLimits, times: number): Promise<number> {
    const asked = Array.from({ length: times }, (_, i) => (i % 2 === 0 ? a : b).acquire(host, limits, 60_000));
    return (await Promise.all(asked)).filter((answer) => "lease" in answer).length;
  }

  describe("leases of a host", () => {
    test("are given up to the number that the caller names, however many ask at once", async () => {
      for (let round = 0; round < 20; round++) {
        const host = newHost();
        expect(await given(host, { concurrency: 3, minDelayMs: 0 }, 30)).toBe(3);
        expect(await given(host, { concurrency: 5, minDelayMs: 0 }, 5)).toBe(2);
      }
    });

    test("are spaced from start to start, whether or not the first was given back", async () => {
      const host = newHost();
      const limits = { concurrency: 10, minDelayMs: 60_000 };
      expect(await given(host, limits, 30)).toBe(1);
      const wait = waitOf(await b.acquire(host, limits, 60_000));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60_000);
      await sql`delete from host_leases where host = ${host}`;
      expect(await given(host, limits, 3)).toBe(0);
      await sql`update host_turns set next_at = now() where host = ${host}`;
      expect(await given(host, limits, 30)).toBe(1);
    });

    test("given back are free for the next, and may be given back twice", async () => {
      const host = newHost();
      const limits = { concurrency: 1, minDelayMs: 0 };
      const answer = await a.acquire(host, limits, 60_000);
      expect(waitOf(await b.acquire(host, limits, 60_000))).toBeGreaterThan(0);
      if ("lease" in answer) {
        await b.release(answer.lease);
        await a.release(answer.lease);
      }
      expect(await given(host, limits, 4)).toBe(1);
    });

    test("end by themselves when their holder died", async () => {
      const host = newHost();
      const limits = { concurrency: 1, minDelayMs: 0 };
      expect(await a.acquire(host, limits, 60_000)).toHaveProperty("lease");
      await sql`update host_leases set lease_until = lease_until - interval '30 seconds' where host = ${host}`;
      expect(await given(host, limits, 4)).toBe(0);
      await sql`update host_leases set lease_until = lease_until - interval '30 seconds' where host = ${host}`;
      expect(await given(host, limits, 4)).toBe(1);
    });

    test("are not given while the host is deferred; the later of two ends counts", async () => {
      const host = newHost();
      await a.defer(host, 100_000);
      await b.defer(host, 1000);
      const wait = waitOf(await b.acquire(host, { concurrency: 1, minDelayMs: 0 }, 1000));
      expect(wait).toBeGreaterThan(50_000);
      expect(wait).toBeLessThanOrEqual(100_000);
      expect(await given(newHost(), { concurrency: 1, minDelayMs: 0 }, 1)).toBe(1);
    });

    test("are spaced as ever after the clock was set back", async () => {
      const [limits, deferred] = [{ concurrency: 2, minDelayMs: 60_000 }, newHost()];
      const host = newHost();
      expect(await given(host, limits, 1)).toBe(1);
      await a.defer(deferred, 100_000);
      await sql`update host_turns set next_at = next_at + interval '3 days', given_at = given_at + interval '3 days'`;
      for (const [name, wait] of [
        [host, 60_000],
        [deferred, 100_000],
      ] as const) {
        const first = waitOf(await b.acquire(name, limits, 60_000));
        expect(first).toBeGreaterThan(wait / 2);
        expect(first).toBeLessThanOrEqual(wait);
        expect(waitOf(await a.acquire(name, limits, 60_000))).toBeLessThanOrEqual(first);
      }
    });

    test("hold no transaction and no lock open", async () => {
      const host = newHost();
      expect(await a.acquire(host, { concurrency: 1, minDelayMs: 0 }, 60_000)).toHaveProperty("lease");
      const open = await sql`
      select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
      expect([...open]).toEqual([]);
      const rows = await sql`select from host_turns where host = ${host} for update nowait`;
      expect(rows).toHaveLength(1);
    });
  });
});
