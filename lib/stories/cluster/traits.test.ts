import { describe, expect, test } from "bun:test";
import { signalsOf, weigh } from "./rules.ts";
import { keysOf, packTraits, queryStems, titleStems, traitsOf, type TraitSource, unpackTraits } from "./traits.ts";

const source = (fields: Partial<TraitSource>): TraitSource => ({
  sourceId: "wire",
  title: "Ferry sinks off Sulawesi with 74 aboard",
  content: "An Indonesian ferry with 74 people aboard sank in rough seas off Sulawesi on Tuesday.",
  entities: [{ entityId: 7, name: "Sulawesi", mentions: 2 }],
  vectors: [Float32Array.of(1, 0, 0, 0.5)],
  ...fields,
});
const report = (fields: Partial<TraitSource>, lang = "en", at = 0) => ({ lang, at, traits: traitsOf(source(fields)) });

const FERRY = report({});
const ARABIC = report(
  {
    sourceId: "sahifa",
    title: "غرق عبارة قبالة سولاويسي على متنها 74 شخصا",
    content: "غرقت عبارة إندونيسية على متنها 74 شخصا في بحر هائج قبالة جزيرة سولاويسي يوم الثلاثاء.",
  },
  "ar",
);
const RATES = report({
  sourceId: "paper",
  title: "Central bank cuts rates",
  content: "The central bank lowered its deposit rate by 100 basis points to 19 percent.",
  entities: [],
  vectors: [Float32Array.of(0, 1, 0, 0)],
});

describe("traits", () => {
  test("are the same after they were packed", () => {
    const { traits } = FERRY;
    const read = unpackTraits(packTraits(traits));
    expect(read.words.hashes).toEqual(traits.words.hashes);
    expect(read.vector).toEqual(traits.vector);
    expect(read.source).toBe(traits.source);
    for (const [i, weight] of traits.words.weights.entries()) expect(read.words.weights[i]).toBeCloseTo(weight, 2);
    expect(keysOf(read).sort()).toEqual(keysOf(traits).sort());
  });

  test("an article without passages, names and words has traits, too", () => {
    const { traits } = report({ title: "!", content: "", entities: [], vectors: [] });
    expect(unpackTraits(packTraits(traits)).vector).toHaveLength(0);
    expect(keysOf(traits)).toEqual([]);
  });

  test("the place and agency before a report are not of it", () => {
    const bare = traitsOf(source({})).words;
    expect(traitsOf(source({ content: `JAKARTA (Reuters) - ${source({}).content}` })).words).toEqual(bare);
  });
});

describe("signals", () => {
  test("reports of one event have much in common, in one language and across two", () => {
    const near = signalsOf(FERRY, report({ title: "Indonesian ferry sinks, 74 aboard" }));
    expect(near.words).toBeGreaterThan(0.6);
    expect(near).toMatchObject({ names: 1, sameSource: 1, days: 0 });
    const across = signalsOf(FERRY, ARABIC);
    expect(across.words).toBeGreaterThan(0.2);
    expect(across).toMatchObject({ title: 0, sameSource: 0 });
    expect(across.names).toBeCloseTo(1);
    expect(across.numbers).toBeCloseTo(1);
  });

  test("weights tell one event from two, in one language and across two", () => {
    const again = report({ sourceId: "paper", title: "Indonesian ferry sinks off Sulawesi, 74 aboard" });
    expect(weigh(signalsOf(FERRY, again), "en", "en")).toBeGreaterThan(0);
    expect(weigh(signalsOf(FERRY, RATES), "en", "en")).toBeLessThan(-3);
    expect(weigh(signalsOf(FERRY, ARABIC), "en", "ar")).toBeGreaterThan(0);
    expect(weigh(signalsOf(ARABIC, RATES), "ar", "en")).toBeLessThan(-3);
  });

  test("what the reranker reads counts where it has read both, and is no likeness of 0 where it has not", () => {
    const read = (angle: number) => Int8Array.from({ length: 8 }, (_, i) => 127 * Math.cos(i + angle));
    const [one, alike, other] = [read(0), read(0.05), read(1.5)].map((vector) => report({ read: vector }));
    if (one === undefined || alike === undefined || other === undefined) throw new Error("there are three");
    expect(unpackTraits(packTraits(one.traits)).read).toEqual(one.traits.read);
    expect(signalsOf(one, alike).read).toBeGreaterThan(1.5);
    expect(weigh(signalsOf(one, alike), "ar", "ar")).toBeGreaterThan(weigh(signalsOf(one, other), "ar", "ar"));
    expect(signalsOf(one, FERRY).read).toBeUndefined();
    expect(weigh(signalsOf(one, FERRY), "en", "en")).toBe(weigh(signalsOf(FERRY, FERRY), "en", "en"));
  });

  test("what is days apart is less likely one event", () => {
    const late = { ...FERRY, at: 40 * 3_600_000 };
    expect(signalsOf(FERRY, late).days).toBeCloseTo(40 / 24);
    expect(weigh(signalsOf(ARABIC, late), "ar", "en")).toBeLessThan(weigh(signalsOf(ARABIC, FERRY), "ar", "en"));
  });
});

test("the words of a query stand for the stems of titles in either language", () => {
  const stems = new Set(titleStems("Central bank cuts rates"));
  const arabic = new Set(titleStems("البنك المركزي يخفض الفائدة"));
  const [word = []] = queryStems("banks");
  expect(word.some((stem) => stems.has(stem))).toBe(true);
  expect(word.some((stem) => arabic.has(stem))).toBe(true);
  expect(queryStems("the")).toEqual([]);
});
