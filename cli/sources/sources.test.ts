import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { NO_PULL_COUNTS } from "@isnad/lib/store";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { feedKey } from "../../lib/ingest/admit.ts";
import { sourcesExport, sourcesImport, sourcesList } from "./list.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
const { store, run, json, dir } = bench;

beforeEach(async () => void (await store.sources.retire((await store.sources.list()).map(({ key }) => key))));
afterAll(() => bench.close());

const OPML = `<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
  <outline text="News"><outline type="rss" text="صحيفة الوطن" xmlUrl="https://www.alwatan.example/rss.xml" htmlUrl="https://www.alwatan.example/" language="ar"/>
  <outline type="rss" text="Sport" xmlUrl="https://www.alwatan.example/sport/rss.xml"/></outline>
  <outline type="rss" text="Elsewhere" xmlUrl="https://feeds.other.example/all"/>
  <outline type="rss" text="Wrong" xmlUrl="gopher://old.example/"/></body></opml>`;

async function file(name: string, text: string): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, text);
  return path;
}

test("the feeds of an OPML file become sources, with keys from their addresses", async () => {
  const { code, out, err } = await run(sourcesImport, [await file("a.opml", OPML)]);
  expect(code).toBe(0);
  expect(out).toContain("3 registered, 0 known, 1 passed over");
  expect(err).toContain("gopher://old.example/");
  expect(await store.sources.list()).toMatchObject([
    { key: "alwatan.example", provider: "rss", name: "صحيفة الوطن", language: "ar", active: true },
    { key: "alwatan.example-sport", name: "Sport", feedUrl: "https://www.alwatan.example/sport/rss.xml" },
    { key: "other.example", name: "Elsewhere" },
  ]);
});

test("imported again they are known: their keys, providers and states stay", async () => {
  const path = await file("b.opml", OPML);
  await store.sources.upsert([
    { key: "watan", provider: "rss", feedUrl: "https://www.alwatan.example/rss.xml", active: false, tier: 1 },
  ]);
  const { data } = await json(sourcesImport, [path]);
  expect(data).toMatchObject({ created: ["alwatan.example", "other.example"], updated: ["watan"] });
  expect(await store.sources.get("watan")).toMatchObject({ active: false, tier: 1, name: "صحيفة الوطن" });
  expect((await json(sourcesImport, [path])).data).toMatchObject({ created: [], updated: { length: 3 } });
});

test("--dry-run says what would be done and does nothing; --inactive registers without pulling", async () => {
  const path = await file("c.opml", OPML);
  expect((await run(sourcesImport, [path, "--dry-run"])).out).toContain("3 would be registered");
  expect(await store.sources.list()).toEqual([]);
  await run(sourcesImport, [path, "--inactive"]);
  expect((await store.sources.list()).map(({ active }) => active)).toEqual([false, false, false]);
});

test("what is exported comes back the same, keys, tiers, providers and states too", async () => {
  await store.sources.upsert([
    { key: "one", provider: "rss", name: "الأولى", feedUrl: "https://one.example/?a=1&b=2", tier: 1, language: "ar" },
    { key: "two", provider: "rss", name: 'Two & "three"', feedUrl: "https://two.example/f", active: false },
    { key: "no-feed", provider: "newsdata" },
  ]);
  const before = (await store.sources.list()).filter(({ feedUrl }) => feedUrl !== null);
  const path = join(dir, "out.opml");
  expect((await run(sourcesExport, ["--out", path])).out).toContain("2 feeds written");
  expect((await run(sourcesExport, [])).out).toContain(await readFile(path, "utf8").then((text) => text.slice(0, 60)));
  await store.sources.retire(["one", "two"]);
  expect((await run(sourcesImport, [path])).code).toBe(0);
  const plain = (sources: Awaited<ReturnType<typeof store.sources.list>>) =>
    sources.filter(({ feedUrl }) => feedUrl !== null).map(({ createdAt, updatedAt, ...rest }) => rest);
  expect(plain(await store.sources.list())).toEqual(plain(before));
});

test("a file that is not there, or is no OPML, or lists no feed, is exit code 1", async () => {
  expect((await run(sourcesImport, [join(dir, "nowhere.opml")])).err).toContain("cannot read");
  const html = await run(sourcesImport, [await file("page.opml", "<html><body>Hello</body></html>")]);
  expect(html.code).toBe(1);
  const empty = '<opml version="2.0"><head/><body/></opml>';
  expect((await run(sourcesImport, [await file("empty.opml", empty)])).code).toBe(1);
});

test("a file beyond 20 MB, or without an end, is exit code 1, and is read no further", async () => {
  for (const path of [await file("large.opml", OPML + " ".repeat(20_000_000)), "/dev/zero"]) {
    const { code, err } = await run(sourcesImport, [path]);
    expect(code).toBe(1);
    expect(err).toContain(`${path} is larger than 20000000 bytes`);
  }
  expect(await store.sources.list()).toEqual([]);
});

test("a compressed file, and one in another charset, are read as well", async () => {
  const path = join(dir, "mine.opml.gz");
  const old = OPML.replace('version="1.0"', 'version="1.0" encoding="iso-8859-1"').replace("Sport", "Sp\u00f6rt");
  await writeFile(path, gzipSync(Buffer.from(old.replace("صحيفة الوطن", "Paper"), "latin1")));
  expect((await run(sourcesImport, [path])).code).toBe(0);
  expect((await store.sources.list()).map(({ name }) => name)).toEqual(["Paper", "Sp\u00f6rt", "Elsewhere"]);
});

test("the list shows each source with its last pull, as a table and as data", async () => {
  await store.sources.upsert([
    { key: "with-pull", provider: "rss", name: "One", feedUrl: "https://one.example/f" },
    { key: "without", active: false },
  ]);
  const begun = await store.pulls.start(
    { sourceKey: "with-pull", provider: "rss", trigger: "cli" },
    { owner: "w", leaseS: 3_600 },
  );
  const runId = "run" in begun ? begun.run.runId : "";
  await store.pulls.finish(runId, "w", { status: "succeeded", counts: { ...NO_PULL_COUNTS, accepted: 2 } });
  const { out } = await run(sourcesList, []);
  expect(out).toMatch(/^KEY +PROVIDER +LANG +TIER +STATE +LAST PULL +NAME\n/);
  expect(out).toMatch(/\nwith-pull +rss +- +3 +active +succeeded \d{4}-\d\d-\d\d \d\d:\d\d +One\n/);
  const { data } = await json(sourcesList, ["--active"]);
  expect(data).toMatchObject([
    {
      key: "with-pull",
      feed_url: "https://one.example/f",
      last_pull: { run_id: runId, status: "succeeded", counts: { accepted: 2 } },
    },
  ]);
  expect((await json(sourcesList, ["--provider", "newsdata"])).data).toEqual([]);
});

test("keys made from addresses are short, and free", () => {
  const taken = new Set<string>();
  const take = (address: string) => {
    const key = feedKey(address, (free) => !taken.has(free));
    taken.add(key);
    return key;
  };
  expect(take("https://www.paper.example/rss.xml")).toBe("paper.example");
  expect(take("https://www.paper.example/world/rss.xml")).toBe("paper.example-world");
  expect(take("https://paper.example/world/rss?page=1")).toBe("paper.example-world-page-1");
  expect(take("https://rss.paper.example/world.xml?x")).toBe("paper.example-world-x");
  expect(take("https://paper.example/world.xml#1")).toBe("paper.example-world-2");
});
