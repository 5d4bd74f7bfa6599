import { expect, test } from "bun:test";
import { simhash } from "./simhash.ts";

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
