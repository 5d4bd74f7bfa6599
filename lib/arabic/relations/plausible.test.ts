import { expect, test } from "bun:test";
import type { ArgumentRole, EventType } from "../../contract/mod.ts";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { isUnreal } from "./model.ts";
import { isInName, plausibleArguments } from "./plausible.ts";
import { reWords } from "./words.ts";

const morphology = await openMorphology();

/** The words of a sentence, with names by their types and letters. */
function sentence(text: string, names: Record<string, string> = {}) {
  const entities = Object.entries(names).map(([letters, type]) => {
    const start = text.indexOf(letters);
    return { type, start, end: start + letters.length };
  });
  return reWords(morphAnswer(morphology, { text, all: false }), entities);
}

/** What is left of arguments, which are given by their letters, with their shares of the confidence. */
function left(
  words: ReturnType<typeof sentence>,
  trigger: string,
  given: readonly (readonly [ArgumentRole, string])[],
) {
  const place = words.findIndex(({ token }) => token === trigger);
  const spans = given.map(([role, letters]) => {
    const own = letters.split(" ");
    const from = words.findIndex((_, i) => own.every((token, j) => words[i + j]?.token.endsWith(token)));
    return { role, from, to: from + own.length, confidence: 1 };
  });
  return plausibleArguments(words, { place, type: "attack" }, spans).map(({ role, from, to, confidence }) => {
    const text = words.slice(from, to).map(({ token }) => token);
    return [role, text.join(" "), confidence];
  });
}

test("a part of a name is no event; the first word of an organisation may be one", () => {
  const words = sentence("زار سيزار لجنة الإنقاذ الدولية", { سيزار: "PERS", "لجنة الإنقاذ الدولية": "ORG" });
  expect(words.map((_, place) => isInName(words, place))).toEqual([false, true, false, true, true]);
});

test("what stands in another clause is less sure, whoever does it before both verbs excepted", () => {
  const words = sentence("قتل مسلح شرطيا أمس ثم هاجم مركزا في بغداد");
  expect(
    left(words, "قتل", [
      ["target", "شرطيا"],
      ["place", "بغداد"],
    ]),
  ).toEqual([
    ["target", "شرطيا", 1],
    ["place", "بغداد", 0.6],
  ]);
  expect(
    left(words, "هاجم", [
      ["agent", "مسلح"],
      ["time", "أمس"],
      ["place", "بغداد"],
    ]),
  ).toEqual([
    ["agent", "مسلح", 1],
    ["time", "أمس", 1],
    ["place", "بغداد", 1],
  ]);
  const both = sentence("حصد الفريق لقبه السبت بعدما فاز على خصمه");
  expect(
    left(both, "فاز", [
      ["agent", "الفريق"],
      ["time", "السبت"],
    ]),
  ).toEqual([
    ["agent", "الفريق", 1],
    ["time", "السبت", 0.5],
  ]);
});

test("a verb has its subject on one side", () => {
  const words = sentence("تحدث الرئيسان هاتفيا ودعا ماكرون روسيا");
  expect(
    left(words, "ودعا", [
      ["agent", "الرئيسان"],
      ["agent", "ماكرون"],
      ["target", "روسيا"],
    ]),
  ).toEqual([
    ["agent", "ماكرون", 1],
    ["target", "روسيا", 1],
  ]);
});

test("a place is governed by something that tells where", () => {
  const words = sentence("هاجم مسلحون ثكنة في صنعاء، مركز المحافظة، قرب السوق");
  expect(
    left(words, "هاجم", [
      ["place", "صنعاء"],
      ["place", "مركز المحافظة"],
      ["place", "السوق"],
    ]),
  ).toEqual([
    ["place", "صنعاء", 1],
    ["place", "السوق", 1],
  ]);
});

test("a name ends before the time that follows it, and a time before the score", () => {
  const words = sentence("التقى دونالد ترامب الثلاثاء الوفد", { الثلاثاء: "DATE" });
  expect(left(words, "التقى", [["agent", "دونالد ترامب الثلاثاء"]])).toEqual([["agent", "دونالد ترامب", 1]]);
  const match = sentence("فاز الفريق يوم الأحد 4-2", { "يوم الأحد": "DATE" });
  expect(left(match, "فاز", [["time", "يوم الأحد 4"]])).toEqual([["time", "يوم الأحد", 1]]);
  const term = sentence("حكمت المحكمة بالسجن لمدة سنتين", { سنتين: "DATE" });
  expect(left(term, "حكمت", [["result", "بالسجن لمدة سنتين"]])).toEqual([["result", "بالسجن لمدة سنتين", 1]]);
});

