import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { admitItems, testItem, testStore } from "@isnad/lib/store/testing";
import { articlesPrune } from "./articles.ts";

setDefaultTimeout(300_000);

const { url, store, sql, close } = await testStore();
const dir = mkdtempSync(join(tmpdir(), "isnad-prune-"));
const env = { DATABASE_URL: url, DATA_DIR: dir };

afterAll(async () => {
  await close();
  rmSync(dir, { recursive: true });
});

const count = async () => (await store.articles.countByState()).accepted;

test("it says how many articles would go, and deletes them once told to, with an event for each", async () => {
  const dates = ["2019-01-05T00:00:00Z", "2019-12-31T23:59:59Z", "2020-01-01T00:00:00Z", null];
  await admitItems(
    store,
    dates.map((publishedAt) => testItem({ publishedAt })),
  );
  const dry = captureIo(env);
  expect(await runCommand(articlesPrune, ["--before", "2020-01-01"], dry.io)).toBe(0);
  expect(dry.out()).toBe("2 articles, from 2019-01-05 to 2019-12-31; --yes deletes them\n");
  expect(await count()).toBe(4);
  const done = captureIo(env);
  expect(await runCommand(articlesPrune, ["--before", "2020-01-01", "--yes", "--json"], done.io)).toBe(0);
  expect(JSON.parse(done.out())).toMatchObject({ before: "2020-01-01T00:00:00.000Z", articles: 2, deleted: 2 });
  expect(await count()).toBe(2);
  expect(await sql`select from outbox where type = 'article.deleted'`).toHaveLength(2);
  const again = captureIo(env);
  await runCommand(articlesPrune, ["--before", "2020-01-01"], again.io);
  expect(again.out()).toBe("0 articles; --yes deletes them\n");
});

test.each([[[]], [["--before", "yesterday"]], [["--before", "2019-02-30"]], [["--before", "2999-01-01", "--yes"]]])(
  "%p is wrong usage, and nothing is deleted",
  async (args) => {
    const before = await count();
    expect(await runCommand(articlesPrune, args, captureIo(env).io)).toBe(2);
    expect(await count()).toBe(before);
  },
);
