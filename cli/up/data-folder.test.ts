import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareDataFolder } from "./data-folder.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-folder-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("the folder is made with its parents, and nothing is left in it", () => {
  const made = join(dir, "a", "b");
  prepareDataFolder(made);
  prepareDataFolder(made);
  expect(readdirSync(made)).toEqual([]);
});

test("a file in its place, or in its path, is named", () => {
  const file = join(dir, "file");
  writeFileSync(file, "");
  expect(() => prepareDataFolder(file)).toThrow(`DATA_DIR ${file} cannot be written: there is a file of that name`);
  expect(() => prepareDataFolder(join(file, "data"))).toThrow("a part of the path is a file");
});
