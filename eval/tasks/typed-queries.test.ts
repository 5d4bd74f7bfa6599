import { expect, test } from "bun:test";
import { seeded } from "../../lib/std/random.ts";
import { TYPED, typedFigures, withSlip } from "./typed-queries.ts";

test("a slip changes one letter of a word, or two neighbours, the same way for a seed", () => {
  for (const word of ["harbour", "الميناء"]) {
    const slips = Array.from({ length: 200 }, (_, seed) => withSlip(word, seeded(seed + 1)));
    expect(slips).toEqual(Array.from({ length: 200 }, (_, seed) => withSlip(word, seeded(seed + 1))));
    expect(slips).not.toContain(word);
    expect(new Set(slips.map(({ length }) => length - word.length))).toEqual(new Set([-1, 0, 1]));
    const moved = slips.filter((slip) => [...slip].toSorted().join("") === [...word].toSorted().join(""));
    expect(moved.length).toBeGreaterThan(5);
  }
});

const words = ["harbour", "reopens", "storm"].map((text, i) => ({ text, form: text, articles: 10 - i }));

test("the rarer of two words is misspelt, and the last of two or three is cut to three to five letters", () => {
  for (let seed = 1; seed < 40; seed++) {
    const misspelt = TYPED["two words misspelt"]?.(words, seeded(seed));
    const [clean = [], typed = []] = [misspelt?.clean.split(" "), misspelt?.typed.split(" ")];
    const changed = clean.filter((word, i) => word !== typed[i]);
    expect(changed).toEqual([misspelt?.meant ?? "?"]);
    expect(changed[0]).toBe(words.findLast(({ text }) => clean.includes(text))?.text);
    const begun = TYPED["three words begun"]?.(words, seeded(seed));
    if (begun === undefined) continue;
    expect(begun.clean.startsWith(begun.typed)).toBe(true);
    const last = begun.typed.split(" ").at(-1)?.length ?? 0;
    expect([3, 4, 5]).toContain(last);
  }
  expect(TYPED["five words misspelt"]?.(words, seeded(1))).toBeUndefined();
});

test("figures are shares of what the words written out reach, and tell how often the word meant is named", async () => {
  const articles = [
    { title: "Harbour reopens storm", text: "Boats." },
    { title: "Museum opens wing", text: "Art." },
  ];
  const branches = {
    keyword: async ({ text = "" }) => {
      const isClean = ["harbour", "reopens", "storm", "museum", "opens", "wing"].filter((word) =>
        text.toLowerCase().split(" ").includes(word),
      );
      const hits = isClean.length < 2 ? [2, 1] : [1, 2];
      return {
        hits: hits.map((articleId) => ({ articleId, score: 1 })),
        corrections: [{ word: "x", readAs: ["harbour", "reopens", "storm"] }],
      };
    },
    vector: async () => ({ hits: [], candidates: 0 }),
  };
  const { figures, predictions } = await typedFigures({ branches }, { articles, targets: [0] });
  expect(figures["MRR two words misspelt, keyword"]).toBe(0.5);
  expect(figures["of clean two words misspelt, keyword"]).toBe(0.5);
  expect(figures["named two words misspelt"]).toBe(1);
  expect(figures["MRR two words misspelt, vector"]).toBe(0);
  expect(predictions.some((line) => line.startsWith("two words begun\t1\t"))).toBe(true);
});
