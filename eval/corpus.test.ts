import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { corpusHash, entriesHash } from "./corpus.ts";
import { readNested } from "./tasks/ner-nested.ts";

test("the hash of a folder covers names and contents of all files below it", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-corpus-"));
  writeFileSync(join(folder, "a.txt"), "one");
  const first = corpusHash(folder);
  expect(corpusHash(folder)).toBe(first);
  writeFileSync(join(folder, "b.txt"), "");
  expect(corpusHash(folder)).not.toBe(first);
  expect(corpusHash(join(folder, "a.txt"))).not.toBe(first);
});

test("the hash of held-out sentences stays when there are more sentences to train on", () => {
  const lexicon = mkdtempSync(join(tmpdir(), "isnad-corpus-"));
  const folder = join(lexicon, "entities");
  mkdirSync(folder);
  const write = (name: string, texts: readonly string[]) =>
    writeFileSync(
      join(folder, `${name}.jsonl`),
      texts.map((text, i) => `${JSON.stringify({ id: `${name}-000${i + 1}`, text, entities: [] })}\n`).join(""),
    );
  const entities = { sport: { held_out: true }, politics: { held_out: false } };
  writeFileSync(join(lexicon, "subjects.json"), JSON.stringify({ senses: {}, relations: {}, dialect: {}, entities }));
  write("sport", ["فاز الفريق."]);
  write("politics", []);
  const first = entriesHash(readNested(folder));
  write("politics", ["انتهت الجلسة."]);
  expect(entriesHash(readNested(folder))).toBe(first);
  write("sport", ["فاز الفريق.", "خسر الفريق."]);
  expect(entriesHash(readNested(folder))).not.toBe(first);
});
