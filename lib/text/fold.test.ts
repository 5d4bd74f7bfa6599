import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { contentHash, fold, simhash } from "./fold.ts";
import { pieces, randomTexts } from "./testing.ts";

test("fold() applies NFKC and removes tatweel and zero-width characters", () => {
  expect(fold("مـــراكش")).toBe("مراكش");
  expect(fold("ﻣﺮاﻛﺶ ﻻ")).toBe("مراكش لا");
  expect(fold("می\u200cخواهم\u200f \ufeffx\u2060y")).toBe("میخواهم xy");
  expect(fold("ﬁ ² Ａ")).toBe("fi 2 A");
});

test("fold() keeps case, diacritics and letter forms", () => {
  expect(fold("مَرَّاكُش أحمد Ab")).toBe("مَرَّاكُش أحمد Ab");
});

test("fold() folds the white space that NFKC makes", () => {
  expect(fold("a\u00a0 b \ufe70")).toBe("a b \u064b");
});

test("fold() of a folded text changes nothing, and composition makes no difference", () => {
  for (const text of randomTexts(2000, pieces.scripts)) {
    const folded = fold(text);
    expect(fold(folded)).toBe(folded);
    expect(fold(text.normalize("NFD"))).toBe(folded);
  }
});

test("contentHash() is the SHA-256 of both folded texts with a line feed between them", () => {
  const expected = createHash("sha256").update("عنوان\nنص").digest("hex");
  expect(contentHash("عنـوان", " نص\u200f ")).toBe(expected);
  expect(contentHash("a", "b c")).not.toBe(contentHash("a b", "c"));
});

const REPORT = `The ministry said that the old ferry line would stay open through the winter after a long meeting with the
owners of the boats, and that the first trip would leave before sunrise on every day of the week except Friday.`;
const ARABIC = `أعلنت وزارة النقل أن خط العبارة القديم سيبقى مفتوحا طوال الشتاء بعد اجتماع طويل مع أصحاب القوارب، وقالت إن
الرحلة الأولى ستنطلق قبل شروق الشمس كل يوم من أيام الأسبوع ما عدا الجمعة.`;

/** Bits in which two signatures differ, 0 to 64. */
const differing = (a: bigint, b: bigint) => (a ^ b).toString(2).replaceAll("0", "").length;

const distance = (a: string, b: string) => differing(simhash(a), simhash(b));

test("the same words give the same signature, whatever their case and spacing", () => {
  expect(distance(REPORT, REPORT.toUpperCase().replaceAll(" ", " \n "))).toBe(0);
  expect(distance(ARABIC, ARABIC.replace("أعلنت", "أعـلنت"))).toBe(0);
});

test("a change of a word moves few bits, another text about half of them", () => {
  expect(distance(REPORT, REPORT.replace("Friday", "Sunday"))).toBeLessThan(10);
  expect(distance(REPORT, ARABIC)).toBeGreaterThan(18);
});

test("the order of words counts", () => {
  expect(distance(REPORT, REPORT.split(" ").toReversed().join(" "))).toBeGreaterThan(12);
});

test("signatures fit into 64 bits, also of very short texts and of none", () => {
  for (const text of ["", "!?", "one", "two words", REPORT]) {
    const value = simhash(text);
    expect(value >= 0n && value < 2n ** 64n).toBe(true);
  }
  expect(simhash("!?")).toBe(0n);
  expect(simhash("one")).not.toBe(simhash("two"));
});

test("the bits of unrelated texts are even-handed", () => {
  const ones = Array.from({ length: 400 }, (_, i) => differing(simhash(`word${i} other${i * 7} third${i * 13}`), 0n));
  const mean = ones.reduce((sum, n) => sum + n, 0) / ones.length;
  expect(Math.abs(mean - 32)).toBeLessThan(1.5);
});
