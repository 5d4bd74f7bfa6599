import { expect, test } from "bun:test";
import type { SenseEntry } from "../../contract/mod.ts";
import { cosine, createLikeness } from "./likeness.ts";

const sense = (id: string, gloss: string): SenseEntry => ({
  ...{ id, lemma: "عَيْن", pos: "noun" as const, root: "", gloss, en: ["x"], examples: ["مثال"] },
});
const [eye, spring] = [sense("eye", "عضو البصر"), sense("spring", "ينبوع ماء")];

/** An embedder whose vectors say whether a text speaks of water, that counts what it was asked. */
function embedder() {
  const asked: string[] = [];
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    asked.push(...texts);
    return texts.map((text) => (text.includes("ماء") ? Float32Array.of(1, 0) : Float32Array.of(0.6, 0.8)));
  };
  return { asked, embed };
}

test("each sense of each word is compared with the words around it", async () => {
  const likeness = createLikeness(embedder());
  const found = await likeness([
    { context: "شرب ماء بارداً", senses: [eye, spring] },
    { context: "فتح الطبيب", senses: [spring] },
  ]);
  expect(found).toEqual([[expect.closeTo(0.6), expect.closeTo(1)], [expect.closeTo(0.6)]]);
});

test("the vector of a sense is made once, and that of its context whenever it is asked for", async () => {
  const { asked, embed } = embedder();
  const likeness = createLikeness({ embed });
  const words = [
    { context: "أ", senses: [eye, spring] },
    { context: "ب", senses: [spring, eye] },
  ];
  const [first, again] = [await likeness(words), await likeness(words)];
  expect(again).toEqual(first);
  expect(asked.filter((text) => text.includes("x"))).toHaveLength(2);
  expect(asked.filter((text) => text === "أ")).toHaveLength(2);
});

test("many words are embedded in several calls, each of 64 texts at most", async () => {
  const sizes: number[] = [];
  const likeness = createLikeness({
    embed: async (texts) => {
      sizes.push(texts.length);
      return texts.map(() => Float32Array.of(1));
    },
  });
  const found = await likeness(Array.from({ length: 150 }, (_, i) => ({ context: `${i}`, senses: [eye] })));
  expect(found).toHaveLength(150);
  expect(sizes).toEqual([1, 64, 64, 22]);
});

test("no words need no vectors, and a failure of the embedder is the caller's", async () => {
  const { asked, embed } = embedder();
  expect(await createLikeness({ embed })([])).toEqual([]);
  expect(asked).toEqual([]);
  const broken = createLikeness({
    embed: () => Promise.reject(new Error("no answer")),
  });
  await expect(broken([{ context: "أ", senses: [eye] }])).rejects.toThrow("no answer");
});

test("the cosine of vectors of length 1 is their product, 0 beside none", () => {
  expect(cosine(Float32Array.of(0.6, 0.8), Float32Array.of(1, 0))).toBeCloseTo(0.6, 6);
  expect(cosine(Float32Array.of(0.6, 0.8), Float32Array.of(0.6, 0.8))).toBeCloseTo(1, 6);
  expect(cosine(Float32Array.of(1), undefined)).toBe(0);
});
