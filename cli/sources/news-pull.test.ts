import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { type NewsdataSite, newsdataResult, startNewsdataSite } from "../../workers/testing/sites.ts";
import { newsPull } from "./pull.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
const { store, run, json } = bench;
let site: NewsdataSite;

beforeEach(() => {
  site = startNewsdataSite();
});
afterEach(() => site.stop());
afterAll(() => bench.close());

const env = () => ({ NEWSDATA_BASE_URL: site.url, NEWSDATA_API_KEY: site.key });

test("the latest news are pulled at once, under a source that is registered for it and not pulled regularly", async () => {
  site.results = [newsdataResult(1), newsdataResult(2)];
  const { code, out, err } = await run(newsPull, ["--provider", "newsdata", "--mode", "latest"], env());
  expect([code, err]).toEqual([0, ""]);
  expect(out).toBe("newsdata: succeeded, 2 items: 2 new, 0 known, 0 changed at the source, 0 refused\n");
  expect(await store.sources.get("newsdata")).toMatchObject({ provider: "newsdata", active: false });
});

test("the archive takes query, language, country, category, dates and a limit", async () => {
  site.results = Array.from({ length: 5 }, (_, n) => newsdataResult(n));
  site.pageSize = 2;
  const argv = [
    "--mode",
    "archive",
    "--query",
    "report",
    "--language",
    "ar,en",
    "--country",
    "jo",
    "--category",
    "business",
  ];
  const dates = ["--from", "2025-11-01", "--to", "2025-11-30", "--max", "3", "--source", "water-2025"];
  const { code, data } = await json(newsPull, [...argv, ...dates], env());
  expect([code, data]).toMatchObject([0, { source: "water-2025", counts: { discovered: 3, accepted: 3 } }]);
  expect(site.requests[0]).toMatchObject({
    path: "/api/1/archive",
    parameters: {
      q: "report",
      language: "ar,en",
      country: "jo",
      category: "business",
      from_date: "2025-11-01",
      to_date: "2025-11-30",
    },
  });
  expect(site.requests).toHaveLength(2);
});

test("a changed article is counted as changed at its source, and does not fail the command", async () => {
  site.results = [newsdataResult(1, { article_id: "same" })];
  await run(newsPull, ["--source", "changes"], env());
  site.results = [newsdataResult(1, { article_id: "same", title: "Report number 1, corrected" })];
  const { code, data } = await json(newsPull, ["--source", "changes"], env());
  expect([code, data]).toMatchObject([0, { status: "succeeded", counts: { conflict: 1, failed: 0 } }]);
});

test("an error of the service is exit code 1, with its code and without the key", async () => {
  const { code, out, err } = await run(newsPull, [], { ...env(), NEWSDATA_API_KEY: "pub_wrong" });
  expect(code).toBe(1);
  expect(err).toContain("401 Unauthorized");
  expect(out + err).not.toContain("pub_wrong");
  expect((await run(newsPull, [], { NEWSDATA_BASE_URL: site.url })).err).toContain("NEWSDATA_API_KEY");
});

test("an unsupported provider is named with the source; a source of another provider is left alone", async () => {
  const unknown = await run(newsPull, ["--provider", "reuters"], env());
  expect([unknown.code, unknown.err]).toEqual([
    1,
    'news:pull: source "reuters" has the unsupported provider "reuters"; there are newsdata\n',
  ]);
  await store.sources.upsert([{ key: "desk", provider: "rss" }]);
  const other = await run(newsPull, ["--source", "desk"], env());
  expect(other.code).toBe(1);
  expect(await store.sources.get("desk")).toMatchObject({ provider: "rss" });
  expect(site.requests).toEqual([]);
});

test.each([
  [["--mode", "yesterday"], "--mode takes latest or archive"],
  [["--mode", "archive"], "needs --query"],
  [["--from", "2025-01-01"], "goes with --mode archive"],
  [["--mode", "archive", "--query", "x", "--from", "2025-02-30"], "YYYY-MM-DD"],
  [["--mode", "archive", "--query", "x", "--from", "2025-02-02", "--to", "2025-02-01"], "after --to"],
  [["--max", "0"], "--max takes a whole number"],
])("%j is wrong usage, and nothing is asked", async (argv, words) => {
  const { code, err } = await run(newsPull, argv, env());
  expect(code).toBe(2);
  expect(err).toContain(words);
  expect(site.requests).toEqual([]);
});
