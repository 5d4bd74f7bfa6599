import { expect, test } from "bun:test";
import { morphAnswer } from "./answer.ts";
import type { Candidate } from "./candidates.ts";
import { decode, featuresOf, prepare, weigh, type Word } from "./features.ts";
import { openMorphology } from "./model.ts";

const candidate = (lemma: string, pos: string, cost: number): Candidate => ({
  ...{ lemma, pos, cost, before: "", after: "", analyses: [] },
});
const word = (text: string, candidates: Candidate[]): Word => ({ text, letters: text, candidates });

const words = [
  word("قال", [candidate("قال", "verb", 1), candidate("قال", "noun", 3)]),
  word("وزير", [candidate("وزير", "noun", 2), candidate("وزير", "noun_prop", 6)]),
  word("فرنسا", [candidate("فرنسا", "noun_prop", 2), candidate("فرنسا", "noun", 5), candidate("رنسا", "verb", 9)]),
  word("أمس", [candidate("أمس", "adv", 1), candidate("أمس", "noun", 1)]),
];
const UPOS: Readonly<Record<string, string[]>> = {
  ...{ verb: ["VERB"], noun: ["NOUN", "ADJ"] },
  ...{ noun_prop: ["PROPN"], adv: ["ADV", "NOUN"] },
};
const uposOf = (pos: string): string[] => UPOS[pos] ?? [];

/** Weights of which any two sequences of labels have another sum. */
function weightsOf(seed: number): Float32Array {
  return Float32Array.from({ length: 1 << 14 }, (_, i) => Math.sin((i + 1) * 12.9898 + seed * 78.233) * 4);
}

/** Every sequence of one label for each word. */
function sequences<T>(choices: readonly (readonly T[])[]): T[][] {
  return choices.reduce<T[][]>((all, next) => all.flatMap((head) => next.map((each) => [...head, each])), [[]]);
}

test("of all sequences of labels the one of the greatest weight is taken", () => {
  for (let seed = 0; seed < 20; seed++) {
    const weights = weightsOf(seed);
    const labels = words.map((each) => prepare(each, uposOf, weights));
    const weightOf = (sequence: (typeof labels)[number]): number =>
      weigh(Uint32Array.from(featuresOf(words, sequence)), weights);
    const best = sequences(labels).reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
    expect(decode(words, labels, weights).map(({ label }) => label)).toEqual(best.map(({ label }) => label));
  }
});

test("weights that were learned since the labels were prepared count where they are asked for afresh", () => {
  const [before, now] = [weightsOf(1), weightsOf(2)];
  const prepared = words.map((each) => prepare(each, uposOf, before));
  const expected = decode(
    words,
    words.map((each) => prepare(each, uposOf, now)),
    now,
  );
  const fresh = decode(words, prepared, now, { fresh: true });
  expect(fresh.map(({ label }) => label)).toEqual(expected.map(({ label }) => label));
});

test("a label is a candidate with each universal part of speech that it can stand for, of the first dozen", () => {
  expect(
    prepare(words[0] ?? word("", []), uposOf).map(({ label: { candidate: own, upos } }) => [own.pos, upos]),
  ).toEqual([
    ["verb", "VERB"],
    ["noun", "NOUN"],
    ["noun", "ADJ"],
  ]);
  const many = word(
    "كلمة",
    Array.from({ length: 40 }, (_, i) => candidate(`كلمة${i}`, "verb", i)),
  );
  expect(prepare(many, uposOf)).toHaveLength(12);
});

test("no words have no labels", () => {
  expect(decode([], [], weightsOf(0))).toEqual([]);
});

const morphology = await openMorphology();

/** What the word of a text that is written so is read as. */
function read(text: string, word: string) {
  const found = morphAnswer(morphology, { text, all: false }).find(({ token }) => token === word);
  return { lemma: found?.lemma.normalize("NFC"), pos: found?.pos, voice: found?.features.voice };
}

test.each([
  ["تأجلت الرحلات بسبب تساقط الثلوج.", "تساقط", "تَساقُط"],
  ["أصيب عشرات الحجاج في تدافع قرب الجسر.", "تدافع", "تَدافُع"],
  ["أدى ذلك إلى تجدد إطلاق النار.", "تجدد", "تَجَدُّد"],
  ["استقالت الحكومة على وقع الاحتجاجات.", "وقع", "وَقع"],
  ["نُقل المصابون على ظهر شاحنة.", "ظهر", "ظُهر"],
])("%s: %s stands behind a preposition and is no verb", (text, word, lemma) => {
  expect(read(text, word)).toMatchObject({ lemma: lemma.normalize("NFC"), pos: "NOUN" });
});

