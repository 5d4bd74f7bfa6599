import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { indexedArticles, type TestDatabase, testDatabase, type TestStore, testStore } from "@isnad/lib/store/testing";
import { backup, restore } from "./backup.ts";

setDefaultTimeout(300_000);

const dir = mkdtempSync(join(tmpdir(), "isnad-backup-command-"));
const file = join(dir, "b.isnad");
let source: TestStore;
let target: TestDatabase;

beforeAll(async () => {
  source = await testStore();
  target = await testDatabase({ empty: true });
  await indexedArticles(source.store, 7);
});

afterAll(async () => {
  await source.close();
  await target.drop();
  rmSync(dir, { recursive: true });
});

test("a backup is written, said to be whole, and restored; the keyword index of before goes", async () => {
  const writing = captureIo({ DATABASE_URL: source.url, DATA_DIR: dir });
  expect(await runCommand(backup, [file, "--json"], writing.io)).toBe(0);
  expect(JSON.parse(writing.out())).toMatchObject({ file, rows: { articles: 7, chunks: 7 } });
  const checking = captureIo({ DATA_DIR: dir });
  expect(await runCommand(restore, [file, "--check"], checking.io)).toBe(0);
  expect(checking.out()).toContain(": 7 articles, whole\n");
  mkdirSync(join(dir, "keyword"));
  const putting = captureIo({ DATABASE_URL: target.url, DATA_DIR: dir });
  expect(await runCommand(restore, [file], putting.io)).toBe(0);
  expect(putting.out()).toEndWith(": 7 articles\n");
  expect(existsSync(join(dir, "keyword"))).toBe(false);
});

test("what cannot be done is said in one line, with exit code 1", async () => {
  const again = captureIo({ DATABASE_URL: source.url, DATA_DIR: dir });
  expect(await runCommand(backup, [file], again.io)).toBe(1);
  expect(again.err()).toBe(`backup: ${file} is there already\n`);
  const cut = join(dir, "cut.isnad");
  writeFileSync(cut, readFileSync(file).subarray(0, -50));
  const short = captureIo({ DATABASE_URL: target.url, DATA_DIR: dir });
  expect(await runCommand(restore, [cut, "--replace"], short.io)).toBe(1);
  expect(short.err()).toBe("restore: the backup was cut short\n");
  const none = captureIo({ DATA_DIR: dir });
  expect(await runCommand(restore, [join(dir, "none")], none.io)).toBe(1);
  expect(none.err()).toContain("ENOENT");
  const used = captureIo({ DATABASE_URL: source.url, DATA_DIR: dir });
  expect(await runCommand(restore, [file, "--replace"], used.io)).toBe(1);
  expect(used.err()).toBe("restore: the database is in use (isnad): stop the services first\n");
});

test("without a file it is wrong usage", async () => {
  expect(await runCommand(backup, [], captureIo().io)).toBe(2);
  expect(await runCommand(restore, [], captureIo().io)).toBe(2);
});
