import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "../../../std/collections.ts";
import { type Genre, GENRES, openRegistry, SHIPPED_MODELS } from "../../cards/registry.ts";
import { flipBit } from "../../testing.ts";
import { type Classifier, createClassifier, scriptLanguage } from "./classifier.ts";
import { loadClassifyModel } from "./classify-model.ts";

const registry = openRegistry({ dirs: [SHIPPED_MODELS] });
const name = registry.default("classify");
const card = registry.card(name);
let classifier: Classifier;

beforeAll(async () => {
  classifier = await createClassifier({ registry, timeoutMs: 240_000 });
}, 300_000);
afterAll(() => classifier.close());

const SENTENCES = [
  "Unemployment fell to 3.9 percent in May, the lowest rate in eighteen years.",
  "Thank you very much.",
  "They voted 17 times against the law that gave 2,000 dollars to every family in the state.",
  "بلغ عدد الإصابات الجديدة 950 إصابة خلال يوم واحد.",
  "صباح الخير",
];

/** By language, a claim and a promise that differ in what was said alone. */
const NEWS = [
  {
    lang: "en",
    pair: [
      "The minister said on Monday that the government had spent 40 million dollars on the new road.",
      "The minister said on Monday that the government would spend 40 million dollars on the new road.",
    ],
  },
  {
    lang: "ar",
    pair: [
      "قال وزير النقل إن الحكومة أنفقت 40 مليون دولار على الطريق الجديد.",
      "قال وزير النقل إن الحكومة ستنفق 40 مليون دولار على الطريق الجديد.",
    ],
  },
];

const closeTo = (a: readonly number[], b: readonly number[]): void => {
  expect(a).toHaveLength(b.length);
  for (const [i, score] of a.entries()) expect(score).toBeCloseTo(b[i] ?? Number.NaN, 5);
};

describe("scores", () => {
  test("are those of the model in training, made probabilities by the card", async () => {
    const text = readFileSync(join(registry.dir(name), "reference.json"), "utf8");
    const reference: { text: string; logits: Record<string, number[]> }[] = JSON.parse(text);
    const letters = reference.filter((row) => /[\p{L}\p{N}]/u.test(row.text));
    const calibration = card.calibration ?? [];
    expect(calibration.map(({ genre, lang }) => `${genre} ${lang}`)).toEqual([
      "debate ar",
      "debate en",
      "news ar",
      "news en",
    ]);
    for (const [place, { lang, genre, scale, bias, threshold }] of calibration.entries()) {
      const scores = await classifier.classify(
        letters.map((row) => row.text),
        { lang, genre },
      );
      for (const [i, score] of scores.entries()) {
        const logit = letters[i]?.logits[genre]?.[place % 2] ?? Number.NaN;
        expect(score).toBeCloseTo(1 / (1 + Math.exp(-(scale * logit + bias))), 2);
      }
      expect(classifier.threshold(lang, genre)).toBe(threshold);
      if (genre === "news") expect(classifier.keeps(lang)).toBeGreaterThan(threshold);
    }
  });

  test("a claim with figures scores higher than a greeting, in both languages", async () => {
    const [claim = 0, thanks = 0, , arabic = 0, greeting = 0] = await classifier.classify(SENTENCES);
    expect(claim).toBeGreaterThan(thanks);
    expect(arabic).toBeGreaterThan(greeting);
  });

  test("do not depend on what is asked at the same time", async () => {
    const alone: number[] = [];
    for (const sentence of SENTENCES) alone.push(...(await classifier.classify([sentence])));
    closeTo(await classifier.classify(SENTENCES), alone);
    const together = await Promise.all(
      Array.from({ length: 40 }, (_, i) => classifier.classify(i % 2 ? SENTENCES : SENTENCES.toReversed())),
    );
    for (const [i, scores] of together.entries()) closeTo(scores, i % 2 ? alone : alone.toReversed());
  });

  test("what was said decides in the news, that it was said in a debate, unless the news are named", async () => {
    const judged = async (texts: readonly string[], lang: string, genre?: Genre) => {
      const scores = await classifier.classify(texts, { lang, ...(genre !== undefined && { genre }) });
      return scores.map((score) => score >= classifier.threshold(lang, genre));
    };
    for (const { lang, pair } of NEWS) {
      expect(await judged(pair, lang, "news")).toEqual([true, false]);
      expect(await judged(pair, lang, "debate")).toEqual([true, true]);
      expect(await judged(pair, lang)).toEqual([true, true]);
    }
  });

  test("of debates and news that are asked for at the same time are those of each alone", async () => {
    const genres = Array.from({ length: 20 }, (_, i) => at(GENRES, i % 2));
    const alone = await Promise.all(GENRES.map((genre) => classifier.classify(SENTENCES, { genre })));
    expect(at(alone, 0)).not.toEqual(at(alone, 1));
    const together = await Promise.all(genres.map((genre) => classifier.classify(SENTENCES, { genre })));
    for (const [i, scores] of together.entries()) closeTo(scores, at(alone, i % 2));
  });

  test("keep the order of a long call", async () => {
    const many = Array.from({ length: 300 }, (_, i) => SENTENCES[i % SENTENCES.length] ?? "");
    const five = await classifier.classify(SENTENCES);
    closeTo(
      await classifier.classify(many),
      many.map((_, i) => five[i % SENTENCES.length] ?? Number.NaN),
    );
  });

  test("are the same on one thread and on several", async () => {
    const single = await createClassifier({ registry, threads: 1, timeoutMs: 240_000 });
    const several = await createClassifier({ registry, threads: 4, timeoutMs: 240_000 });
    for (const genre of GENRES) {
      const scores = await single.classify(SENTENCES, { genre });
      closeTo(await several.classify(SENTENCES, { genre }), scores);
    }
    await single.close();
    await several.close();
  });

  test("of a short sentence are the same beside long ones", async () => {
    const short = ["Thank you.", "شكرا لكم"];
    const long = ["word ".repeat(60), "كلمة ".repeat(60)];
    const beside = await classifier.classify([...short, ...long, ...short]);
    const alone = await classifier.classify(short);
    closeTo(beside.slice(0, 2), alone);
    closeTo(beside.slice(-2), alone);
  });

  const silent = {
    empty: "",
    blank: " \n",
    emoji: "😀👨‍👩‍👧‍👦",
    marks: "\u200f\u202b\u2069",
    controls: "\u0000\u001b",
  };
  for (const [kind, text] of Object.entries(silent)) {
    test(`a sentence that is ${kind} says nothing`, async () => {
      expect(await classifier.classify([text])).toEqual([0]);
    });
  }

  const odd = {
    "one character": "م",
    "20,000 characters": "كلمة ".repeat(4000),
    "one word of 20,000 characters": "x".repeat(20_000),
    "mixed scripts": "قمة G20 في 東京 и Москва",
    "control characters in words": "red\u001b[31m \u0000 alert",
    "lone surrogates": "\ud800 a \udfff",
    "an unknown language": "今日は天気がいいです",
  };
  for (const [kind, text] of Object.entries(odd)) {
    test(`${kind}: a probability, the same every time`, async () => {
      const [first, second] = [await classifier.classify([text]), await classifier.classify([text])];
      expect(first[0]).toBeWithin(0, 1);
      expect(second).toEqual(first);
    });
  }

  test("no sentences have no scores", async () => {
    expect(await classifier.classify([])).toEqual([]);
  });
});

