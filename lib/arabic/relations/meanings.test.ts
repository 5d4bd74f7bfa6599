import { expect, test } from "bun:test";
import type { ArgumentRole, EventType } from "../../contract/mod.ts";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { COURT, isOtherMeaning } from "./meanings.ts";
import { reWords } from "./words.ts";

const morphology = await openMorphology();

type Names = Record<string, string>;

/** Tells whether a word of a sentence means something else than an event, with these arguments by their letters. */
function isOther(
  text: string,
  [trigger, type]: readonly [string, EventType],
  given: readonly (readonly [ArgumentRole, string])[] = [],
  names: Names = {},
): boolean {
  const entities = Object.entries(names).map(([letters, kind]) => {
    const start = text.indexOf(letters);
    return { type: kind, start, end: start + letters.length };
  });
  const words = reWords(morphAnswer(morphology, { text, all: false }), entities);
  const place = words.findIndex(({ token }) => token === trigger);
  const spans = given.map(([role, letters]) => {
    const own = letters.split(" ");
    const from = words.findIndex((_, i) => own.every((token, j) => words[i + j]?.token === token));
    return { role, from, to: from + own.length };
  });
  return isOtherMeaning(words, { place, type }, spans);
}

test.each([
  ["وقعت الحكومة اتفاقا", ["وقعت", "agreement"], [["target", "اتفاقا"]], false],
  ["قد يقع الحادث", ["يقع", "agreement"], [], true],
  ["حصل على جائزة كبيرة", ["حصل", "award"], [["result", "جائزة كبيرة"]], false],
  ["حصل على 30 صوتا", ["حصل", "award"], [["result", "30 صوتا"]], true],
  ["حصل على نسبة كبيرة", ["حصل", "award"], [["result", "نسبة كبيرة"]], true],
  ["حصل على دعم", ["حصل", "award"], [], true],
  ["وضعت المرأة طفلا", ["وضعت", "life"], [["target", "طفلا"]], false],
  ["وضعت الحكومة خطة", ["وضعت", "life"], [["target", "خطة"]], true],
  ["أطلقت الشركة هاتفا", ["أطلقت", "launch"], [["target", "هاتفا"]], false],
  ["أطلقت الشرطة سراح المتهم", ["أطلقت", "launch"], [["target", "سراح المتهم"]], true],
  ["إطلاق سراح المتهم", ["إطلاق", "launch"], [], true],
  ["زارت المدينة", ["زارت", "visit"], [["to", "المدينة"]], false],
  ["زار أمس", ["زار", "visit"], [["time", "أمس"]], true],
  ["قدمت الدولة مساعدات", ["قدمت", "aid"], [["target", "مساعدات"]], false],
  ["قدمت الدولة شكوى رسمية", ["قدمت", "aid"], [["target", "شكوى رسمية"]], true],
  ["وصلت قافلة إغاثة", ["وصلت", "aid"], [["agent", "قافلة إغاثة"]], false],
  ["وصلت الوزيرة", ["وصلت", "aid"], [["agent", "الوزيرة"]], true],
  ["أصدرت المحكمة حكما", ["حكما", "trial"], [], false],
  ["شهد البلد حكما عسكريا", ["حكما", "trial"], [], true],
  ["ضبطت الشرطة رجلا", ["ضبطت", "arrest"], [["target", "رجلا"]], false],
  ["ضبطت الشرطة أسلحة", ["ضبطت", "arrest"], [["target", "أسلحة"]], true],
  ["فاز الفريق بالمباراة", ["فاز", "match"], [], false],
  ["فاز بثقة البرلمان", ["فاز", "match"], [], true],
  ["سقوط قتلى", ["سقوط", "death"], [], false],
  ["سقوط صاروخ", ["سقوط", "death"], [], true],
  ["أضاف الوزير أن الأمر مهم", ["أضاف", "statement"], [], false],
  ["أضاف اللاعب هدفا", ["أضاف", "statement"], [], true],
  ["طورت الشركة برنامجا", ["طورت", "statement"], [], true],
  ["كتب الوزير على صفحته", ["كتب", "statement"], [], false],
  ["كتب الوزير كتابا", ["كتب", "statement"], [], true],
  ["اجتمع الوزراء", ["اجتمع", "meeting"], [], false],
] as const)("whether an event is meant is told by what stands with it: %s", (text, event, given, expected) => {
  expect(isOther(text, event, given)).toBe(expected);
});

test("who threatens is somebody with a name", () => {
  const agent = [["agent", "الفيضان"]] as const;
  expect(isOther("هدد الفيضان البلدة", ["هدد", "statement"], agent)).toBe(true);
  expect(isOther("هدد ترامب إيران", ["هدد", "statement"], [["agent", "ترامب"]], { ترامب: "PERS" })).toBe(false);
});

test("who has a name signs; what has none happens", () => {
  const agent = (name: string) => [["agent", name]] as const;
  expect(isOther("وقع أحمد أمس", ["وقع", "agreement"], agent("أحمد"), { أحمد: "PERS" })).toBe(false);
  expect(isOther("وقع الحادث أمس", ["وقع", "agreement"], agent("الحادث"))).toBe(true);
});

test("courts, and who brings people before them, are told by how their words begin", () => {
  for (const word of ["محكمه", "قاضي", "نيابه", "مدعي", "هيئه", "مجلس"]) expect(COURT.test(word)).toBe(true);
  for (const word of ["مدرسه", "بيت", "المحكمه"]) expect(COURT.test(word)).toBe(false);
});
