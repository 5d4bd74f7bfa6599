import { expect, test } from "bun:test";
import { createTrigramIndex, trigramsOf } from "./similarity.ts";

const words = ["شو", "عم", "تعمل", "اليوم", "بكرا", "البيت", "رايح", "جاي", "خالة", "كتير"];
const texts = Array.from({ length: 300 }, (_, i) =>
  Array.from({ length: 2 + (i % 5) }, (_, j) => words[(i * 7 + j * (3 + (i % 4))) % words.length]).join(" "),
);
const index = createTrigramIndex(texts);

test("the most alike come first, as by comparing with every text, and asking twice gives the same", () => {
  const dice = (a: string, b: string): number => {
    const [x, y] = [trigramsOf(a), trigramsOf(b)];
    return (2 * x.intersection(y).size) / (x.size + y.size);
  };
  for (const query of ["عم تعمل شي اليوم", "رايح عالبيت", "ق", texts[17] ?? ""]) {
    const all = texts.map((text, place) => ({ place, score: dice(query, text) })).filter(({ score }) => score > 0);
    const expected = all.sort((a, b) => b.score - a.score || a.place - b.place);
    for (const [threshold, limit] of [
      [0, 1],
      [0, 400],
      [0.5, 7],
    ] as const) {
      const best = expected.filter(({ score }) => score >= threshold).slice(0, limit);
      expect(index.like(query, { threshold, limit })).toEqual(best);
      expect(index.like(query, { threshold, limit })).toEqual(best);
    }
  }
});

test("every text that holds another one is among those that hold its trigrams; a short one counts as a word", () => {
  for (const query of ["اليوم بكرا", "يوم ب", " عم ", "خالة"]) {
    const holders = texts.flatMap((text, place) => (` ${text} `.includes(query) ? [place] : []));
    expect([...index.holding(query)].filter((place) => ` ${texts[place]} `.includes(query))).toEqual(holders);
  }
  expect([...index.holding("عم")]).toEqual([...index.holding(" عم ")]);
  expect([...index.holding("زقزق")]).toEqual([]);
});
