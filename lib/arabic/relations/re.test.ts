import { expect, test } from "bun:test";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { openRelations, relationsOf } from "./answer.ts";
import { clauseBehind, isUnreal } from "./model.ts";
import { type ReEntity, reWords } from "./words.ts";

const morphology = await openMorphology();
const model = await openRelations();
const tokensOf = (text: string) => morphAnswer(morphology, { text, all: false });
const wordsOf = (text: string) => reWords(tokensOf(text), []);
const relations = (text: string, entities: readonly ReEntity[] = []) =>
  relationsOf({ text, tokens: tokensOf(text), entities }, model);

test("a word begins behind its proclitics, the article excepted, whatever marks it carries", () => {
  const text = "وَبِالمدينةِ للوزير بخمسة ملايين والتقى أقال";
  const points = [...text];
  expect(wordsOf(text).map(({ start, end, clitics }) => [points.slice(start, end).join(""), clitics])).toEqual([
    ["المدينةِ", "و+ب"],
    ["لوزير", "ل"],
    ["خمسة", "ب"],
    ["ملايين", ""],
    ["التقى", "و"],
    ["أقال", ""],
  ]);
});

test("letters of a word that the lexicon has are no proclitics", () => {
  const text = "قالت وكالة الأنباء إن والده ووالدته في كاليفورنيا بالـ1990 وأنقرة والترام";
  const clitics = wordsOf(text).map(({ form, clitics: cut }) => [form, cut]);
  expect(clitics.filter(([, cut]) => cut !== "")).toEqual([
    ["ووالدته", "و"],
    ["بال", "ب"],
    ["وانقره", "و"],
    ["والترام", "و"],
  ]);
});

test("an event has its arguments, each with its role, its place and how sure it is", async () => {
  const text = "😀 قُتل ثلاثة جنود في هجوم مسلح. التقى وزير الخارجية نظيره الفرنسي في باريس أمس.";
  const points = [...text];
  const names = { CARDINAL: "ثلاثة", NORP: "جنود", OCC: "وزير الخارجية", GPE: "باريس", DATE: "أمس" };
  const found = await relations(
    text,
    Object.entries(names).map(([type, name]) => {
      const start = [...text.slice(0, text.indexOf(name))].length;
      return { type, start, end: start + [...name].length };
    }),
  );
  for (const { subject, object, confidence, offsets } of found) {
    expect(points.slice(offsets.subject.start, offsets.subject.end).join("")).toBe(subject);
    expect(points.slice(offsets.object.start, offsets.object.end).join("")).toBe(object);
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(1);
  }
  expect(found).toContainEqual(
    expect.objectContaining({ event: "meeting", subject: "التقى", predicate: "agent", object: "وزير الخارجية" }),
  );
  expect(found).toContainEqual(expect.objectContaining({ event: "meeting", predicate: "place", object: "باريس" }));
  expect(found).toContainEqual(expect.objectContaining({ event: "meeting", predicate: "time", object: "أمس" }));
  expect(found).toContainEqual(expect.objectContaining({ event: "death", predicate: "target", object: "ثلاثة جنود" }));
});

test("what did not happen is no event, and a text without words or without end has none either", async () => {
  expect(await relations("لم يلتق الوزير أحداً في باريس.")).toEqual([]);
  for (const text of ["😀", "َ", "...", "ك"]) expect(await relations(text)).toEqual([]);
  expect((await relations("كلمة ".repeat(500))).length).toBeLessThan(500);
});