test("what was prevented, or not done, has not happened", () => {
  const unreal = (text: string, word: string): boolean => {
    const words = sentence(text);
    return isUnreal(
      words,
      words.findIndex(({ token }) => token === word),
    );
  };
  expect(unreal("لم يتم القبض على أحد", "القبض")).toBe(true);
  expect(unreal("تدخل الجيش لمنع الاعتداء على المقر", "الاعتداء")).toBe(true);
  expect(unreal("تم القبض على رجل", "القبض")).toBe(false);
});

test("who says something ends before what is said", () => {
  const words = sentence("قال مصدر إن أليكس غادر");
  expect(left(words, "قال", [["agent", "مصدر إن أليكس"]])).toEqual([["agent", "مصدر", 1]]);
});

/** Arguments of an event of a type, as they are told: role and words, or none. */
function told(
  words: ReturnType<typeof sentence>,
  [trigger, type]: readonly [string, EventType],
  given: readonly (readonly [ArgumentRole, string])[],
) {
  const place = words.findIndex(({ token }) => token === trigger);
  const spans = given.map(([role, letters]) => {
    const own = letters.split(" ");
    const from = words.findIndex((_, i) => own.every((token, j) => words[i + j]?.token === token));
    return { role, from, to: from + own.length, confidence: 1 };
  });
  return plausibleArguments(words, { place, type }, spans).map(({ role, from, to }) => {
    const text = words.slice(from, to).map(({ token }) => token);
    return `${role}: ${text.join(" ")}`;
  });
}

type Case = readonly [
  text: string,
  names: Record<string, string>,
  event: readonly [string, EventType],
  given: readonly (readonly [ArgumentRole, string])[],
  expected: readonly string[],
];

test.each<Case>([
  ["وقع الحادث قرب الجسر أمس", {}, ["وقع", "agreement"], [["agent", "الحادث"]], []],
  ["تقع القرية بين مصر والسودان", { مصر: "GPE" }, ["تقع", "agreement"], [["agent", "القرية"]], []],
  ["وقع الوزير عقدا أمس", { الوزير: "OCC" }, ["وقع", "agreement"], [["agent", "الوزير"]], ["agent: الوزير"]],
  ["حصل الحزب على نسبة كبيرة", {}, ["حصل", "award"], [["result", "نسبة كبيرة"]], []],
  ["حصل الكاتب على جائزة كبيرة", {}, ["حصل", "award"], [["result", "جائزة كبيرة"]], ["result: جائزة كبيرة"]],
  ["وضعت الشركة الجهاز في البحر", {}, ["وضعت", "life"], [["agent", "الشركة"]], []],
  ["أطلقت السلطات سراح السجين", {}, ["أطلقت", "launch"], [["target", "سراح السجين"]], []],
  ["أطلقت الشركة هاتفا جديدا", {}, ["أطلقت", "launch"], [["target", "هاتفا جديدا"]], ["target: هاتفا جديدا"]],
  ["فاز بثقة البرلمان النائب", {}, ["فاز", "match"], [["agent", "النائب"]], []],
  ["وصل الوزير إلى القاهرة", {}, ["وصل", "aid"], [["agent", "الوزير"]], []],
  ["عين رونالدو على اللقب", { رونالدو: "PERS" }, ["عين", "appointment"], [["agent", "رونالدو"]], []],
  ["عين الرئيس سفيرا", { الرئيس: "OCC" }, ["عين", "appointment"], [["agent", "الرئيس"]], ["agent: الرئيس"]],
  ["أعلن الجيش سقوط قذيفة هاون", {}, ["سقوط", "death"], [["agent", "الجيش"]], []],
])("a word that means something else is no event: %s", (text, names, event, given, expected) => {
  expect(told(sentence(text, names), event, given)).toEqual([...expected]);
});

