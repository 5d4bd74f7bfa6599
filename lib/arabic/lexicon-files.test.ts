import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readEntries } from "./lexicon-files.ts";

test("entries are read file after file, and a damaged line is named by its file and number", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-lexicon-"));
  try {
    writeFileSync(join(folder, "b.jsonl"), '{"id":3}\n');
    writeFileSync(join(folder, "a.jsonl"), '{"id":1}\n\n{"id":2}\n');
    expect(readEntries(folder, z.object({ id: z.int() }))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    for (const line of ['{"id":', '{"id":"x"}']) {
      writeFileSync(join(folder, "b.jsonl"), `{"id":3}\n${line}\n`);
      expect(() => readEntries(folder, z.object({ id: z.int() }))).toThrow("b.jsonl:2 is damaged");
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
