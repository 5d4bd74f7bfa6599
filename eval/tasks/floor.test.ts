import { expect, test } from "bun:test";
import questions from "../floor/questions.json" with { type: "json" };
import { evalFloor } from "./floor.ts";

const near = (articleId: number, score: number) => ({ articleId, score, chunkNo: 0, start: 0, end: 1 });
const branches = {
  keyword: async () => ({ hits: [], corrections: [] }),
  vector: async () => ({ hits: [near(1, 0.5), near(2, 0.45)], candidates: 1000 }),
  supports: async ({ text }: { text: string }, ids: readonly number[]) =>
    ids.map(() => (text.includes("said") ? 1 : 0)),
};

test("what has no hits is silent, and an answer that is found without the floor is to be found with it", async () => {
  const { figures, predictions } = await evalFloor(
    { branches },
    {
      unanswerable: { nonsense: ["zzz", "said zzz"] },
      answerable: [
        { text: "said", articleId: 1 },
        { text: "unheard", articleId: 1 },
        { text: "said too, of nobody", articleId: 3 },
      ],
    },
  );
  expect(figures).toEqual({ "silent, nonsense": 0.5, "recall kept": 0.5 });
  expect(predictions).toContain("lost\t1\tunheard");
});

test("questions are chosen on one half and measured on another, in both languages", () => {
  for (const kind of ["nonsense", "off"] as const) {
    const [chosen, measured] = [questions.development[kind], questions.test[kind]];
    expect(new Set([...chosen, ...measured]).size).toBe(chosen.length + measured.length);
    for (const half of [chosen, measured]) {
      expect(half.filter((text) => /\p{Script=Arabic}/u.test(text)).length).toBeGreaterThan(5);
      expect(half.filter((text) => /[a-z]/.test(text)).length).toBeGreaterThan(5);
    }
  }
});
