import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Store } from "../store.ts";
import { newItem, scrapedItem, testStore } from "../testing.ts";
import type { ItemFilter, PendingItem } from "./items.ts";

describe("items", async () => {
  setDefaultTimeout(300_000);

  const { store, another, sql, close } = await testStore();
  const [a, b] = [store.scraper, another().scraper];
  afterAll(close);

  let names = 0;

  const newProfile = () => `profile-${names++}`;

  const stateOf = async (profile: string, id: string) =>
    (await b.items.get(profile, `https://desk.example/${id}`))?.state;

  /** Sends everything that is to be sent, each item with this outcome. Returns the titles, in order. */
  async function deliver(profileId: string, state: "sent" | "conflict" = "sent"): Promise<string[]> {
    const items = await a.items.pending({ profileId, limit: 100, owner: "sender", leaseS: 60 });
    await a.items.settle(items.map(({ id, revision }) => ({ id, revision, state, articleId: 1 })));
    return items.map(({ item }) => item.title);
  }

  describe("keeping", () => {
    test("gives back what was kept", async () => {
      const profile = newProfile();
      const runId = Bun.randomUUIDv7();
      const item = scrapedItem("1", { content: "قبل\u0000 بعد", details: { authors: [1, null], text: '"\\u0000"' } });
      expect(await a.items.keep(newItem(profile, "1", { runId, item }))).toBe("new");
      expect(await b.items.get(profile, item.url)).toEqual({
        id: expect.any(Number),
        profileId: profile,
        runId,
        url: item.url,
        item: { ...item, content: "قبل بعد" },
        contentHash: "hash of 1",
        revision: 1,
        state: "pending",
        articleId: null,
        reason: null,
        keptAt: expect.stringMatching(/^\d{4}-.*Z$/),
        goneAt: null,
      });
      expect(await b.items.get(newProfile(), item.url)).toBeUndefined();
    });

    test("an article that is gone is to be reported once, and again when it is back", async () => {
      const profile = newProfile();
      const { url } = newItem(profile, "1");
      expect(await a.items.markGone(profile, url)).toBe(false);
      await a.items.keep(newItem(profile, "1"));
      // The platform does not know of it yet.
      expect(await a.items.markGone(profile, url)).toBe(false);
      await deliver(profile);
      expect(await a.items.markGone(profile, url)).toBe(true);
      expect(await b.items.markGone(profile, url)).toBe(false);
      expect(await b.items.get(profile, url)).toMatchObject({ state: "pending", goneAt: expect.any(String) });
      await deliver(profile);
      expect(await a.items.keep(newItem(profile, "1"))).toBe("changed");
      expect(await b.items.get(profile, url)).toMatchObject({ state: "pending", goneAt: null, revision: 2 });
      await deliver(profile);
      expect(await a.items.keep(newItem(profile, "1"))).toBe("unchanged");
    });

    test("does not send unchanged content again, and sends changed content", async () => {
      const profile = newProfile();
      await a.items.keep(newItem(profile, "1"));
      expect(await deliver(profile)).toEqual(["عنوان 1"]);
      expect(await a.items.keep(newItem(profile, "1"))).toBe("unchanged");
      expect(await deliver(profile)).toEqual([]);
      const item = scrapedItem("1", { title: "changed" });
      expect(await a.items.keep(newItem(profile, "1", { item, contentHash: "other" }))).toBe("changed");
      expect(await deliver(profile, "conflict")).toEqual(["changed"]);
      expect(await stateOf(profile, "1")).toBe("conflict");
    });

    test("keeps one item once, however many keep it at once through two pools", async () => {
      const profile = newProfile();
      const keep = (store: Store["scraper"]) => store.items.keep(newItem(profile, "1"));
      const outcomes = await Promise.all(Array.from({ length: 16 }, (_, i) => keep(i % 2 === 0 ? a : b)));
      expect(outcomes.filter((outcome) => outcome === "new")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "unchanged")).toHaveLength(15);
      expect(await deliver(profile)).toHaveLength(1);
    });

    test("without delivery is not sent, until the same is kept with it", async () => {
      const profile = newProfile();
      expect(await a.items.keep(newItem(profile, "1", { deliver: false }))).toBe("new");
      expect(await a.items.keep(newItem(profile, "1", { deliver: false }))).toBe("unchanged");
      expect(await stateOf(profile, "1")).toBe("kept");
      expect(await deliver(profile)).toEqual([]);
      expect(await a.items.keep(newItem(profile, "1"))).toBe("new");
      expect(await deliver(profile)).toEqual(["عنوان 1"]);
    });

    test("without delivery takes nothing back that is still to be sent", async () => {
      const profile = newProfile();
      await a.items.keep(newItem(profile, "1"));
      await a.items.keep(newItem(profile, "1", { deliver: false }));
      const item = scrapedItem("1", { title: "changed" });
      await a.items.keep(newItem(profile, "1", { item, contentHash: "other", deliver: false }));
      expect(await deliver(profile)).toEqual(["changed"]);
    });

    test("counts by profile and state, and by run", async () => {
      const profile = newProfile();
      const runId = Bun.randomUUIDv7();
      for (const id of ["1", "2", "3"]) await a.items.keep(newItem(profile, id, { runId }));
      await a.items.keep(newItem(profile, "4", { deliver: false }));
      const [first] = await a.items.pending({ profileId: profile, limit: 1, owner: "o", leaseS: 60 });
      await a.items.settle([{ id: first?.id ?? 0, revision: 1, state: "duplicate" }]);
      expect((await b.items.counts()).filter((row) => row.profileId === profile)).toEqual([
        { profileId: profile, state: "duplicate", count: 1 },
        { profileId: profile, state: "kept", count: 1 },
        { profileId: profile, state: "pending", count: 2 },
      ]);
      const none = { kept: 0, pending: 0, sent: 0, duplicate: 0, conflict: 0, failed: 0 };
      expect(await b.items.countsOfRun(runId)).toEqual({ ...none, duplicate: 1, pending: 2 });
      expect(await b.items.countsOfRun("no run")).toEqual(none);
    });
  });

  describe("finding", () => {
    const titles = async (filter: Omit<ItemFilter, "limit">) =>
      (await b.items.find({ limit: 100, ...filter })).map(({ item }) => item.id);

    test("filters by profile, run and time, bounds included; newest first", async () => {
      const [profile, other] = [newProfile(), newProfile()];
      const [first, second] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
      await a.items.keep(newItem(profile, "1", { runId: first }));
      await a.items.keep(newItem(other, "2", { runId: second }));
      await a.items.keep(newItem(profile, "3", { runId: second, deliver: false }));
      expect(await titles({ profileId: profile })).toEqual(["3", "1"]);
      expect(await titles({ runId: second })).toEqual(["3", "2"]);
      expect(await titles({ profileId: profile, runId: second })).toEqual(["3"]);
      expect(await titles({ runId: "none" })).toEqual([]);
      await sql`update scraper_items set kept_at = '2026-01-02T00:00:00Z' where profile_id = ${profile} and item_id = '1'`;
      expect(await titles({ profileId: profile, until: "2026-01-02T00:00:00Z" })).toEqual(["1"]);
      expect(await titles({ profileId: profile, since: "2026-01-02T00:00:00.001Z" })).toEqual(["3"]);
      expect(await titles({ profileId: profile, since: "2026-01-02T00:00:00Z" })).toEqual(["3", "1"]);
    });

    test("goes page by page over what was there, whatever is added or changed meanwhile", async () => {
      const profile = newProfile();
      const ids = Array.from({ length: 7 }, (_, i) => String(i));
      for (const id of ids) await a.items.keep(newItem(profile, id));
      const found: string[] = [];
      for (let afterId: number | undefined; ; ) {
        const page = await b.items.find({ profileId: profile, limit: 3, ...(afterId !== undefined && { afterId }) });
        if (page.length === 0) break;
        found.push(...page.map(({ item }) => item.id));
        afterId = page.at(-1)?.id;
        await a.items.keep(newItem(profile, `added after ${found.length}`));
        await a.items.keep(newItem(profile, "0", { contentHash: `changed after ${found.length}` }));
      }
      expect(found).toEqual(ids.toReversed());
    });
  });

  test("pruning drops what is over and old, and nothing that is still to be done", async () => {
    const profile = newProfile();
    for (const id of ["1", "2", "3"]) {
      const url = `https://desk.example/${id}`;
      await a.frontier.discover(null, profile, [{ url, entry: {}, category: null, stamp: "" }]);
      if (id !== "3") await a.items.keep(newItem(profile, id));
    }
    const [first] = await a.items.pending({ profileId: profile, limit: 1, owner: "o", leaseS: 60 });
    await a.items.settle([{ id: first?.id ?? 0, revision: 1, state: "sent" }]);
    await a.runs.create({ profileId: profile, provider: "rss", trigger: "api" });
    const nothing = { runs: 0, items: 0, frontier: 0 };
    expect(await a.prune({ olderThanS: 3600 })).toEqual(nothing);
    await sql`update scraper_items set kept_at = now() - interval '2 hours' where profile_id = ${profile}`;
    await sql`update scraper_frontier set settled_at = settled_at - interval '2 hours' where profile_id = ${profile}`;
    expect(await a.prune({ olderThanS: 3600 })).toEqual({ runs: 0, items: 1, frontier: 2 });
    const run = await a.runs.claim("o", { leaseS: 60, profileIds: [profile] });
    const { counts = undefined, runId = "" } = run ?? {};
    if (counts !== undefined) await a.runs.finish(runId, "o", { status: "succeeded", counts });
    await sql`update scraper_runs set finished_at = now() - interval '2 hours' where run_id = ${runId}`;
    expect(await a.prune({ olderThanS: 3600 })).toEqual({ ...nothing, runs: 1 });
    expect(await b.items.find({ profileId: profile, limit: 5 })).toMatchObject([
      { item: { id: "2" }, state: "pending" },
    ]);
  });
});

