import { describe, expect, test } from "bun:test";
import type { StoryCandidate, StoryReport, StoryText } from "../../store/mod.ts";
import { rarity, unpackTraits } from "./traits.ts";
import { MIN_LINK, reportOf, type Signals, signalsOf, STORIES_VERSION, STORY_RULES, termsOf, weigh } from "./rules.ts";

const HOUR_MS = 3_600_000;

const text = (articleId: number, fields: Partial<StoryText> = {}): StoryText => ({
  articleId,
  sourceId: `s${articleId}`,
  title: "Ferry sinks off Sulawesi with 74 aboard",
  content: "An Indonesian ferry with 74 people aboard sank in rough seas off Sulawesi on Tuesday, Basarnas said.",
  lang: "en",
  at: articleId * HOUR_MS,
  entities: [{ entityId: 7, name: "Sulawesi", mentions: 2 }],
  vectors: [Float32Array.of(1, 0, 0, 0.5)],
  read: undefined,
  ...fields,
});
const RATES = {
  title: "Central bank cuts rates",
  content: "The central bank lowered its deposit rate by 100 basis points to 19 percent.",
  entities: [],
  vectors: [Float32Array.of(0, 1, 0, 0)],
};
const candidate = (of: number, report: StoryReport): StoryCandidate => ({ of, ...report });

describe("STORY_RULES", () => {
  const [one, two, other] = [reportOf(text(1)), reportOf(text(2)), reportOf(text(3, RATES))];

  test("links what is alike, and keeps no link that is hopeless", () => {
    const links = STORY_RULES.weigh([one], [candidate(1, two), candidate(1, other)]);
    expect(links.map(({ a, b }) => [a, b])).toEqual([[1, 2]]);
    expect(links[0]?.weight).toBeGreaterThan(0);
  });

  test("what a market did on two days is no one event, however alike it is told; what it did on one day is", () => {
    const gold = (articleId: number, day: number, title: string, lang: string) =>
      reportOf(
        text(articleId, { title, lang, at: day * 24 * HOUR_MS, content: `${title}, traders said in Singapore.` }),
      );
    const today = gold(5, 1, "Gold slips to six-month low as dollar firms", "en");
    const linked = (other: StoryReport) => STORY_RULES.weigh([today], [candidate(5, other)]).length > 0;
    expect(linked(gold(6, 1.5, "Gold slips to six-month low as dollar firms", "en"))).toBe(true);
    expect(linked(gold(7, 2, "Gold slips to six-month low as dollar firms", "en"))).toBe(false);
    expect(linked(gold(8, 2, "الذهب يتراجع إلى أدنى مستوى في 6 أشهر مع صعود الدولار", "ar"))).toBe(false);
    // No price moved: a find, and what became of it.
    const find = gold(5, 1, "Divers find gold of the Atocha off Florida", "en");
    const later = gold(6, 2, "Divers find more gold of the Atocha off Florida", "en");
    expect(STORY_RULES.weigh([find], [candidate(5, later)])).toHaveLength(1);
  });

  test("a candidate of an article that is not asked about is passed over", () => {
    expect(STORY_RULES.weigh([one], [candidate(9, two)])).toEqual([]);
    expect(STORY_RULES.weigh([], [candidate(1, two)])).toEqual([]);
  });

  test("parts what it links", () => {
    const members = [one, two, other].map(({ articleId, at }) => ({ id: articleId, at }));
    const links = STORY_RULES.weigh([one, other], [candidate(1, two), candidate(3, one)]);
    expect(STORY_RULES.part(members, links).map((part) => part.map(({ id }) => id))).toEqual([[1, 2], [3]]);
    expect(STORY_RULES.version).toBe(STORIES_VERSION);
  });

  test("what was read of a text that its source has replaced counts no more, that of a text it mended does", () => {
    const vector = (fields: Partial<StoryText>) => unpackTraits(reportOf(text(1, fields)).traits);
    expect(vector({ before: RATES.content })).toMatchObject({
      vector: { length: 0 },
      names: { hashes: { length: 0 } },
    });
    const mended = text(1).content.replace("74", "75");
    expect(vector({ content: mended, before: text(1).content }).vector).toHaveLength(4);
    expect(vector({ before: null }).vector).toHaveLength(4);
  });

  test("a report has bounded keys, stems of its title, and traits that are read back", () => {
    expect(one.keys.length).toBeWithin(5, 27);
    expect(new Set(one.keys).size).toBe(one.keys.length);
    expect(one.stems.length).toBeGreaterThan(3);
    expect(
      signalsOf({ ...one, traits: unpackTraits(one.traits) }, { ...two, traits: unpackTraits(two.traits) }).words,
    ).toBeGreaterThan(0.95);
  });
});

