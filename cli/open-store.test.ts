import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { COMMANDS } from "./main.ts";
import { openCommandStore } from "./open-store.ts";

setDefaultTimeout(300_000);

const dir = mkdtempSync(join(tmpdir(), "isnad-open-store-"));
afterAll(() => rmSync(dir, { recursive: true }));

test.each([
  ["articles:prune", ["--before", "2020-01-01"]],
  ["articles:retry", []],
  ["backup", [join(dir, "file")]],
  ["claims:report", []],
  ["copies:rebuild", []],
  ["crawl:source", ["a"]],
  ["entities:renew", []],
  ["keys", ["list"]],
  ["keys", ["revoke", "k"]],
  ["search:reindex", []],
  ["sources:disable", ["a"]],
  ["sources:export", []],
  ["sources:list", []],
  ["sources:remove", ["a"]],
])("%s %j with a DATA_DIR that has no database says so, fails and makes none", async (name, argv) => {
  const dataDir = join(dir, "elsewhere");
  const command = await COMMANDS[name]?.();
  if (command === undefined) throw new Error(name);
  const { io, out, err } = captureIo({ DATA_DIR: dataDir });
  expect([await runCommand(command, argv, io), out()]).toEqual([1, ""]);
  expect(err()).toContain(`there is no database in ${dataDir}`);
  expect(existsSync(join(dataDir, "postgres"))).toBe(false);
});

test("a command whose work is to create makes the database, and others find it then", async () => {
  const env = { DATA_DIR: join(dir, "fresh") };
  await using made = await openCommandStore(env, { creates: true });
  await made.store.sources.upsert([{ key: "a", provider: "rss", active: true }]);
  await using found = await openCommandStore(env);
  expect(await found.store.sources.list()).toMatchObject([{ key: "a" }]);
});
