import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { sourcesDisable, sourcesEnable, sourcesList, sourcesRemove } from "./list.ts";
import { planSync } from "./sync-sources.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
const { store, run, json } = bench;
afterAll(() => bench.close());

beforeEach(async () => {
  await store.sources.upsert(["a", "b"].map((key) => ({ key, provider: "rss", active: true })));
});

test("sources are switched off and on, several at once, and the list says so", async () => {
  expect(await run(sourcesDisable, ["a", "b", "a"])).toEqual({ code: 0, out: "a: disabled\nb: disabled\n", err: "" });
  expect([...(await store.sourceStates.off()).keys()]).toEqual(expect.arrayContaining(["a", "b"]));
  expect((await run(sourcesList, [])).out).toMatch(/\na +rss +- +3 +off /);
  expect((await json(sourcesList, [])).data).toMatchObject([
    { key: "a", active: false, off_since: expect.any(String) },
    {},
  ]);
  expect(await json(sourcesEnable, ["a"])).toEqual({ code: 0, data: { enabled: ["a"], unknown: [] } });
  expect(await store.sources.get("a")).toMatchObject({ active: true, offSince: null });
  expect(await store.sources.get("b")).toMatchObject({ active: false });
});

test("removed sources are gone, and their articles stay", async () => {
  const [id] = await admitItems(store, [testItem({ sourceId: "a" })]);
  expect(await json(sourcesRemove, ["a"])).toEqual({ code: 0, data: { removed: ["a"], unknown: [] } });
  expect(await store.sources.get("a")).toBeUndefined();
  expect(await store.articles.get(id ?? 0)).toMatchObject({ sourceId: "a" });
});

test("what there is not is exit code 1, and the others are done; a command without a key is wrong usage", async () => {
  for (const command of [sourcesDisable, sourcesEnable, sourcesRemove]) {
    const { code, out, err } = await run(command, ["nobody", "b"]);
    expect([code, err]).toEqual([1, "nobody: there is no such source\n"]);
    expect(out).toStartWith("b: ");
    expect((await run(command, [])).code).toBe(2);
    expect((await run(command, [" "])).code).toBe(2);
    expect((await run(command, ["--help"])).out).toContain("Usage: bun run sources:");
  }
});

test("a source that is off stays off when the profiles are compared", async () => {
  await run(sourcesDisable, ["a"]);
  await store.sources.upsert([{ key: "a", provider: "scraper-push" }]);
  const profile = {
    enabled: true,
    language: "ar",
    source: { id: "a", name: "A", tier: 3, homepage: "https://a.example/" },
  };
  const plan = planSync([Object(profile)], await store.sources.list());
  expect(plan.update).toMatchObject([{ input: { key: "a", active: false } }]);
});
