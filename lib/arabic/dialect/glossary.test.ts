import { expect, test } from "bun:test";
import { bareOf, soundForm, stemsOf } from "./glossary.ts";

test.each([
  ["ثلاثة", "تلاته"],
  ["هذا", "هده"],
  ["ضابط", "دابط"],
  ["قرأوا", "قراو"],
  ["بدي", "بده"],
])("%s sounds as %s is written", (word, sound) => expect(soundForm(word)).toBe(sound));

test("a word and what it is heard as sound the same", () => {
  for (const [one, other] of [
    ["ثوم", "توم"],
    ["ظهر", "ضهر"],
    ["كتبوا", "كتبو"],
    ["مَدْرَسة", "مدرسه"],
  ] as const) {
    expect(soundForm(one)).toBe(soundForm(other));
  }
});

const joined = (word: string): string[] =>
  stemsOf(word)
    .filter(({ cut }) => cut === "joined")
    .map(({ stem }) => stem);

test.each([
  ["عالبحر", "بحر"],
  ["وبالبيت", "بيت"],
  ["للمدرسة", "مدرسه"],
  ["هالولد", "ولد"],
  ["بيتنا", "بيت"],
  ["ماشفتوش", "شفت"],
])("%s may be %s with what is joined to it", (word, stem) => expect(joined(word)).toContain(stem));

test("before a pronoun t may be the feminine ending", () => {
  expect(joined("سيارتي")).toEqual(expect.arrayContaining(["سيارت", "سياره"]));
});

test("the word itself comes first, then what lacks least, and what is joined before persons and numbers", () => {
  const stems = stemsOf("بالبيت");
  expect(stems[0]).toMatchObject({ stem: "بالبيت", cut: "joined", letters: 0 });
  const cuts = stems.map(({ cut }) => cut === "joined");
  expect(cuts).toEqual([...cuts].sort((a, b) => Number(b) - Number(a)));
  const letters = stems.filter(({ cut }) => cut === "joined").map((each) => each.letters);
  expect(letters).toEqual([...letters].sort((a, b) => a - b));
});

test("the article is told where it was cut off", () => {
  expect(stemsOf("البيت").find(({ stem }) => stem === "بيت")?.hasArticle).toBe(true);
  expect(stemsOf("بيتنا").find(({ stem }) => stem === "بيت")?.hasArticle).toBe(false);
});

test("of a word no stem of one letter is left, and none of an empty one", () => {
  for (const word of ["ب", "وب", "بال", "كتب", "بدي", "لك", ""]) {
    for (const { stem } of stemsOf(word)) expect(stem.length).toBeGreaterThanOrEqual(2);
  }
  expect(stemsOf("")).toEqual([]);
});

test("a verb loses its persons and a noun its gender and number, to three letters at least", () => {
  expect(bareOf("يكتبوا", "verb")).toContain("كتب");
  expect(bareOf("كتبت", "verb")).toContain("كتب");
  expect(bareOf("سيارات", "noun")).toContain("سيار");
  expect(bareOf("كتابين", "noun")).toContain("كتاب");
  for (const cut of ["verb", "noun"] as const) {
    for (const stem of bareOf("تات", cut)) expect(stem.length).toBeGreaterThanOrEqual(2);
  }
});
