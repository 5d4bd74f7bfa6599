import { describe, expect, test } from "bun:test";
import type { SenseEntry } from "../../contract/mod.ts";
import { cosine, createLikeness, createSenseChooser, senseScore } from "./choose.ts";
import { lemmaMatch } from "./inventory.ts";

describe("choose", () => {
  const sense = (id: string, gloss: string): SenseEntry => ({
    ...{ id, lemma: "عَيْن", pos: "noun", root: "ع ي ن", gloss, en: ["x"], examples: ["مثال"] },
  });
  const eye = sense("x-0001", "عضو");
  const spring = sense("x-0002", "ينبوع");
  const word = {
    sentence: ["عين"],
    place: 0,
    context: "ماء",
    lemma: "عَين",
    signs: new Set<string>(),
    senses: [eye, spring],
  };
  const weights = { fit: 1, likeness: 1, rank: -0.1, letters: 0, vowels: 0 };
  const unit = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle));

  type Case = { known: readonly SenseEntry[]; angle: number; rare?: ReadonlySet<string> };

  /** What is around speaks for the eye by as much as `angle` is; the word itself for the spring. */
  function chooserOf({ known, angle, rare = new Set() }: Case) {
    const vectors = new Map([
      [eye.id, unit(Math.PI / 2)],
      [spring.id, unit(0)],
    ]);
    return createSenseChooser({
      embedder: { embed: async (texts) => texts.map((text) => unit(text.startsWith("ينبوع") ? angle : 0)) },
      encoder: { encode: async (all) => all.map(({ places }) => places.map(() => unit(0))) },
      rare,
      vectors: { weights, of: ({ id }) => (known.some((each) => each.id === id) ? vectors.get(id) : undefined) },
    });
  }

  test("the word in its sentence and the words around it choose together", async () => {
    expect(await chooserOf({ known: [eye, spring], angle: 0.5 }).choose([word])).toEqual([spring]);
    expect(await chooserOf({ known: [eye, spring], angle: 3 }).choose([word])).toEqual([eye]);
  });

  test("where a sense has no vector the words around alone choose, the frequent sense first", async () => {
    expect(await chooserOf({ known: [spring], angle: 0.5 }).choose([word])).toEqual([eye]);
    expect(await chooserOf({ known: [spring], angle: 0 }).choose([word])).toEqual([eye]);
    expect(await chooserOf({ known: [], angle: 0 }).choose([])).toEqual([]);
  });

  test("sentences of the same words are read once, for all places that are asked for in any of them", async () => {
    const asked: unknown[] = [];
    const chooser = createSenseChooser({
      embedder: { embed: async (texts) => texts.map(() => unit(0)) },
      encoder: {
        encode: async (all) => {
          asked.push(...all);
          return all.map(({ places }) => places.map((place) => unit(place === 0 ? 0 : Math.PI / 2)));
        },
      },
      rare: new Set(),
      vectors: { weights, of: ({ id }) => unit(id === eye.id ? Math.PI / 2 : 0) },
    });
    const inSentence = (words: string, place: number) => ({ ...word, sentence: words.split(" "), place });
    const words = [inSentence("عين عين", 1), inSentence("عين", 0), inSentence("عين عين", 0), inSentence("عين عين", 1)];
    expect(await chooser.choose(words)).toEqual([eye, spring, spring, eye]);
    expect(asked).toEqual([
      { words: ["عين", "عين"], places: [0, 1] },
      { words: ["عين"], places: [0] },
    ]);
  });

  test("a rare sense gives way to another that fits a little less well", async () => {
    const rare = new Set([spring.id]);
    expect(await chooserOf({ known: [eye, spring], angle: 0.5, rare }).choose([word])).toEqual([eye]);
    expect(await chooserOf({ known: [], angle: 0, rare: new Set([eye.id]) }).choose([word])).toEqual([spring]);
  });

  test("a score is the weighted sum of what speaks for a sense", () => {
    const signs = { fit: 0.5, likeness: 0.25, rank: 2, letters: true, vowels: false };
    expect(senseScore(signs, { fit: 4, likeness: 8, rank: -1, letters: 0.5, vowels: 100 })).toBe(2.5);
  });

  test("lemmas match by their letters and by the vowels that both tell", () => {
    expect(lemmaMatch("كِتاب", "كِتَاب")).toEqual({ letters: true, vowels: true });
    expect(lemmaMatch("كَتَب", "كَتَبَ")).toEqual({ letters: true, vowels: true });
    expect(lemmaMatch("كَتَب", "كَتَّبَ")).toEqual({ letters: true, vowels: false });
    expect(lemmaMatch("حُكم", "حَكَم")).toEqual({ letters: true, vowels: false });
    expect(lemmaMatch("كُرَة", "كُرْه")).toEqual({ letters: false, vowels: false });
  });
});

describe("likeness", () => {
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
});
