import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { profile, type ScraperSite, startScraperSite } from "../../workers/testing/sites.ts";
import { syncSources } from "./sync-sources.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
const { store, run, json } = bench;
const sql = new Bun.SQL(bench.databaseUrl, { max: 1 });
let site: ScraperSite;

beforeEach(async () => {
  site = startScraperSite();
  await sql`delete from sources`;
});
afterEach(() => site.stop());
afterAll(async () => {
  await sql.end();
  await bench.close();
});

const env = () => ({ SCRAPER_URL: site.url, SCRAPER_TOKEN: site.token });

test("every profile becomes a source that the scraper pushes, keyed as its articles are", async () => {
  site.profiles = [profile("alwatan"), profile("alfajr", { enabled: false, language: "en" })];
  const { code, out } = await run(syncSources, [], env());
  expect(code).toBe(0);
  expect(out).toContain("2 created, 0 updated, 0 unchanged");
  expect(await store.sources.list()).toMatchObject([
    { key: "alfajr-desk", provider: "scraper-push", language: "en", active: false },
    {
      key: "alwatan-desk",
      provider: "scraper-push",
      name: "The alwatan",
      homepage: "https://alwatan.example/",
      tier: 1,
      language: "ar",
      active: true,
    },
  ]);
  expect((await json(syncSources, [], env())).data).toMatchObject({
    created: [],
    updated: [],
    unchanged: { length: 2 },
  });
});

test("what differs is changed; a source that an article registered is adopted", async () => {
  await admitItems(store, [testItem({ sourceId: "alwatan-desk" })]);
  await store.sources.upsert([{ key: "alwatan-desk", name: "Old name" }]);
  site.profiles = [profile("alwatan")];
  const { data } = await json(syncSources, [], env());
  expect(data).toMatchObject({
    updated: [
      {
        key: "alwatan-desk",
        differences: expect.arrayContaining([
          { field: "provider", from: null, to: "scraper-push" },
          { field: "name", from: "Old name", to: "The alwatan" },
          { field: "tier", from: 3, to: 1 },
        ]),
      },
    ],
  });
  expect(await store.sources.get("alwatan-desk")).toMatchObject({ provider: "scraper-push", name: "The alwatan" });
});

test("--dry-run prints the differences and changes nothing", async () => {
  await store.sources.upsert([
    { key: "alwatan-desk", provider: "scraper-push", name: "The alwatan", tier: 2, language: "ar" },
    { key: "gone-desk", provider: "scraper-push" },
  ]);
  const before = await store.sources.list();
  site.profiles = [profile("alwatan"), profile("alfajr")];
  const { code, out } = await run(syncSources, ["--dry-run", "--prune"], env());
  expect(code).toBe(0);
  expect(out).toContain("+ alfajr-desk");
  expect(out).toContain("~ alwatan-desk  ");
  expect(out).toContain("tier 2 -> 1");
  expect(out).toContain("- gone-desk");
  expect(out).toContain("1 would be created, 1 would be updated, 0 unchanged, 1 would be pruned");
  expect(await store.sources.list()).toEqual(before);
});

test("--prune takes out of use only what came from the scraper: with articles it rests, without it goes", async () => {
  await store.sources.upsert([
    { key: "gone-idle", provider: "scraper-push" },
    { key: "gone-used", provider: "scraper-push", tier: 1 },
    { key: "a-feed", provider: "rss" },
    { key: "by-hand" },
  ]);
  await admitItems(store, [testItem({ sourceId: "gone-used" })]);
  site.profiles = [profile("alwatan")];
  expect((await run(syncSources, [], env())).out).toContain("2 without a profile");
  expect(await store.sources.get("gone-idle")).toBeDefined();
  const { data } = await json(syncSources, ["--prune"], env());
  expect(data).toMatchObject({ removed: ["gone-idle"], deactivated: ["gone-used"] });
  const left = (await store.sources.list()).map(({ key, active }) => [key, active]);
  expect(left).toEqual([
    ["a-feed", true],
    ["alwatan-desk", true],
    ["by-hand", true],
    ["gone-used", false],
  ]);
});

test("a source that was given another provider keeps it", async () => {
  await store.sources.upsert([{ key: "alwatan-desk", provider: "scraper", name: "Pulled" }]);
  site.profiles = [profile("alwatan")];
  const { data } = await json(syncSources, ["--prune"], env());
  expect(data).toMatchObject({ kept: [{ key: "alwatan-desk", provider: "scraper" }], updated: [], removed: [] });
  expect(await store.sources.get("alwatan-desk")).toMatchObject({ provider: "scraper", name: "Pulled" });
});

test("a source that was removed comes back only with --again, also where an article registered it since", async () => {
  site.profiles = [profile("alwatan"), profile("alfajr")];
  await run(syncSources, [], env());
  for (const key of ["alwatan-desk", "alfajr-desk"]) await store.sourceStates.remove(key);
  await admitItems(store, [testItem({ sourceId: "alfajr-desk" })]);
  const { out } = await run(syncSources, [], env());
  expect(out).toContain("= alwatan-desk  stays away: it was removed (--again brings it back)\n");
  expect((await json(syncSources, [], env())).data).toMatchObject({
    created: [],
    updated: [],
    removed_before: ["alwatan-desk", "alfajr-desk"],
  });
  expect(await store.sources.get("alwatan-desk")).toBeUndefined();
  expect([...(await store.sourceStates.off()).keys()].sort()).toEqual(["alfajr-desk", "alwatan-desk"]);
  expect((await run(syncSources, ["--again"], env())).out).toContain("1 created, 1 updated");
  expect((await store.sourceStates.off()).size).toBe(0);
});

test("an empty list prunes nothing, and a scraper that is away changes nothing", async () => {
  await store.sources.upsert([{ key: "kept", provider: "scraper-push" }]);
  const empty = await run(syncSources, ["--prune"], env());
  expect([empty.code, empty.err]).toEqual([
    1,
    "scraper:sync-sources: the scraper has no profiles: nothing is pruned by an empty list\n",
  ]);
  await site.stop();
  const away = await run(syncSources, ["--prune"], env());
  expect(away.code).toBe(1);
  expect(away.err).toContain("cannot be reached");
  expect(await store.sources.get("kept")).toBeDefined();
});