describe("weigh", () => {
  const none: Signals = {
    words: 0,
    title: 0,
    meaning: 0,
    names: 0,
    numbers: 0,
    days: 0,
    sameSource: 0,
    read: undefined,
  };
  const much: Signals = { ...none, words: 0.7, title: 0.6, meaning: 0.9, names: 0.7, numbers: 0.5 };
  const pairs = [
    ["ar", "ar"],
    ["en", "en"],
    ["ar", "en"],
    ["fr", "fr"],
  ] as const;

  test.each(pairs)("of %s and %s nothing in common is hopeless, much is likely", (one, other) => {
    expect(weigh(none, one, other)).toBeLessThan(MIN_LINK);
    expect(weigh(much, one, other)).toBeGreaterThan(0);
    expect(weigh({ ...none, read: -1 }, one, other)).toBeLessThan(MIN_LINK);
    expect(weigh({ ...much, read: 1.4 }, one, other)).toBeGreaterThan(0);
  });

  test.each(pairs)("of %s and %s the order does not count", (one, other) => {
    expect(weigh(much, one, other)).toBe(weigh(much, other, one));
  });

  test.each(pairs)("of %s and %s what the reranker reads alike makes it likelier", (one, other) => {
    const between = { ...much, words: 0.3, title: 0.2, meaning: 0.6, names: 0.3 };
    expect(weigh({ ...between, read: 1.2 }, one, other)).toBeGreaterThan(weigh({ ...between, read: 0.2 }, one, other));
  });

  test("terms are the signals, their squares, roots and products", () => {
    const terms = termsOf({ ...much, days: 1.5, read: 0.5 });
    expect(terms).toMatchObject({ bias: 1, words: 0.7, soon: 1, read: 0.5, readSquared: 0.25 });
    expect(terms.wordsSquared).toBeCloseTo(0.49);
    expect(terms.wordsRoot).toBeCloseTo(Math.sqrt(0.7));
    expect(terms.readAndWords).toBeCloseTo(0.35);
    expect(termsOf({ ...much, days: 0.125 }).soon).toBeCloseTo(0.5);
  });
});

describe("signalsOf", () => {
  const report = (fields: Partial<StoryText>, at = 0) => {
    const { lang, traits } = reportOf(text(1, fields));
    return { lang, at, traits: unpackTraits(traits) };
  };

  test("is the same both ways, and 1 for the same text", () => {
    const [a, b] = [report({}), report(RATES, 3 * HOUR_MS)];
    expect(signalsOf(a, b)).toEqual(signalsOf(b, a));
    const same = signalsOf(a, a);
    for (const value of [same.words, same.title, same.names, same.numbers]) expect(value).toBeCloseTo(1, 1);
    expect(same.meaning).toBeCloseTo(1, 2);
  });

  test("titles of two languages are not compared, nor is what one of them lacks", () => {
    expect(signalsOf(report({}), report({ lang: "ar" })).title).toBe(0);
    const bare = report({ title: "", content: "", entities: [], vectors: [] });
    expect(signalsOf(report({}), bare)).toMatchObject({ words: 0, meaning: 0, names: 0, numbers: 0, read: undefined });
  });

  test("vectors of two models are not compared", () => {
    const other = report({ vectors: [Float32Array.of(1, 0, 0)] });
    expect(signalsOf(report({}), other).meaning).toBe(0);
    const [short, long] = [report({ read: new Int8Array(4).fill(3) }), report({ read: new Int8Array(8).fill(3) })];
    expect(signalsOf(short, long).read).toBeUndefined();
  });
});

test("stems that the news is full of tell little, those that it hardly has most", () => {
  expect(rarity("xyzzyqua")).toBe(12);
  expect(rarity("year")).toBeLessThan(6);
  expect(rarity("رئيس")).toBeLessThan(6);
});
