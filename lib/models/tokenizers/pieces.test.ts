import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { type ModelCard, openRegistry, SHIPPED_MODELS } from "../cards/registry.ts";
import { createSegmenter, eachWord, loadPieces } from "./pieces.ts";

const NAME = "pieces-ar-en";
const dir = join(SHIPPED_MODELS, NAME);
const user: ModelCard = { ...openRegistry().card(NAME), name: "user", pieces: NAME };
const pieces = await loadPieces(join(SHIPPED_MODELS, "user"), user);
const reference: { text: string; ids: number[]; row: number[] }[] = JSON.parse(
  readFileSync(join(dir, "reference.json"), "utf8"),
);
const whole = new Tokenizer(JSON.parse(readFileSync(join(dir, "tokenizer.json"), "utf8")), {});

for (const { text, ids, row } of reference) {
  test(`${JSON.stringify(text.slice(0, 40))}: pieces and rows as in training`, () => {
    expect(pieces.tokenizer.encode(text, 512)).toEqual(ids);
    expect(pieces.tokenizer.encode(text, 512)).toEqual(ids);
    const at = (ids.length - 2) * pieces.width;
    const found = [...pieces.rowsOf(ids).subarray(at, at + row.length)];
    found.forEach((value, place) => {
      expect(value).toBeCloseTo(row[place] ?? Number.NaN, 6);
    });
  });
}

test.each([
  "  two  blanks\u00a0and\u2003more ",
  "a\u0001b\u0000 \u0007 c",
  "ﷺ ﻻ ½ Å ﬁ",
  "x ´ y ¨z",
  "\u200fيمين\u200f to \u202bleft\u202c",
  "😀😃 كورونا_COVID-19! #هاشتاغ @user https://example.com/a?b=ج",
  "الحكـــومة إنَّ ٱلله ١٢٣۴۵",
  "\ud800 lone",
  "a".repeat(100),
])("%p: words one by one are encoded as the whole text", (text) => {
  const ids = pieces.tokenizer.encode(text, 512);
  expect(ids).toEqual(whole.encode(text).ids);
});

test("what is beyond the longest sequence is cut before the last id", () => {
  const all = pieces.tokenizer.encode("one two three four five six", 80);
  expect(pieces.tokenizer.encode("one two three four five six", 5)).toEqual([...all.slice(0, 4), ...all.slice(-1)]);
  expect(pieces.tokenizer.encode("word ".repeat(200_000), 80)).toHaveLength(80);
});

test("padding is a row of zeros", () => {
  expect(pieces.rowsOf([0])).toEqual(new Float32Array(pieces.width));
});

test.each(["rows.bin", "tokenizer.json"])("a missing or truncated %s is named", async (file) => {
  const root = mkdtempSync(join(tmpdir(), "isnad-pieces-"));
  try {
    cpSync(dir, join(root, NAME), { recursive: true });
    truncateSync(join(root, NAME, file), 100);
    await expect(loadPieces(join(root, "user"), user)).rejects.toMatchObject({ code: "model-altered" });
    rmSync(join(root, NAME, file));
    await expect(loadPieces(join(root, "user"), user)).rejects.toMatchObject({ code: "model-missing" });
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a model that names no pieces, or pieces that are not there, cannot be loaded", async () => {
  const { pieces: _, ...without } = user;
  await expect(loadPieces(join(SHIPPED_MODELS, "user"), without)).rejects.toMatchObject({ code: "model-invalid" });
  const other = { ...user, pieces: "static-ar-en-256" };
  await expect(loadPieces(join(SHIPPED_MODELS, "user"), other)).rejects.toMatchObject({ code: "model-invalid" });
});

function wordsOf(text: string): string[] {
  const found: string[] = [];
  eachWord(text, (word) => found.push(word));
  return found;
}

test("words end at white space and punctuation of both scripts", () => {
  expect(wordsOf("قال: «نعم»، ثم (مضى)؛ لماذا؟ U.S.-led, yes")).toEqual([
    ..."قال نعم ثم مضى لماذا U S led yes".split(" "),
  ]);
});

test("marks, tatweel and joiners stay inside their word", () => {
  expect(wordsOf("مُـحَمَّد مي\u200cخواهم na\u00efve soft\u00adhyphen")).toEqual([
    "مُـحَمَّد",
    "مي\u200cخواهم",
    "naïve",
    "soft\u00adhyphen",
  ]);
});

test("control characters separate", () => {
  expect(wordsOf("a\u0000b\tc\u0085d\u00a0e")).toEqual(["a", "b", "c", "d", "e"]);
});

test("an empty text and one of separators alone have no words", () => {
  expect(wordsOf("")).toEqual([]);
  expect(wordsOf(" .,\n")).toEqual([]);
});

const vocab: [string, number][] = [
  ["<unk>", 0],
  ["a", -3],
  ["b", -3],
  ["ab", -4],
  ["abc", -9],
  ["ال", -1],
  ["كتاب", -5],
];
const segment = createSegmenter(vocab, 0);

test("the cut with the highest sum of scores wins", () => {
  expect(segment("ab")).toEqual([3]);
  expect(segment("ba")).toEqual([2, 1]);
  expect(segment("الكتاب")).toEqual([5, 6]);
});

test("a long piece that scores less than its parts is not used", () => {
  expect(segment("aab")).toEqual([1, 3]);
  expect(
    createSegmenter(
      [
        ["<unk>", 0],
        ["a", -1],
        ["aa", -3],
      ],
      0,
    )("aa"),
  ).toEqual([1, 1]);
});

test("of two cuts with equal sums the longer piece comes last", () => {
  const even = createSegmenter(
    [
      ["<unk>", 0],
      ["a", -1],
      ["aa", -2],
    ],
    0,
  );
  expect(even("aaa")).toEqual([1, 2]);
});

test("unknown letters are left out, what is known around them stays", () => {
  expect(segment("zabz")).toEqual([3]);
  expect(segment("😀")).toEqual([]);
});

test("unknown letters that follow each other are one token where they are kept", () => {
  const keeping = createSegmenter(vocab, 0, { keepUnknown: true });
  expect(keeping("zzabz")).toEqual([0, 3, 0]);
  expect(keeping("😀")).toEqual([0]);
});

test("a letter that begins a known piece but is none itself is unknown alone", () => {
  expect(
    createSegmenter(
      [
        ["<unk>", 0],
        ["xy", -1],
      ],
      0,
    )("xxy"),
  ).toEqual([1]);
});

test("an empty word has no pieces", () => {
  expect(segment("")).toEqual([]);
});

test("words longer than any before are cut too", () => {
  expect(segment("ab".repeat(5000))).toHaveLength(5000);
});
