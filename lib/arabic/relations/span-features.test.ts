import { expect, test } from "bun:test";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { beginningOf, kindsOf, ownFeatures, pathFeature, spanFeatures, wayTo } from "./span-features.ts";
import { triggerFeatures } from "./triggers.ts";
import { type ReWord, reWords, wordAt } from "./words.ts";

const morphology = await openMorphology();

/** The words of a sentence, with names by their letters. */
function sentence(text: string, names: Record<string, string> = {}): ReWord[] {
  const entities = Object.entries(names).map(([letters, type]) => {
    const start = text.indexOf(letters);
    return { type, start, end: start + letters.length };
  });
  return reWords(morphAnswer(morphology, { text, all: false }), entities);
}

const TEXT = "التقى وزير الخارجية نظيره الفرنسي في باريس أمس";
const words = sentence(TEXT, { "وزير الخارجية": "OCC", باريس: "GPE", أمس: "DATE" });
const placeOf = (token: string): number => words.findIndex((word) => word.token === token);

test("a run of words lies behind a trigger, with so many nouns, verbs, prepositions and commas between", () => {
  const paris = { from: placeOf("باريس"), to: placeOf("باريس") + 1 };
  expect(wayTo(words, 0, paris)).toEqual({ isAfter: true, order: "a2010", gap: 5, path: "NANA" });
  expect(wayTo(words, 0, { from: 1, to: 3 })).toEqual({ isAfter: true, order: "a0000", gap: 0, path: "" });
});

test("a run of words before a trigger has what stands between them, too", () => {
  const own = sentence("الشرطة، التي وصلت، اعتقلت المتهم");
  const arrested = own.findIndex(({ token }) => token === "اعتقلت");
  const way = wayTo(own, arrested, { from: 0, to: 1 });
  expect(way.isAfter).toBe(false);
  expect(way.order).toBe("b1101");
  expect(way.gap).toBe(4);
});

test("of what is between no more than a few are counted", () => {
  const many = sentence("قال إن الأول والثاني والثالث والرابع والخامس والسادس وصلوا");
  const { gap, path } = wayTo(many, 0, { from: many.length - 1, to: many.length });
  expect([gap, path.length]).toEqual([5, 4]);
});

test("a run of words begins with its first word, and what governs it", () => {
  const inParis = beginningOf(words, placeOf("باريس"));
  expect([inParis.first.token, inParis.before.token, inParis.preposition]).toEqual(["باريس", "في", "في"]);
  expect(beginningOf(words, 1).preposition).toBe("-");
  const joined = sentence("سافر بالقطار إلى دمشق، مع أخيه");
  expect(beginningOf(joined, 1).preposition).toBe("ب");
  expect(beginningOf(joined, 3).preposition).toBe("الي");
  expect(
    beginningOf(
      joined,
      joined.findIndex(({ token }) => token === "مع"),
    ).preposition,
  ).toBe("،");
  expect(beginningOf(joined, 0).before.lemma).toBe("#");
});

test.each([
  ["رأى رجلاً", "رجلاً", "a"],
  ["رأى رجلًا", "رجلًا", "a"],
  ["وصل المهندسون", "المهندسون", "n"],
  ["وصل الوزيران", "الوزيران", "n"],
  ["رأى المهندسين", "المهندسين", "o"],
  ["رأى الوزيرين", "الوزيرين", "o"],
  ["وصل أبو خالد", "أبو", "n"],
  ["وصل الوزير", "الوزير", ""],
])("%s: the letters of %s show the case %p", (text, token, cases) => {
  const own = sentence(text);
  expect(
    beginningOf(
      own,
      own.findIndex((word) => word.token === token),
    ).cases,
  ).toBe(cases);
});

test("a run of words is of the kinds of the entities that it is exactly", () => {
  expect(kindsOf(words, { from: 1, to: 3 })).toEqual(["OCC"]);
  expect(kindsOf(words, { from: 1, to: 2 })).toEqual(["-"]);
  expect(kindsOf(words, { from: 2, to: 3 })).toEqual(["-"]);
  expect(kindsOf(words, { from: placeOf("أمس"), to: placeOf("أمس") + 1 })).toEqual(["DATE"]);
});

/** The features of a run of words alone. */
const ownOf = (from: number, to: number): string[] => ownFeatures(words, { from, to }, beginningOf(words, from));

test("features tell how long a run is, what it begins and ends with, and whether it cuts a name", () => {
  const whole = ownOf(1, 3);
  for (const feature of ["n 2", "q -", "fl وزير", "ll خارجي", "k OCC", "kq OCC -", "cut false true"]) {
    expect(whole).toContain(feature);
  }
  const cut = ownOf(2, 4);
  expect(cut).toContain("cut true false");
  expect(cut).toContain("k -");
  expect(ownOf(1, 4)).toContain("kh OCC false");
  expect(ownOf(2, 3)).toContain("ki OCC");
  const paris = ownOf(placeOf("باريس"), placeOf("باريس") + 1);
  for (const feature of ["n 1", "q في", "k GPE", "kq GPE في", "bl في"]) expect(paris).toContain(feature);
});

test("a long run is as long as one of six words", () => {
  expect(ownOf(0, 7)).toContain("n 6");
  expect(ownOf(0, 5)).toContain("n 5");
});

test("the way to a run is a feature by its side and its words", () => {
  expect(pathFeature({ isAfter: true, path: "NNA", order: "", gap: 3 })).toBe("path a NNA");
  expect(pathFeature({ isAfter: false, path: "", order: "", gap: 0 })).toBe("path b ");
});

test("features are the same for the same words, and others for another trigger, type, run or name", () => {
  const span = { from: 1, to: 3 };
  const features = (own: ReWord[], type: "meeting" | "visit", place = 0, run = span): string =>
    spanFeatures(own, { place, type }, run).join(" ");
  const asked = features(words, "meeting");
  expect(features(sentence(TEXT, { "وزير الخارجية": "OCC", باريس: "GPE", أمس: "DATE" }), "meeting")).toBe(asked);
  const others = [
    features(words, "visit"),
    features(words, "meeting", 4),
    features(words, "meeting", 0, { from: 1, to: 4 }),
    features(sentence(TEXT), "meeting"),
  ];
  expect(new Set([asked, ...others]).size).toBe(5);
});

test("a word that usually names an event has more features than one that names none", () => {
  const counts = words.map((_, place) => triggerFeatures(words, place).length);
  const [met = 0] = counts;
  expect(met).toBeGreaterThan(counts[placeOf("في")] ?? 0);
});

test("features of triggers tell the words around, and names in them", () => {
  const features = (own: ReWord[], place: number): string => triggerFeatures(own, place).join(" ");
  const named = sentence(TEXT, { باريس: "GPE" });
  expect(features(words, 0)).toBe(features(sentence(TEXT, { "وزير الخارجية": "OCC", باريس: "GPE", أمس: "DATE" }), 0));
  expect(features(named, 0)).not.toBe(features(words, 0));
  expect(features(sentence(`لم يلتق ${TEXT.slice(6)}`), 1)).not.toBe(features(words, 0));
});

test("beyond a sentence there are words that are none", () => {
  for (const place of [-1, words.length])
    expect(wordAt(words, place)).toMatchObject({ pos: "#", lemma: "#", names: [] });
});
