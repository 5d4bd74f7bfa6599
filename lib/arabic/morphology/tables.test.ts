import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTable, sealTables, TABLES } from "./tables.ts";

test("a table that is cut short between two lines is damaged, and one that is missing is named", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-tables-"));
  try {
    cpSync(TABLES, folder, { recursive: true });
    const whole = readTable("lemmas.tsv", folder);
    const path = join(folder, "lemmas.tsv");
    writeFileSync(path, whole.slice(0, whole.indexOf("\n", whole.length / 2) + 1));
    expect(() => readTable("lemmas.tsv", folder)).toThrow(`${path} does not have the checksum`);
    expect(readTable("stems.tsv", folder)).toBe(readFileSync(join(TABLES, "stems.tsv"), "utf8"));
    sealTables(folder);
    expect(readTable("lemmas.tsv", folder).length).toBeLessThan(whole.length);
    rmSync(path);
    expect(() => readTable("lemmas.tsv", folder)).toThrow("lemmas.tsv");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the tables that ship are as they were built", () => {
  for (const name of ["lemmas.tsv", "places.tsv", "rules.json", "stems.tsv"] as const) readTable(name);
});
