import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, testItem, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, close } = await testStore();
afterAll(close);

describe("sources", () => {
  test("are made with defaults and changed field by field", async () => {
    const [made] = await store.sources.upsert([
      { key: "bbc", name: "BBC", tier: 1, feedUrl: "https://bbc.example/rss" },
    ]);
    expect(made).toMatchObject({ key: "bbc", name: "BBC", tier: 1, active: true, provider: null, language: null });
    const [changed] = await store.sources.upsert([{ key: "bbc", provider: "rss", active: false }]);
    expect(changed).toMatchObject({
      name: "BBC",
      tier: 1,
      feedUrl: "https://bbc.example/rss",
      provider: "rss",
      active: false,
    });
    expect(Date.parse(changed?.updatedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(made?.updatedAt ?? ""));
  });

  test("are made many at once, also by two at the same time", async () => {
    const inputs = Array.from({ length: 20 }, (_, i) => ({ key: `many-${i}` }));
    await Promise.all([store.sources.upsert(inputs), store.sources.upsert(inputs.toReversed())]);
    const listed = (await store.sources.list()).filter((source) => source.key.startsWith("many-"));
    expect(listed).toHaveLength(20);
    expect(listed[0]).toMatchObject({ name: "many-0", tier: 3 });
    expect(await store.sources.upsert([])).toEqual([]);
  });

  test("of a tier that is none are refused", async () => {
    await expect(store.sources.upsert([{ key: "bad", tier: 4 }])).rejects.toMatchObject({ code: "23514" });
    expect(await store.sources.get("bad")).toBeUndefined();
  });

  test("are changed where they are, and not made by a change", async () => {
    await store.sources.upsert([{ key: "there", name: "There", tier: 2 }, { key: "gone" }]);
    expect(await store.sources.update({ key: "there", tier: 1 })).toBe(true);
    expect(await store.sources.get("there")).toMatchObject({ name: "There", tier: 1, provider: null, active: true });
    await store.sourceStates.remove("gone");
    expect(await store.sources.update({ key: "gone", name: "Back" })).toBe(false);
    expect(await store.sources.get("gone")).toBeUndefined();
    expect((await store.sourceStates.off()).get("gone")).toBe("removed");
  });

  test("taken out of use go when they have no articles, and only rest when they have some", async () => {
    await store.sources.upsert([{ key: "idle" }, { key: "used", tier: 1 }, { key: "other" }]);
    await admitItems(store, [testItem({ sourceId: "used" })]);
    const retired = await store.sources.retire(["idle", "used", "never-there"]);
    expect(retired).toEqual({ removed: ["idle"], deactivated: ["used"] });
    expect(await store.sources.get("idle")).toBeUndefined();
    expect(await store.sources.get("used")).toMatchObject({ active: false, tier: 1 });
    expect(await store.sources.get("other")).toMatchObject({ active: true });
    expect(await store.sources.retire(["used"])).toEqual({ removed: [], deactivated: [] });
  });
});
