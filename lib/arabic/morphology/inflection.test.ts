import { expect, setDefaultTimeout, test } from "bun:test";
import { morphAnswer } from "./answer.ts";
import { openMorphology } from "./model.ts";

const morphology = await openMorphology();

// The first words take a while on a machine that is busy.
setDefaultTimeout(300_000);

const read = (text: string) => morphAnswer(morphology, { text, all: false, inflected: true });
const vowels = (text: string) => read(text).map(({ diac, token }) => (diac ?? token).normalize("NFC"));
const composed = (words: readonly string[]) => words.map((word) => word.normalize("NFC"));

test("case and state follow from prepositions, the construct, the verb and agreement", () => {
  const words = read("قرأ الطالب كتاب المعلم في المدرسة الجديدة");
  expect(words.map((word) => [word.case, word.state])).toEqual([
    [undefined, undefined],
    ["nom", "def"],
    [undefined, "const"],
    ["gen", "def"],
    [undefined, undefined],
    ["gen", "def"],
    ["gen", "def"],
  ]);
  expect(vowels("قرأ الطالب كتاب المعلم في المدرسة الجديدة")).toEqual(
    composed(["قَرَأَ", "الطالِبُ", "كِتاب", "المُعَلِّمِ", "فِي", "المَدرَسَةِ", "الجَدِيدَةِ"]),
  );
});

test("particles give the accusative, and verbs their mood", () => {
  expect(vowels("إن الوزير لم يكتب ولن يسافر")).toEqual(composed(["إِنَّ", "الوَزِيرَ", "لَم", "يَكتُب", "وَلَن", "يُسَافِرَ"]));
  expect(read("لم يكتب ولن يسافر وهو يكتب").flatMap(({ mood }) => mood ?? [])).toEqual(["jus", "sub", "ind"]);
});

test("what is written decides: sound plurals, tanwin, a last vowel", () => {
  const caseOf = (word: string) => read(word).map((each) => each.case);
  expect(caseOf("المعلمون")).toEqual(["nom"]);
  expect(caseOf("كتابا")).toEqual(["acc"]);
  expect(read("رأى الكتابِ")[1]).toMatchObject({ case: "gen", diac: "الكِتابِ" });
});

test("a word that the lexicon lacks has none of it, and none is told unless it is asked for", () => {
  expect(read("زخبطونيا")[0]?.diac).toBeUndefined();
  expect(morphAnswer(morphology, { text: "كتاب", all: false })[0]?.state).toBeUndefined();
});

test.each([
  ["لضحايا الاستبداد", 0, "لِضَحايا", "const"],
  ["بإحدى الفعاليات", 0, "بِإِحدَى", "const"],
  ["لكامل أسطول الشركة", 0, "لِكامِلِ", "const"],
  ["مع الوزير", 0, "مَعَ", "const"],
  ["من بين الوزراء", 1, "بَينِ", "const"],
])("%s: word %i is %s, and nothing that nobody can say", (text, place, diac, state) => {
  const word = read(text)[place];
  expect([word?.diac?.normalize("NFC"), word?.state]).toEqual([diac.normalize("NFC"), state]);
});

test("for what is no particle of the jussive", () => {
  expect(read("رد لما يحدث اليوم").find(({ token }) => token === "يحدث")?.mood).toBe("ind");
  expect(read("لم يحدث").find(({ token }) => token === "يحدث")?.mood).toBe("jus");
});

test.each([
  ["أوصى الأطباء بألا يأكلوا السكر", "يأكلوا", "sub"],
  ["سمح بأن يزور القرية", "يزور", "sub"],
  ["أراد ألا يتأخر", "يتأخر", "sub"],
  ["فلن يعود أحد", "يعود", "sub"],
  ["حتى يعود الهدوء", "يعود", "sub"],
  ["كي نفهم ما حدث", "نفهم", "sub"],
  ["إن تدرس تنجح", "تدرس", "jus"],
  ["لا تنس شيئا", "تنس", "jus"],
  ["ولم نكتب شيئا", "نكتب", "jus"],
  ["لا يكتب شيئا", "يكتب", "ind"],
  ["قد يكتب شيئا", "يكتب", "ind"],
])("%s: the mood of %s is %s", (text, verb, mood) => {
  expect<unknown>(read(text).find(({ token }) => token === verb)?.mood).toBe(mood);
});

/** Case and state of a word by what stands before and behind it. */
test.each([
  ["وصل الوزير", "الوزير", "nom", "def"],
  ["قابله الوزير", "الوزير", "nom", "def"],
  ["كتبت الطالبة", "الطالبة", "nom", "def"],
  ["كتبوا الدرس", "الدرس", "acc", "def"],
  ["في بيت كبير", "كبير", "gen", "indef"],
  ["إلى بيت المعلم", "بيت", "gen", "const"],
  ["إلى بيتهم الجديد", "الجديد", "gen", "def"],
  ["لكن الوزير رفض", "الوزير", "acc", "def"],
  ["لعل الحل قريب", "الحل", "acc", "def"],
  ["بالوزير والسفير", "والسفير", "gen", "def"],
  ["قتل الجندي", "الجندي", "nom", "def"],
  ["وقف قرب الحدود", "قرب", "acc", "const"],
  ["من قرب الحدود", "قرب", "gen", "const"],
  ["المهندسين الجدد", "المهندسين", undefined, "def"],
])("%s: %s is %s and %s", (text, noun, own, state) => {
  const word = read(text).find(({ token }) => token === noun);
  expect<unknown>([word?.case, word?.state]).toEqual([own, state]);
});
