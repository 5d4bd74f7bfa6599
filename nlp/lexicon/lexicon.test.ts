import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { normalForm } from "@isnad/lib/text";
import { lettersOf } from "../../lib/arabic/morphology/written-forms.ts";
import { endings, frequentNames, KINDS, kindsOf, passiveForms } from "./build-arabic-stems.ts";
import { readTable } from "./passives.ts";

test("every line of the table has a stem in normal form and readings with kinds and a cost", () => {
  const lines = readFileSync(join(import.meta.dirname, "arabic-stems.tsv"), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeGreaterThan(40_000);
  const bad = lines.filter((line) => {
    const [stem = "", readings = ""] = line.split("\t");
    return (
      normalForm(stem) !== stem ||
      !/^(?:[0-9a-z]+,\d+,[^,;\s]*(?:,[0-9a-z]*:[0-9a-z]+(?:\+[0-9a-z]*:[0-9a-z]+)*)?(?:;|$))+$/.test(readings)
    );
  });
  expect(bad).toEqual([]);
  expect(new Set(lines.map((line) => line.split("\t")[0])).size).toBe(lines.length);
});

test("Buckwalter's transliteration gives the letters without vowels", () => {
  expect(lettersOf("mad~orasap")).toBe("مدرسة");
  expect(lettersOf(">aHomad")).toBe("أحمد");
});

test("tables are read with quoted fields", () => {
  expect(readTable('a,b\n1,"x, ""y"""\n,2\n', ",")).toEqual([
    { a: "1", b: 'x, "y"' },
    { a: "", b: "2" },
  ]);
  expect(readTable('a\tb\n"1\t2', "\t")).toEqual([{ a: '"1', b: "2" }]);
});

test("classes say which endings a stem takes", () => {
  const { masculine, feminine, masculineDual, feminineDual, masculinePlural, femininePlural } = KINDS;
  const kinds: readonly (readonly [condition: string, mask: number])[] = [
    ["MS||FP", masculine | femininePlural],
    ["MS", masculine],
    ["FS", feminine],
    ["MD||FD", masculineDual | feminineDual],
    ["MP", masculinePlural],
    ["MS||MD||FS||FD hum", masculine | masculineDual | feminine | feminineDual],
    ["", 63],
    ["#dip", 63],
    ["XMS", 63],
  ];
  for (const [condition, mask] of kinds) expect([condition, kindsOf(condition)]).toEqual([condition, mask]);
});

test.each([
  ["#aY-Ap-y", ["ى", "ا", "و", ""]],
  ["#aA-Ap-w", ["ى", "ا", "و", ""]],
  ["#ap-w", ["", "و"]],
  ["#A'-w", ["ء", "ئ", "ؤ", "", "و"]],
  ["#A'", ["ء", "ئ", "ؤ", ""]],
  ["#A}iy", ["ئي", "ء"]],
  ["#iy", ["ي", ""]],
  ["#aA", ["ا", ""]],
  ["#a>", ["أ", "ئ", "ؤ", ""]],
  ["#w'", ["ء", "ئ", "ؤ", ""]],
  ["#o'", ["ء", "ئ", "ؤ", ""]],
  ["#-ay", ["ى", "ا", ""]],
  ["#-aw", ["ا", "و", ""]],
  ["#-iy", ["ي", ""]],
  ["#-aY", ["ى", "ا", ""]],
  ["#-uw", ["و", ""]],
  ["#-a>", ["أ", "ؤ", "ئ", ""]],
  ["#-A'", ["اء", "ا", "اؤ", "ائ"]],
  ["trans", [""]],
  ["", [""]],
])("between a stem of %s and its ending stands %p", (condition, letters) => {
  expect([...endings(condition)].sort()).toEqual([...letters].sort());
});

test.each([
  ["قول", "قول", "imperfect", ["قال"]],
  ["بيع", "بيع", "imperfect", ["باع"]],
  ["قال", "قول", "perfect", ["قيل"]],
  ["باع", "بيع", "perfect", ["بيع"]],
  ["قال", "قول", "imperfect", []],
  ["قول", "قول", "perfect", []],
  ["كتب", "كتب", "perfect", []],
  ["كاتب", "كتب", "perfect", []],
  ["دعا", "دعو", "perfect", []],
  ["قال", "قول", "command", []],
])("the passive of %s (%s, %s) is written %p", (form, root, kind, forms) => {
  expect(passiveForms(form, root, kind)).toEqual(forms);
});

test("frequent words that the lexicon does not know or misreads are names", () => {
  const text = `${"ترامب ".repeat(40)}${"وترامب ".repeat(15)}${"كتاب ".repeat(50)}${"فيسبوك ".repeat(30)}${"نادر ".repeat(3)}`;
  const file = join(mkdtempSync(join(tmpdir(), "isnad-lexicon-")), "news.jsonl.gz");
  writeFileSync(file, gzipSync(JSON.stringify({ title: "", text })));
  const names = frequentNames(file, (word) => {
    if (word === "كتاب") return { stem: "كتاب", root: "كتب", cost: 8, lemmas: [] };
    return word === "فيسبوك" ? { stem: "سب", root: "سبب", cost: 24, lemmas: [] } : undefined;
  });
  expect(names.map(({ word }) => word)).toEqual(["ترامب", "فيسبوك"]);
});

test("a line of terms is Arabic, a tab and English, and stands once in its file", () => {
  const folder = join(import.meta.dirname, "terms");
  const bad = readdirSync(folder).flatMap((name) => {
    const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
    const form =
      /^[\u0621-\u0652\d]+\.?(?: [\u0621-\u0652\d]+\.?)*\t[\p{Script=Latin}\d][\p{Script=Latin}\d .,&/'’–-]*$/u;
    return lines.filter((line, i) => !form.test(line) || lines.indexOf(line) !== i).map((line) => `${name}: ${line}`);
  });
  expect(bad).toEqual([]);
});