test.each([
  ["ثم تساقط الثلج على المدينة.", "تساقط"],
  ["ظهر الرئيس على الشاشة.", "ظهر"],
  ["وقع الانفجار في السوق.", "وقع"],
])("%s: %s is a verb where no preposition stands before it", (text, word) => {
  expect(read(text, word).pos).toBe("VERB");
});

test("فقد before a noun is the verb, before a verb the particle", () => {
  expect(read("أُغلقت المصانع، فقد ملايين العمال وظائفهم.", "فقد")).toMatchObject({ lemma: "فَقَد", pos: "VERB" });
  expect(read("لم يأت أحد، فقد أغلقت الطرق.", "فقد").lemma).toBe("قَد");
  expect(read("لم يأت أحد، فقد كانت الطرق مغلقة.", "فقد").lemma).toBe("قَد");
  expect(read("لا تنتظروه فقد لا يعود.", "فقد").lemma).toBe("قَد");
});

test.each(["لقي ثلاثة عمال مصرعهم وأصيب اثنان.", "قتل جندي وأصيب 6 آخرون في الهجوم."])(
  "%s: he who was hurt does not say so himself",
  (text) => {
    expect(read(text, "وأصيب")).toEqual({ lemma: "أَصَاب", pos: "VERB", voice: "pass" });
  },
);

test.each([
  ["قالت: لا أعرف كيف حدث ذلك.", "أعرف"],
  ["أضاف: وأنا أبحث عن عمل.", "أبحث"],
  ["قال: أتحدث عن نفسي.", "أتحدث"],
])("%s: %s is still said by oneself", (text, word) => {
  expect(read(text, word)).toMatchObject({ pos: "VERB", voice: "act" });
});

test("a number and a noun are not what a woman is told that she does", () => {
  expect(read("توفي عن عمر يناهز تسعين عاماً.", "تسعين")).toMatchObject({ lemma: "تِسعُون", pos: "NUM" });
  expect(read("تعمل الشركة في مجال تعدين الذهب.", "تعدين")).toMatchObject({ lemma: "تَعدِين", pos: "NOUN" });
});

test("a word with tanwin is no verb", () => {
  expect(read("تُصنع الأحذية يدوياً في المدينة.", "يدوياً")).toMatchObject({ lemma: "يَدَوِيّ" });
  expect(read("فر السائق جرياً من المكان.", "جرياً")).toMatchObject({ lemma: "جَري", pos: "NOUN" });
  expect(read("في الفيلم أوجه تشابهٍ كثيرة.", "تشابهٍ")).toMatchObject({ lemma: "تَشابُه", pos: "NOUN" });
});

test("وفقا behind a conjunction is no passive of two", () => {
  for (const text of ["ووفقا لتقرير الوزارة، تراجعت الأسعار.", "انتهى الاجتماع. ووفقا لوكالة الأنباء تأجل القرار."]) {
    expect(read(text, "ووفقا")).toMatchObject({ lemma: "وِفق", pos: expect.not.stringMatching("VERB") });
  }
});

test.each([
  ["حقق البرنامج نسبة مشاهدة عالية في المصارعة الحرة.", "المصارعة", "مُصارَعَة"],
  ["اتُّهم التاجر بتهمة المضاربة بالعملة.", "المضاربة", "مُضارَبَة"],
  ["فازت شركة للمقاولات بالعقد.", "للمقاولات", "مُقاوَلَة"],
  ["أنقذ خفر السواحل مئة مهاجر.", "مهاجر", "مُهاجِر"],
  ["اتهمته بالضلوع في الهجوم.", "بالضلوع", "ضُلُوع"],
])("%s: %s is %s", (text, word, lemma) => {
  expect(read(text, word).lemma).toBe(lemma.normalize("NFC"));
});

test.each([
  ["عادت لاعبة التنس إلى المنتخب.", "لاعبة", "لاعِب"],
  ["هزم الفريق منافسه بهدفين.", "منافسه", "مُنافِس"],
  ["سافرت مراسلة الصحيفة إلى القاهرة.", "مراسلة", "مُراسِل"],
])("%s: %s is still who does it", (text, word, lemma) => {
  expect(read(text, word).lemma).toBe(lemma.normalize("NFC"));
});