describe("limits", () => {
  test("a full queue refuses by name", async () => {
    const small = await createClassifier({ registry, maxQueue: 10 });
    const first = small.classify(new Array<string>(120).fill("some words of a sentence"));
    const refused = await small.classify(["one more"]).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "queue-full", retryable: true });
    expect(await first).toHaveLength(120);
    await small.close();
  });

  test("a call past its time is given up by name, and the next one is answered", async () => {
    const hasty = await createClassifier({ registry, timeoutMs: 1 });
    const late = await hasty.classify(new Array<string>(60).fill("word ".repeat(100))).catch((error: unknown) => error);
    expect(late).toMatchObject({ code: "timed-out" });
    await hasty.close();
  });

  test("an aborted call rejects with its reason", async () => {
    const abort = new AbortController();
    const answer = classifier.classify(new Array<string>(40).fill("word ".repeat(50)), { signal: abort.signal });
    abort.abort(new Error("gone"));
    expect(await answer.catch((error: unknown) => error)).toMatchObject({ message: "gone" });
  });

  test("a language without an output is refused by name", async () => {
    const refused = await classifier.classify(["Bonjour"], { lang: "fr" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "model-invalid" });
  });

  test("opened by use, only the graphs are opened that are asked", async () => {
    const root = mkdtempSync(join(tmpdir(), "isnad-models-"));
    const dir = join(root, name);
    try {
      cpSync(join(SHIPPED_MODELS, name), dir, { recursive: true });
      for (const file of ["model.onnx", "speech.onnx", "news.onnx"]) truncateSync(join(dir, file), 99);
      await expect(loadClassifyModel(dir, card, { threads: 1, isLazy: false })).rejects.toMatchObject({
        code: "model-altered",
      });
      const model = await loadClassifyModel(dir, card, { threads: 1, isLazy: true });
      const text = "انخفضت البطالة إلى ٤ بالمئة في مايو.";
      const news = (card.calibration ?? []).filter(({ genre }) => genre === "news");
      const asked = (lang: string) => ({
        text,
        genre: "news" as const,
        output: news.findIndex((one) => one.lang === lang),
      });
      await model.open([asked("ar")]);
      truncateSync(join(dir, "news-ar.onnx"), 99);
      const [logit = 0] = await model.logits([asked("ar")]);
      const { scale = 0, bias = 0 } = news.find(({ lang }) => lang === "ar") ?? {};
      const [score = 0] = await classifier.classify([text], { lang: "ar", genre: "news" });
      expect(1 / (1 + Math.exp(-(scale * logit + bias)))).toBeCloseTo(score, 6);
      await expect(model.logits([asked("en")])).rejects.toMatchObject({ code: "model-altered" });
      await expect(model.logits([{ ...asked("ar"), genre: "debate" }])).rejects.toMatchObject({
        code: "model-altered",
      });
      await model.release();
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  test("a model that knows debates alone refuses the news by name", async () => {
    const root = mkdtempSync(join(tmpdir(), "isnad-models-"));
    try {
      cpSync(join(SHIPPED_MODELS, name), join(root, name), { recursive: true });
      const calibration = card.calibration?.filter(({ genre }) => genre === "debate").map(({ genre, ...rest }) => rest);
      writeFileSync(join(root, name, "model.json"), JSON.stringify({ ...card, calibration }));
      const debates = await createClassifier({ registry: openRegistry({ dirs: [root] }) });
      expect(debates.threshold("en")).toBe(classifier.threshold("en"));
      expect(() => debates.threshold("en", "news")).toThrow(`${name} does not know news in en`);
      expect(() => debates.keeps("en")).toThrow(`${name} does not know news in en`);
      const refused = await debates.classify(["It rose."], { genre: "news" }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "model-invalid", model: name });
      await debates.close();
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

const damage: Record<string, [(dir: string) => void, string]> = {
  "missing weights": [(dir) => rmSync(join(dir, "model.onnx")), "model-missing"],
  "truncated weights": [(dir) => truncateSync(join(dir, "model.onnx"), 99), "model-altered"],
  "altered weights": [(dir) => flipBit(join(dir, "model.onnx")), "model-altered"],
  "altered weights of speeches": [(dir) => flipBit(join(dir, "speech.onnx")), "model-altered"],
  "altered weights of Arabic news": [(dir) => flipBit(join(dir, "news-ar.onnx")), "model-altered"],
  "altered weights of the news": [(dir) => flipBit(join(dir, "news.onnx")), "model-altered"],
  "an altered tokenizer": [(dir) => flipBit(join(dir, "tokenizer.json")), "model-altered"],
};
for (const [kind, [spoil, code]] of Object.entries(damage)) {
  test(`${kind}: the error says which model and what`, async () => {
    const root = mkdtempSync(join(tmpdir(), "isnad-models-"));
    try {
      cpSync(join(SHIPPED_MODELS, name), join(root, name), { recursive: true });
      spoil(join(root, name));
      const failed = await createClassifier({ registry: openRegistry({ dirs: [root] }) }).catch(
        (error: unknown) => error,
      );
      expect(failed).toMatchObject({ code, model: name });
    } finally {
      rmSync(root, { recursive: true });
    }
  });
}

test("the script of most letters decides", () => {
  expect(scriptLanguage("قال Obama إن الوضع خطير")).toBe("ar");
  expect(scriptLanguage("The word سلام means peace")).toBe("en");
});

test("a text in a script that no model knows is read as English", () => {
  expect(scriptLanguage("今日は天気がいいです")).toBe("en");
});

test("a text without letters has no language", () => {
  for (const text of ["", "42 %", "😀", "\u200f\u202b"]) expect(scriptLanguage(text)).toBeUndefined();
});

test("as many letters of both scripts are read as Arabic", () => {
  for (const text of ["aا", "اa", "ab اب", "12 a ا 12"]) expect(scriptLanguage(text)).toBe("ar");
  expect(scriptLanguage("abا")).toBe("en");
});

test("letters beyond 0x10000 and halves of them count once, whenever they are met", () => {
  for (let time = 0; time < 2; time++) {
    expect(scriptLanguage("𐌰ا")).toBe("ar");
    expect(scriptLanguage("𐌰𐌱ا")).toBe("en");
    expect(scriptLanguage("𞺀𞺁a")).toBe("ar");
    expect(scriptLanguage("\ud800\udc00\ud800")).toBe("en");
    expect(scriptLanguage("\ud800 \udfff")).toBeUndefined();
  }
});
