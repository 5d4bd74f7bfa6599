import { describe, expect, test } from "bun:test";
import { QueryContext, TITLE_TEXTS } from "./context.ts";
import { TextIndex } from "./testing/memory.ts";

const DOCUMENTS = [
  { id: 1, title: "volcano erupts", content: "ash near harbour" },
  { id: 2, title: "weather", content: "ash and volcano and harbour" },
  { id: 3, title: "harbour", content: "boats of fish" },
  { id: 4, title: "boats", content: "fish" },
];

/** An index of the documents in one segment or in two. */
const indexes = {
  "one segment": new TextIndex(DOCUMENTS),
  "two segments": new TextIndex(DOCUMENTS.slice(0, 1), DOCUMENTS.slice(1)),
};

describe.each(Object.entries(indexes))("the other words of a query, in %s", (_, { words, projection }) => {
  const term = (text: string) => words.term(text);
  const form = (text: string) => words.form({ form: text });
  const context = (...stems: string[]) => new QueryContext(projection, stems.map(term));

  test("are none where no document has them", () => {
    expect(context().isEmpty).toBe(true);
    expect(context("zzzz").isEmpty).toBe(true);
    expect(context("zzzz", "ash").isEmpty).toBe(false);
  });

  test("are likely beside a word by how many documents have both, a title as a hundred of them", () => {
    // Two of four documents have ash, and both of those have the volcano, one in its title, but not ash in its title.
    expect(context("ash").likelihood(term("volcano"))).toEqual({
      log: Math.log((2 + 1.5 * (2 / 4)) / (2 + 1.5)),
      together: 2,
    });
    // Both stand in a title.
    expect(context("erupt").likelihood(term("volcano"))).toEqual({
      log: Math.log((TITLE_TEXTS + 1.5 * (1 / 4)) / (2 + 1.5)),
      together: TITLE_TEXTS,
    });
    // They never meet.
    expect(context("ash").likelihood(term("fish"))).toEqual({
      log: Math.log((1.5 * (2 / 4)) / (2 + 1.5)),
      together: 0,
    });
    // A word that no document has.
    expect(context("ash").likelihood(0)).toEqual({ log: Math.log((1.5 * (2 / 4)) / 1.5), together: 0 });
  });

  test("do not speak for the word that they are themselves", () => {
    expect(context("volcano").likelihood(term("volcano")).together).toBe(0);
  });

  test("are judged each by itself, and the rarest that meets the word tells in how many documents", () => {
    const { log, together } = context("harbour", "ash").likelihood(term("volcano"));
    // Ash is rarer than the harbour, and stands with it in two.
    expect(together).toBe(2);
    const ash = context("ash").likelihood(term("volcano")).log;
    const harbour = context("harbour").likelihood(term("volcano")).log;
    expect(log).toBeCloseTo(ash + harbour, 10);
    // Fish is the rarest and does not meet it: the next one tells.
    expect(context("fish", "harbour").likelihood(term("volcano")).together).toBe(2);
  });

  test("tell by the three rarest of them", () => {
    const three = context("erupt", "weather", "ash").likelihood(term("volcano"));
    expect(context("erupt", "weather", "ash", "harbour").likelihood(term("volcano"))).toEqual(three);
  });

  test("say how many of their documents have other forms, in the title as a hundred", () => {
    const beside = (stems: string[], ...forms: string[]) =>
      Object.fromEntries(
        forms.flatMap((text) => {
          const count = context(...stems)
            .stemsBeside(forms.map(form))
            .get(projection.vocabulary.stems[form(text)] ?? 0);
          return count === undefined ? [] : [[text, count]];
        }),
      );
    expect(beside(["ash"], "volcano", "harbour", "fish")).toEqual({ volcano: TITLE_TEXTS + 1, harbour: 2 });
    // No document has both: those of the rarest of them are read.
    expect(beside(["ash", "fish"], "volcano", "boats")).toEqual(beside(["ash"], "volcano", "boats"));
    // Documents whose title has the word are read as such too, so it counts there once more.
    expect(beside(["boat"], "fish", "harbour")).toEqual({ fish: 3, harbour: TITLE_TEXTS });
  });
});

test("documents that were taken out speak for nothing", () => {
  const index = new TextIndex(DOCUMENTS);
  index.remove(2);
  const { words, projection } = index;
  const context = new QueryContext(projection, [words.term("ash")]);
  expect(context.likelihood(words.term("volcano")).together).toBe(1);
  const form = words.form({ form: "volcano" });
  expect([...context.stemsBeside([form]).values()]).toEqual([TITLE_TEXTS]);
});

test("of very many documents some hundred are read, each for those between", () => {
  const documents = Array.from({ length: 1_200 }, (_, i) => ({ id: i + 1, content: i % 3 === 0 ? "ash fish" : "ash" }));
  const { words, projection } = new TextIndex(documents.slice(0, 500), documents.slice(500));
  const context = new QueryContext(projection, [words.term("ash")]);
  const counted = context.stemsBeside([words.form({ form: "fish" })]).get(words.term("fish")) ?? 0;
  // Every third document is read, and stands for three; whether it is one with fish is by their order.
  expect(counted % 3).toBe(0);
  expect(counted).toBeLessThanOrEqual(1_200);
  const all = context.stemsBeside([words.form({ form: "ash" })]).get(words.term("ash")) ?? 0;
  expect(all).toBe(1_200);
});
