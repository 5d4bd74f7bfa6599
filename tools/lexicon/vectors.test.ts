import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vectorSummary } from "./vectors.ts";

test("senses of words with several that have no vector are listed", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-vectors-"));
  const entry = (id: string, lemma: string) =>
    JSON.stringify({ id, lemma, pos: "noun", root: "", gloss: `معنى ${id}`, en: ["x"], examples: ["مثال"] });
  const entries = [entry("n-0001", "عَيْن"), entry("n-0002", "عَيْن"), entry("n-0003", "بَيْت")];
  writeFileSync(join(folder, "n.jsonl"), entries.join("\n"));
  const of = (known: string) =>
    vectorSummary(folder, { of: ({ id }) => (id <= known ? new Float32Array(1) : undefined) });
  expect(of("n-0003")).toBe("2 of 2 senses of words with several have a vector in senses-ar");
  expect(of("n-0001")).toBe(
    "1 of 2 senses of words with several have a vector in senses-ar; python -m isnad_senses --vectors makes those of n-0002",
  );
  rmSync(folder, { recursive: true });
});