/** Whether the word of a sentence that begins with these letters is said not to happen, or only perhaps. */
function unreal(text: string, word: string): boolean {
  const words = wordsOf(text);
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

test("the clause that tells what was said begins behind its complementizer, and holds no arguments of the saying", async () => {
  const text = "أكد الوزير أمس أن الجيش نفذ هجمات خلال اليومين الماضيين.";
  const words = wordsOf(text);
  expect(words[clauseBehind(words, 0)]?.token).toBe("أن");
  expect(clauseBehind(wordsOf("انتقد الوزير الحكومة."), 0)).toBe(4);
  const statement = (await relations(text)).filter(({ event }) => event === "statement");
  expect(statement.map(({ object }) => object)).toContain("الوزير");
  expect(statement.filter(({ offsets }) => offsets.object.start > text.indexOf("أن "))).toEqual([]);
});

test("a sentence twice as long is read with twice as many looks at its words, whatever it consists of", () => {
  const looks = (text: string): number => {
    let count = 0;
    const counted = new Proxy(wordsOf(text), {
      get(words, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) count++;
        return Reflect.get(words, key, receiver);
      },
    });
    const eventAt = model.reader(counted);
    for (let place = 0; place < counted.length; place++) eventAt(place);
    return count;
  };
  for (const unit of ["و ", "\u0651 ", "هجوم "]) {
    expect(looks(unit.repeat(400))).toBeLessThan(2.5 * looks(unit.repeat(200)));
  }
});

test("a name has all words that it lies in, also where it ends within one, and none of another sentence", () => {
  const text = "زار الوزير بيروت والقاهرة";
  const namesOf = (entities: ReEntity[]) => reWords(tokensOf(text), entities).map(({ names }) => names);
  const type = "GPE";
  const place = { type, from: 2, to: 3 };
  expect(namesOf([{ type, start: 11, end: 16 }])).toEqual([[], [], [place], []]);
  expect(namesOf([{ type, start: 12, end: 14 }])).toEqual([[], [], [place], []]);
  const both = { type, from: 2, to: 4 };
  expect(namesOf([{ type, start: 11, end: 20 }])).toEqual([[], [], [both], [both]]);
  for (const [start, end] of [
    [10, 11],
    [25, 40],
    [0, 0],
  ] as const) {
    expect(namesOf([{ type, start, end }])).toEqual([[], [], [], []]);
  }
});

/** Sentences, each with events that it tells of: the type, the role and the words of who or what takes part. */
const TOLD: readonly (readonly [text: string, ...told: string[]])[] = [
  ["التقى وزير الخارجية نظيره الأردني في عمان أمس.", "meeting agent وزير الخارجية", "meeting target نظيره الأردني"],
  ["قتل ثلاثة جنود في هجوم شنه مسلحون على ثكنة فجر الثلاثاء.", "death target ثلاثة جنود", "attack agent مسلحون"],
  ["فاز الأهلي على الزمالك بهدفين مقابل هدف في القاهرة.", "match agent الأهلي", "match target الزمالك"],
  [
    "وقعت الشركة عقدا مع الحكومة المصرية لبناء محطة كهرباء.",
    "agreement agent الشركة",
    "agreement target الحكومة المصرية",
  ],
  ["عين الرئيس سامر حداد وزيرا للمالية.", "appointment to وزيرا للمالية"],
  ["اعتقلت الشرطة خمسة رجال في مدينة طرابلس.", "arrest agent الشرطة", "arrest place مدينة طرابلس"],
  ["أصيب سبعة أشخاص في حادث سير قرب بيروت.", "injury target سبعة أشخاص", "disaster place بيروت"],
  ["حكمت المحكمة على المتهم بالسجن خمس سنوات.", "trial agent المحكمة", "trial target المتهم"],
  ["تظاهر آلاف العمال في تونس احتجاجا على رفع الأسعار.", "protest agent آلاف العمال", "protest topic رفع الأسعار"],
  ["نالت الكاتبة جائزة الرواية العربية.", "award target الكاتبة", "award result جائزة الرواية العربية"],
  ["أطلقت الوكالة قمرا صناعيا جديدا إلى الفضاء.", "launch agent الوكالة", "launch target قمرا صناعيا جديدا"],
  [
    "اشترت الشركة مصنعا في المغرب بعشرة ملايين دولار.",
    "acquisition agent الشركة",
    "acquisition amount عشرة ملايين دولار",
  ],
  ["توفي الممثل في مستشفى بالقاهرة عن سبعين عاما.", "death target الممثل"],
  ["تأسست الجمعية في دمشق عام 1950.", "founding target الجمعية", "founding place دمشق", "founding time عام 1950"],
  ["نفى المتحدث باسم الجيش وقوع أي خسائر.", "statement agent المتحدث باسم الجيش"],
  ["قال مصدر أمني إن الشرطة اعتقلت رجلين أمس.", "statement agent مصدر أمني"],
  ["دعا الأمين العام إلى وقف القتال في ليبيا.", "statement agent الأمين العام", "statement topic وقف القتال"],
  // What did not happen, or is something else.
  ["لم يلتق الوزير نظيره التركي."],
  ["قد تزور المستشارة أنقرة في الربيع."],
  ["وقع الانفجار قرب السوق."],
  ["أطلقت السلطات سراح الصحفي."],
];

