import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readEntries, readTreebank } from "./lexicon-files.ts";

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

const line = (id: number | string, form: string, lemma: string, upos: string, misc = "_") =>
  [id, form, lemma, upos, "_", "_", "0", "_", "_", misc].join("\t");

test("words that no space parts are one written word, with the lemma of the part that is no clitic", () => {
  const [sentence, ...more] = readTreebank(
    [
      "# text = وبكتابها.",
      line("1-4", "وبكتابها", "_", "_"),
      line(1, "و", "وَ", "CCONJ", "SpaceAfter=No"),
      line(2, "ب", "بِ", "ADP", "SpaceAfter=No"),
      line(3, "كتاب", "كِتاب", "NOUN", "SpaceAfter=No|Root=كتب"),
      line(4, "ها", "هُوَ", "PRON", "SpaceAfter=No"),
      line(5, ".", ".", "PUNCT"),
      "",
      "",
    ].join("\n"),
  );
  expect(more).toEqual([]);
  expect(sentence?.words.map(({ form }) => form)).toEqual(["و", "ب", "كتاب", "ها", "."]);
  expect(sentence?.written).toEqual([
    { form: "وبكتابها", lemma: "كِتاب", upos: "NOUN", root: "كتب", parts: ["و", "ب", "كتاب", "ها"] },
    { form: ".", lemma: ".", upos: "PUNCT" },
  ]);
});

test("a line that is no CoNLL-U is refused", () => {
  expect(() => readTreebank("1\tword")).toThrow("not CoNLL-U");
});