describe("delivery", async () => {
  setDefaultTimeout(300_000);

  const { store, another, sql, close } = await testStore();
  const [a, b] = [store.scraper, another().scraper];
  afterAll(close);

  let names = 0;

  /** A profile of its own with items 1 to `count` to be sent. */
  async function profileWith(count: number, runId: string | null = null): Promise<string> {
    const profileId = `profile-${names++}`;
    for (let n = 1; n <= count; n++) await a.items.keep(newItem(profileId, String(n), { runId }));
    return profileId;
  }

  const pending = (profileId: string, limit = 100) => a.items.pending({ profileId, limit, owner: "o", leaseS: 600 });
  const namesOf = (items: readonly PendingItem[]) => items.map(({ item }) => item.id);
  const found = async (profileId: string) =>
    (await b.items.find({ profileId, limit: 100 })).map(({ item, state, articleId, reason }) => ({
      id: item.id,
      state,
      articleId,
      reason,
    }));

  test("items are handed out oldest first, whole, of the profile or run that is asked for", async () => {
    const runId = Bun.randomUUIDv7();
    const profile = await profileWith(3, runId);
    await profileWith(1);
    const first = await pending(profile, 2);
    expect(namesOf(first)).toEqual(["1", "2"]);
    expect(first[0]).toMatchObject({
      item: scrapedItem("1"),
      revision: 1,
      attempts: 0,
      runId,
      contentHash: "hash of 1",
    });
    expect(namesOf(await a.items.pending({ runId, limit: 9, owner: "o", leaseS: 600 }))).toEqual(["3"]);
  });

  test("an item is handed out to one sender at a time", async () => {
    const profile = await profileWith(40);
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 === 0 ? a : b).items.pending({ profileId: profile, limit: 4, owner: `o${i}`, leaseS: 600 }),
      ),
    );
    const ids = [...taken.flat(), ...(await pending(profile))].map(({ id }) => id);
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
    expect(await pending(profile)).toEqual([]);
  });

  test("what a sender took with it into death is handed out again", async () => {
    const profile = await profileWith(1);
    expect(await pending(profile)).toMatchObject([{ attempts: 0 }]);
    await sql`update scraper_items set lease_until = lease_until - interval '10 minutes' where profile_id = ${profile}`;
    expect(await pending(profile)).toMatchObject([{ attempts: 1 }]);
  });

  test("each item keeps what became of it; one given back is handed out again in its time", async () => {
    const profile = await profileWith(6);
    const items = await pending(profile);
    const ends = [
      { state: "sent", articleId: 11 },
      { state: "duplicate", articleId: 12 },
      { state: "conflict", articleId: 13 },
      { state: "failed", reason: "content-too-short\u0000" },
      { state: "pending", reason: "status 503", delayS: 3600 },
      { state: "pending" },
    ] as const;
    await a.items.settle(
      items.flatMap(({ id, revision }, i) => ends.slice(i, i + 1).map((end) => ({ id, revision, ...end }))),
    );
    await a.items.settle([]);
    expect((await found(profile)).toReversed()).toEqual([
      { id: "1", state: "sent", articleId: 11, reason: null },
      { id: "2", state: "duplicate", articleId: 12, reason: null },
      { id: "3", state: "conflict", articleId: 13, reason: null },
      { id: "4", state: "failed", articleId: null, reason: "content-too-short" },
      { id: "5", state: "pending", articleId: null, reason: "status 503" },
      { id: "6", state: "pending", articleId: null, reason: null },
    ]);
    expect(namesOf(await pending(profile))).toEqual(["6"]);
  });

  test("what is settled stays so, whoever comes late", async () => {
    const profile = await profileWith(1);
    const [item] = await pending(profile);
    const { id = 0, revision = 0 } = item ?? {};
    await a.items.settle([{ id, revision, state: "sent", articleId: 5 }]);
    await b.items.settle([{ id, revision, state: "pending" }]);
    await b.items.settle([{ id, revision, state: "failed", reason: "late" }]);
    expect(await found(profile)).toEqual([{ id: "1", state: "sent", articleId: 5, reason: null }]);
  });

  test("content that changes while the old is being sent waits for its end, and is then sent itself", async () => {
    const profile = await profileWith(1);
    const [old] = await pending(profile);
    await b.items.keep(newItem(profile, "1", { contentHash: "other", item: scrapedItem("1", { title: "changed" }) }));
    expect(await pending(profile)).toEqual([]);
    await a.items.settle([{ id: old?.id ?? 0, revision: old?.revision ?? 0, state: "sent", articleId: 9 }]);
    const [next] = await pending(profile);
    expect(next).toMatchObject({ item: { title: "changed" }, revision: 2, articleId: 9 });
    await a.items.settle([{ id: next?.id ?? 0, revision: next?.revision ?? 0, state: "conflict" }]);
    expect(await found(profile)).toEqual([{ id: "1", state: "conflict", articleId: 9, reason: null }]);
  });
});
