import { expect, test } from "bun:test";
import { morphAnswer } from "./answer.ts";
import { openMorphology } from "./model.ts";

const morphology = await openMorphology();

/** The lemma and part of speech of a word of a sentence. */
function read(text: string, word: string): string {
  const token = morphAnswer(morphology, { text, all: false }).find((each) => each.token === word);
  return `${token?.lemma.normalize("NFC")} ${token?.pos}`;
}

test.each(
  [
    ["توفي", "حيث توفي بالمستشفى العسكري أمس.", "تَوَفَّى VERB"],
    ["وتوفي", "وتوفي الشاعر في منزله.", "تَوَفَّى VERB"],
    ["توفيت", "توفيت الفنانة بعد مرض طويل.", "تَوَفَّى VERB"],
    ["وترأس", "اعتزل العمل السياسي وترأس منظمة الدعوة.", "تَرَأَّس VERB"],
    ["كلا", "على كلا الجانبين أن يتحركا.", "كِلَا DET"],
    ["وفضلا", "وفضلا عن غياب الخدمات، فإن المدرسة تضررت.", "فَضل NOUN"],
    ["ودعت", "ودعت منظمة الصحة البلدان إلى تعزيز البرامج.", "دَعَا VERB"],
    ["ودعا", "ودعا الوزير إلى الهدوء.", "دَعَا VERB"],
    ["عمان", "عاد الوفد من سلطنة عمان أمس.", "عُمَان PROPN"],
    ["عمان", "عاد الوفد إلى عمان عاصمة الأردن.", "عَمَّان PROPN"],
    ["الحكم", "احتسب الحكم ركلة جزاء.", "حَكَم NOUN"],
    ["الحكم", "أصدر القاضي الحكم أمس.", "حُكم NOUN"],
    ["سلام", "وقعت الحكومة اتفاق سلام مع المعارضة.", "سَلام NOUN"],
    ["بيان", "قالت الوزارة في بيان لها.", "بَيان NOUN"],
    ["وقعت", "كان الحراس نائمين حين وقعت السرقة.", "وَقَع VERB"],
    ["وقع", "وقع انفجار قرب السوق أمس.", "وَقَع VERB"],
    ["وقعت", "وقعت الحكومة الاتفاق أمس.", "وَقَّع VERB"],
    ["ودعا", "رافق منتخبي مصر والمغرب اللذين ودعا المونديال.", "وَدَّع VERB"],
    ["ودعت", "ودعت المونديال السعودية ومصر.", "وَدَّع VERB"],
    ["من", "من هو الفنان الذي فاز؟", "مَن PRON"],
    ["يشاركن", "الراقصات اللاتي يشاركن في الحفلات.", "شَارَك VERB"],
    ["بغاز", "وقع هجوم بغاز السارين في المحطة.", "غاز NOUN"],
    ["يعد", "وهو ما يعد أمرا عاديا.", "عَدّ VERB"],
    ["يعد", "لم يعد اللاعب إلى فريقه.", "عَاد VERB"],
    ["مصرعهم", "ولقي ثلاثة أشخاص مصرعهم في الحادث.", "مَصرَع NOUN"],
    ["واقعة", "اتهم بارتكاب واقعة تحرش جنسي.", "واقِعَة NOUN"],
  ].map(([word = "", text = "", lemma = ""]) => [word, text, lemma.normalize("NFC")] as const),
)("%s is what it is where it stands: %s", (word, text, lemma) => {
  expect(read(text, word)).toBe(lemma);
});

test.each(
  [
    ["قادته", "بعد الغزو الذي قادته الولايات المتحدة.", "قَاد VERB"],
    ["صدمتها", "حين صدمتها عربة مترو في برلين.", "صَدَم VERB"],
    ["تأمل", "لكنها ما زالت تأمل تحسنا للأوضاع.", "أَمَل VERB"],
    ["قادته", "اجتمع الحزب مع قادته في العاصمة.", "قائِد NOUN"],
    ["تأمل", "دعا إلى تأمل الطبيعة.", "تَأَمُّل NOUN"],
  ].map(([word = "", text = "", lemma = ""]) => [word, text, lemma.normalize("NFC")] as const),
)("%s is a verb behind what a verb stands behind, and a noun elsewhere: %s", (word, text, lemma) => {
  expect(read(text, word)).toBe(lemma);
});

test.each([
  ["المرافق", "حثت المنظمة المرافق الصحية على التعاون.", "مِرفَق NOUN"],
  ["للأسر", "القضية مهمة للأسر المعنية.", "أُسرَة NOUN"],
  ["النفط", "أعلنت شركة النفط الوطنية أرباحها.", "نَفط NOUN"],
])(
  "%s before an adjective in the feminine is a plural, unless that is said of the word before: %s",
  (word, text, lemma) => {
    expect(read(text, word)).toBe(lemma);
  },
);

test("an unknown word with the marks of the accusative is a noun without its alef, and no name", () => {
  const text = "استعمل العمال طلاء إيبوكسياً مقاوما";
  const token = morphAnswer(morphology, { text, all: true }).find((each) => each.token.startsWith("إيبوكسي"));
  const guessed = (token?.analyses ?? []).filter(({ lemma_id }) => lemma_id === null);
  expect(guessed.map(({ lemma }) => lemma)).toContain("إيبوكسي");
  expect(guessed.every(({ pos_lexicon }) => /^(?:noun|adj)$/.test(pos_lexicon))).toBe(true);
});

test("an adjective has no pronoun where a noun in its letters has it", () => {
  expect(read("كان وكيل مؤسسيه، وكذلك مستشاره.", "مؤسسيه")).toBe("مُؤَسِّس NOUN".normalize("NFC"));
});

test("words that the lexicon lacked are read", () => {
  expect(read("مثل غسل اليدين بالماء", "غسل")).toBe("غَسل NOUN");
  expect(read("حذرت من خطر الإنتان أمس", "الإنتان")).toBe("إِنتان NOUN");
  expect(read("أكواخ من الخيزران والطين", "الخيزران")).toBe("خَيزُران NOUN");
});
