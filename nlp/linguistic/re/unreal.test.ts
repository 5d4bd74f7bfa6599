import { expect, test } from "bun:test";
import { morphAnswer } from "../morph/answer.ts";
import { openMorphology } from "../morph/open.ts";
import { isUnreal } from "./unreal.ts";
import { reWords } from "./words.ts";

const morphology = await openMorphology();

/** Whether the word of a sentence that begins with these letters is said not to happen, or only perhaps. */
function unreal(text: string, word: string): boolean {
  const words = reWords(morphAnswer(morphology, { text, all: false }), []);
  return isUnreal(
    words,
    words.findIndex(({ token }) => token.startsWith(word)),
  );
}

test.each([
  ["لم يلتق الوزير أحداً.", "يلتق"],
  ["ولن يزور الرئيس باريس.", "يزور"],
  ["لو فاز الفريق لتأهل.", "فاز"],
  ["قد يستقيل المدير غداً.", "يستقيل"],
  ["نفت الشركة استقالة مديرها، ونفى إقالة نائبه.", "إقالة"],
  ["غادر دون لقاء أحد.", "لقاء"],
  ["فشل النواب، ثم فشل في انتخاب رئيس.", "انتخاب"],
  ["طلبت المحكمة أن يعتقل المتهم.", "يعتقل"],
])("%s: %s is not told as real", (text, word) => expect(unreal(text, word)).toBe(true));

test.each([
  ["التقى الوزير نظيره.", "التقى"],
  ["قد فاز الفريق أمس.", "فاز"],
  ["وصل قبل أن يلتقي الوزير.", "يلتقي"],
  ["قالت إن الطائرات قصفت المدينة.", "قصفت"],
  ["لم يكتف بالفوز بل أعلن استقالته.", "أعلن"],
])("%s: %s is", (text, word) => expect(unreal(text, word)).toBe(false));
