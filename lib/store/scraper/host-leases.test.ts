import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { HostLimits, LeaseAnswer } from "../../web/egress/mod.ts";
import { testStore } from "../testing.ts";

setDefaultTimeout(60_000);

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