test.each(TOLD)("tells who takes part in what happens, and of nothing else: %s", async (text, ...told) => {
  const sure = (await relations(text)).filter(({ confidence }) => confidence >= 0.5);
  const found = sure.map(({ event, predicate, object }) => `${event} ${predicate} ${object}`);
  if (told.length === 0) expect(found).toEqual([]);
  else expect(found).toEqual(expect.arrayContaining(told));
});

/** Sentences with all that is told of them: event, its word, role, who or what has it, and how sure that is. */
const RELATIONS_TOLD: readonly (readonly [text: string, ...told: string[]])[] = [
  [
    "أسفر زلزال ضرب جنوب البلاد عن مقتل عشرين شخصا وإصابة مئة آخرين.",
    "death مقتل target عشرين شخصا 0.98",
    "injury إصابة target مئة آخرين 0.22",
  ],
  [
    "خسر المنتخب السوري أمام نظيره الإيراني بثلاثة أهداف مقابل هدف في الدوحة.",
    "match خسر agent المنتخب السوري 0.70",
    "match خسر target نظيره الإيراني 0.72",
    "match خسر result ثلاثة أهداف مقابل هدف 0.70",
    "match خسر place الدوحة 0.68",
  ],
  [
    "افتتحت الوزيرة معرض الكتاب في الرياض بحضور مئات الناشرين.",
    "launch افتتحت agent الوزيرة 0.99",
    "launch افتتحت target معرض الكتاب 0.78",
    "launch افتتحت place الرياض 0.84",
  ],
  [
    "استقال محافظ البنك المركزي من منصبه احتجاجا على قرار الحكومة.",
    "resignation استقال agent محافظ البنك المركزي 0.94",
    "resignation استقال from منصبه 0.96",
  ],
  ["نفت الوزارة أن تكون القوات قد قصفت المستشفى.", "statement نفت agent الوزارة 0.97"],
  [
    "شن الطيران غارات على مواقع المتمردين في صعدة فجر اليوم.",
    "attack غارات target مواقع المتمردين 0.93",
    "attack غارات place صعدة 0.91",
    "attack غارات time فجر اليوم 0.92",
  ],
  [
    "تبرع رجل أعمال كويتي بمليون دولار لضحايا الفيضانات.",
    "aid تبرع agent رجل أعمال كويتي 0.87",
    "aid تبرع amount مليون دولار 0.91",
    "aid تبرع target ضحايا الفيضانات 0.59",
  ],
  [
    "أدانت المحكمة الضابط بتهمة القتل وحكمت عليه بالسجن المؤبد.",
    "trial أدانت agent المحكمة 0.90",
    "trial أدانت target الضابط 0.98",
    "trial أدانت topic تهمة القتل 0.97",
    "trial أدانت result السجن المؤبد 0.37",
    "trial حكمت target الضابط 0.42",
    "trial حكمت result السجن المؤبد 0.87",
  ],
  [
    "تزوج المغني من الممثلة المصرية في حفل صغير بباريس.",
    "life تزوج agent المغني 0.99",
    "life تزوج target الممثلة المصرية 0.98",
    "life تزوج place حفل صغير بباريس 0.98",
  ],
  [
    "حذرت منظمة الصحة العالمية من انتشار الكوليرا في اليمن.",
    "statement حذرت agent منظمة الصحة العالمية 0.91",
    "statement حذرت topic انتشار الكوليرا 0.75",
  ],
];

test.each(RELATIONS_TOLD)(
  "is as sure of who takes part as when the shipped model was last measured: %s",
  async (text, ...told) => {
    const found = await relations(text);
    expect(
      found.map(({ event, subject, predicate, object, confidence }) =>
        [event, subject, predicate, object, confidence.toFixed(2)].join(" "),
      ),
    ).toEqual(told);
  },
);
