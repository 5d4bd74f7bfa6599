import { expect, test } from "bun:test";
import { foldToken } from "./find-entities.ts";
import { knownElsewhere } from "./known-elsewhere.ts";

/** A sentence with entities: `[type, their words]`, or `[type, words, probability]`. */
type Told = { text: string; entities: readonly (readonly [type: string, name: string, probability?: number])[] };

/** Entities of each sentence after all are read together, as `TYPE name`. */
function read(told: readonly Told[], known: readonly string[] = []): string[][] {
  const sentences = told.map(({ text, entities }) => {
    const tokens = text.split(" ");
    const spans = entities.map(([type, name, probability = 0.9]) => {
      const words = name.split(" ");
      const start = tokens.findIndex((_, i) => tokens.slice(i, i + words.length).join(" ") === name);
      return { type, start, end: start + words.length, probability, cut: 0 };
    });
    return { tokens, words: tokens.map(foldToken), spans };
  });
  const rank = new Map(known.map((word, i) => [foldToken(word), i]));
  return knownElsewhere(sentences, rank).map((spans, i) =>
    spans.map(({ type, start, end }) => `${type} ${sentences[i]?.tokens.slice(start, end).join(" ")}`),
  );
}

const kushner: Told = { text: "شكك جاريد كوشنير في ذلك", entities: [["PERS", "جاريد كوشنير"]] };

test("a family name in a headline is the person's whom the text names in full", () => {
  for (const type of ["ORG", "GPE", "PRODUCT", "EVENT"]) {
    const headline: Told = { text: "كوشنير يشكك بقدرة عباس", entities: [[type, "كوشنير"]] };
    expect(read([headline, kushner])).toEqual([["PERS كوشنير"], ["PERS جاريد كوشنير"]]);
  }
});

test("a number or a time with the letters of a name stays what it is", () => {
  const headline: Told = { text: "كوشنير يشكك", entities: [["DATE", "كوشنير"]] };
  expect(read([headline, kushner])[0]).toEqual(["DATE كوشنير"]);
});

test("who is hardly named as a person makes nobody else one", () => {
  const unsure: Told = { text: "شكك جاريد كوشنير في ذلك", entities: [["PERS", "جاريد كوشنير", 0.5]] };
  const headline: Told = { text: "كوشنير يشكك", entities: [["ORG", "كوشنير"]] };
  expect(read([headline, unsure])[0]).toEqual(["ORG كوشنير"]);
});

test("behind a word for a thing a family name is that of the thing", () => {
  const ford: Told = { text: "أسس هنري فورد مصنعا", entities: [["PERS", "هنري فورد"]] };
  const company: Told = { text: "باعت شركة فورد سيارة", entities: [["ORG", "فورد"]] };
  expect(read([ford, company])[1]).toEqual(["ORG فورد"]);
  expect(read([ford, { text: "باعت فورد سيارة", entities: [["ORG", "فورد"]] }])[1]).toEqual(["PERS فورد"]);
});

test("a name with the article is a person's only where the text is not surer of something else", () => {
  const person: Told = { text: "سجل سيف النصر هدفا", entities: [["PERS", "سيف النصر", 0.8]] };
  const club = (probability: number): Told => ({ text: "فاز النصر أمس", entities: [["ORG", "النصر", probability]] });
  expect(read([person, club(0.9)])[1]).toEqual(["ORG النصر"]);
  expect(read([person, club(0.7)])[1]).toEqual(["PERS النصر"]);
});

test("a place stays one where a person's name ends with it and the text is surer of the place", () => {
  const person: Told = { text: "قالت ميس لبنان إنها", entities: [["PERS", "ميس لبنان", 0.7]] };
  const place: Told = { text: "عادت إلى لبنان أمس", entities: [["GPE", "لبنان", 0.95]] };
  expect(read([person, place], ["لبنان"])[1]).toEqual(["GPE لبنان"]);
});

test("the two last words of a name are found wherever they stand, and what was found in them is a part of it", () => {
  const full: Told = { text: "توفي عبد الرحمن سوار الذهب أمس", entities: [["PERS", "عبد الرحمن سوار الذهب"]] };
  const known = ["سوار", "الذهب"];
  expect(read([full, { text: "وسلم سوار الذهب السلطة", entities: [["OCC", "سوار"]] }], known)[1]).toEqual([
    "PERS سوار الذهب",
  ]);
  expect(read([full, { text: "ارتفع سعر الذهب أمس", entities: [] }], known)[1]).toEqual([]);
  const within: Told = { text: "شارع سوار الذهب مغلق", entities: [["FAC", "شارع سوار الذهب"]] };
  expect(read([full, within], known)[1]).toEqual(["FAC شارع سوار الذهب"]);
});

test("a family name alone is found where it is no word otherwise", () => {
  const alone: Told = { text: "وعاد كوشنير أمس", entities: [] };
  expect(read([kushner, alone])[1]).toEqual(["PERS كوشنير"]);
  expect(read([kushner, alone], ["كوشنير"])[1]).toEqual([]);
  expect(read([kushner, { text: "شركة كوشنير كبيرة", entities: [] }])[1]).toEqual([]);
});

test("a short last word names nobody", () => {
  const person: Told = { text: "قال كيم جو أمس", entities: [["PERS", "كيم جو"]] };
  expect(read([person, { text: "في جو حار", entities: [] }])[1]).toEqual([]);
});

test("English names are known elsewhere too", () => {
  const full: Told = { text: "Oscar Pistorius was charged", entities: [["PERS", "Oscar Pistorius"]] };
  const headline: Told = { text: "Lead investigator booted in Pistorius case", entities: [["ORG", "Pistorius"]] };
  expect(read([headline, full])[0]).toEqual(["PERS Pistorius"]);
});

test("a text without persons is as it was, its names of one kind", () => {
  const told: Told[] = [
    { text: "زار دمشق أمس", entities: [["GPE", "دمشق"]] },
    { text: "عاد من دمشق", entities: [["LOC", "دمشق", 0.6]] },
    { text: "لا شيء", entities: [] },
  ];
  expect(read(told)).toEqual([["GPE دمشق"], ["GPE دمشق"], []]);
});