test.each<Case>([
  [
    "قال الوزير لرويترز إنه سيعود",
    { رويترز: "ORG" },
    ["قال", "statement"],
    [["agent", "لرويترز"]],
    ["target: لرويترز"],
  ],
  ["أعلن النادي أمس فسخ عقد لاعبه", {}, ["أعلن", "statement"], [["target", "فسخ عقد لاعبه"]], ["topic: فسخ عقد لاعبه"]],
  ["نفت الوزارة ضلوعها في الحادث", {}, ["نفت", "statement"], [["target", "ضلوعها"]], ["topic: ضلوعها"]],
  ["تلقى المتهم حكما بالسجن", {}, ["حكما", "trial"], [["agent", "المتهم"]], ["target: المتهم"]],
  ["أصدرت المحكمة حكما بالسجن", {}, ["حكما", "trial"], [["agent", "المحكمة"]], ["agent: المحكمة"]],
  ["جاء ذلك خلال لقائه محافظ المدينة", {}, ["لقائه", "meeting"], [["agent", "محافظ"]], ["target: محافظ"]],
  ["كما قال مسؤول في الإدارة أمس", {}, ["قال", "statement"], [["place", "الإدارة"]], []],
  ["قال الوزير في بيان أمس", {}, ["قال", "statement"], [["place", "بيان"]], ["place: بيان"]],
  ["كما طلاب أوقفوا أمس", {}, ["أوقفوا", "arrest"], [["target", "طلاب"]], ["target: طلاب"]],
  ["زار الوزير إلى مصر يهدف إلى تعزيز", {}, ["زار", "visit"], [["to", "مصر"]], ["to: مصر"]],
  ["استهدفت الغارات بلدات عدة", {}, ["استهدفت", "attack"], [["instrument", "بلدات عدة"]], ["target: بلدات عدة"]],
  ["أطلق المسلح النار أمس", {}, ["أطلق", "attack"], [["instrument", "النار"]], ["instrument: النار"]],
  ["عين قاضيا بالمدينة", {}, ["عين", "appointment"], [["target", "قاضيا"]], ["to: قاضيا"]],
  ["فاز الفريق وتصدر بثلاث نقاط", {}, ["فاز", "match"], [["result", "بثلاث نقاط"]], []],
  ["اعتقال خمسة أعمارهم بين 20 و 30 سنة", {}, ["اعتقال", "arrest"], [["time", "20 و 30 سنة"]], []],
  ["سجن المتهم منذ 30 سنة", {}, ["سجن", "arrest"], [["time", "30 سنة"]], ["time: 30 سنة"]],
  ["صرح الوزير في كلمة ( أقصى شرق روسيا )", {}, ["صرح", "statement"], [["topic", "أقصى شرق روسيا"]], []],
  ["انتحاري يقتل 4 عسكريين", {}, ["يقتل", "death"], [["agent", "4 عسكريين"]], ["target: 4 عسكريين"]],
  ["أمس في بغداد قتل مسلح شرطيا", {}, ["قتل", "death"], [["agent", "مسلح"]], ["agent: مسلح"]],
  ["حذر الرئيس من هجوم في إشارة إلى خصومه", {}, ["حذر", "statement"], [["place", "إشارة"]], []],
  ["تراجعت المبيعات في ظل الأزمة", {}, ["تراجعت", "statement"], [["place", "ظل الأزمة"]], []],
  ["أوقفته الشرطة قال", { الشرطة: "ORG" }, ["قال", "statement"], [["agent", "الشرطة"]], []],
])("arguments have the role that they can have where they stand: %s", (text, names, event, given, expected) => {
  expect(told(sentence(text, names), event, given)).toEqual([...expected]);
});

test.each<Case>([
  ["أكد حماقي مؤخرا أنه عاد", {}, ["أكد", "statement"], [["agent", "حماقي مؤخرا"]], ["agent: حماقي"]],
  ["قال أحد المسؤولين إنه عاد", {}, ["قال", "statement"], [["agent", "أحد"]], ["agent: أحد المسؤولين"]],
  [
    "ذكر المرصد لحقوق الإنسان أنه عاد",
    {},
    ["ذكر", "statement"],
    [["agent", "المرصد"]],
    ["agent: المرصد لحقوق الإنسان"],
  ],
  ["قال المتحدث باسم الجيش إنه عاد", {}, ["قال", "statement"], [["agent", "المتحدث"]], ["agent: المتحدث باسم الجيش"]],
  ["قال تقرير أعدته الشركة أمس", {}, ["قال", "statement"], [["agent", "تقرير أعدته الشركة"]], ["agent: تقرير"]],
  ["فاز اللاعب البالغ من العمر", {}, ["فاز", "match"], [["agent", "اللاعب البالغ"]], ["agent: اللاعب"]],
])("arguments end where what they name ends: %s", (text, names, event, given, expected) => {
  expect(told(sentence(text, names), event, given)).toEqual([...expected]);
});

test("what would happen in a case, is feared, tried or ended has not happened", () => {
  const unreal = (text: string, word: string): boolean => {
    const words = sentence(text);
    return isUnreal(
      words,
      words.findIndex(({ token }) => token === word),
    );
  };
  expect(unreal("يتوج الفريق في حال تعادل أو خسارة خصمه", "خسارة")).toBe(true);
  expect(unreal("تخشى السلطات مقتل العشرات", "مقتل")).toBe(false);
  expect(unreal("تخشى مقتل العشرات", "مقتل")).toBe(true);
  expect(unreal("حقق في محاولة اغتيال الرئيس", "اغتيال")).toBe(true);
  expect(unreal("أعلن وقف إطلاق النار", "إطلاق")).toBe(true);
  expect(unreal("تأثر الفريق بعد خسارة لاعبه", "خسارة")).toBe(false);
});
