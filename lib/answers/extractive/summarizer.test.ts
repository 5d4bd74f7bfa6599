import { afterAll, describe, expect, test } from "bun:test";
import { createEmbedder, openRegistry } from "../../models/mod.ts";
import { ModelNotInstalled, type Translator } from "../tasks.ts";
import { chooseSentences, extractiveSummarizer, type Sentence, sentenceOf } from "./summarizer.ts";

const embedder = await createEmbedder({ registry: openRegistry(), timeoutMs: 240_000 });
afterAll(() => embedder.close());
const { signal } = new AbortController();
const { summarize } = extractiveSummarizer(embedder, undefined);
const call = { sourceLang: "en", targetLang: "en", length: "medium", signal } as const;

const ENGLISH = [
  "The council of Sahlan voted on Tuesday to build a second bridge over the river, ending a debate of eleven years.",
  "The council of Sahlan voted on Tuesday to build a second bridge over the river, which ends a debate of eleven years.",
  "Work is to begin in spring and should cost 38 million dinars, most of it from a loan of the regional bank.",
  "Farmers on the southern bank have asked for the crossing since the ferry stopped in the flood of 2014.",
  "It was raining when the session ended.",
  "Opponents say that the money is needed for the hospital, whose roof has leaked for two winters.",
  "The mayor said that both projects would be finished before the next election.",
];
const ARABIC =
  "أعلنت وزارة الزراعة يوم الأحد بدء موسم حصاد الزيتون في المحافظات الشمالية بعد تأخر دام ثلاثة أسابيع بسبب قلة الأمطار. وقال المتحدث باسم الوزارة إن الإنتاج المتوقع يبلغ تسعين ألف طن، أي أقل من العام الماضي بنحو الربع. ويطالب المزارعون بدعم أسعار الوقود والأسمدة التي ارتفعت منذ بداية العام. وكان الطقس معتدلا. وتعهدت الحكومة بشراء الفائض من المعاصر الصغيرة قبل نهاية السنة.";

test("a summary has sentences of the text in its order, and of two that say the same only one", async () => {
  for (const text of [ENGLISH.join(" "), ARABIC]) {
    const lang = text === ARABIC ? "ar" : "en";
    const points = await summarize({ ...call, text, sourceLang: lang, targetLang: lang });
    const places = points.map((point) => text.indexOf(point));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(points.length).toBeGreaterThan(1);
  }
  const points = await summarize({ ...call, text: ENGLISH.join(" "), length: "long" });
  expect(points.filter((point) => point.startsWith("The council of Sahlan voted"))).toHaveLength(1);
});

test("short is shorter than medium, medium than long", async () => {
  const text =
    Array.from({ length: 3 }, () => ENGLISH.slice(2))
      .flat()
      .concat(ENGLISH)
      .join(" ") + ARABIC;
  const words = await Promise.all(
    (["short", "medium", "long"] as const).map(
      async (length) => (await summarize({ ...call, text, length })).join(" ").split(" ").length,
    ),
  );
  expect(words).toEqual(words.toSorted((a, b) => a - b));
  expect(new Set(words).size).toBe(3);
  expect(words[2]).toBeLessThanOrEqual(170);
});

describe("a text", () => {
  test("without letters is the same in every language: there is nothing to translate", async () => {
    const digits = { ...call, text: "1984 – 2024: 38,5 %", sourceLang: "und", targetLang: "ar" };
    expect(await summarize(digits)).toEqual(["1984 – 2024: 38,5 %"]);
    await expect(summarize({ ...digits, text: "1984 – m" })).rejects.toThrow(ModelNotInstalled);
  });

  test("of one sentence longer than a summary comes back whole: none is cut", async () => {
    const sentence = "word ".repeat(400).trim();
    expect(await summarize({ ...call, text: sentence, length: "short" })).toEqual([sentence]);
  });

  test("is quoted without its dateline and credits, a quotation of two sentences whole, on one line", async () => {
    const text = `By Salma Haddad, Sahlan\nSAHLAN, March 3 (Reuters) - ${ENGLISH[0]}\nThe mayor said: "It is time.\nWe begin." ${ENGLISH[2]}`;
    const points = await summarize({ ...call, text });
    expect(points).toEqual([ENGLISH[0] ?? "", 'The mayor said: "It is time. We begin."', ENGLISH[2] ?? ""]);
  });

  test("without a letter or a sentence comes back as it is", async () => {
    expect(await summarize({ ...call, text: " … " })).toEqual(["…"]);
  });

  test("of 25,000 sentences is summarised from its beginning", async () => {
    const text = `${ENGLISH[0]} ${"Yes. ".repeat(9_980)}`;
    expect((await summarize({ ...call, text }))[0]).toBe(ENGLISH[0] ?? "");
  });
});

describe("in another language", () => {
  test("without a model that translates it says what is missing", async () => {
    const refused = summarize({ ...call, text: ENGLISH.join(" "), targetLang: "ar" });
    await expect(refused).rejects.toBeInstanceOf(ModelNotInstalled);
    await expect(refused).rejects.toThrow("Arabic");
  });

  test("each sentence is translated", async () => {
    const use: Translator = { translate: async (asked) => ({ ...asked, text: `<${asked.text}>` }) };
    const translating = extractiveSummarizer(embedder, { model: "t", use });
    const points = await translating.summarize({ ...call, text: ENGLISH[0] ?? "", targetLang: "ar" });
    expect(points).toEqual([`<${ENGLISH[0]}>`]);
  });
});

const unit = (...values: number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");
const one = (vector: Float32Array, count = 10, over: Partial<Sentence> = {}): Sentence => ({
  ...sentenceOf({ text: words(count), leans: false, isCutOpen: false }, vector),
  stems: new Set(),
  ...over,
});

test("the sentences stand in the order of the text, the first among them, and are enough", () => {
  const text = [one(unit(1, 0, 0)), one(unit(0, 0, 1)), one(unit(1, 1, 0)), one(unit(1, 0.2, 0.5)), one(unit(0, 1, 0))];
  const chosen = chooseSentences(text, { enough: 25, most: 40 });
  expect(chosen).toHaveLength(3);
  expect(chosen).toEqual(chosen.toSorted((a, b) => a - b));
  expect(chosen[0]).toBe(0);
});

test("a sentence that repeats a chosen one is left out, however good it is", () => {
  const text = [one(unit(1, 0.1)), one(unit(1, 0.11)), one(unit(1, 0.1)), one(unit(0.2, 1))];
  expect(chooseSentences(text, { enough: 100, most: 1000 })).toEqual([0, 3]);
});

test("none is added that would make it too long, and one there is always", () => {
  const text = [one(unit(1, 0), 10), one(unit(1, 1), 50), one(unit(0, 1), 12)];
  expect(chooseSentences(text, { enough: 20, most: 30 })).toEqual([0, 2]);
  expect(chooseSentences([one(unit(1, 0), 500)], { enough: 20, most: 30 })).toEqual([0]);
  expect(chooseSentences([one(unit(1, 0), 500), one(unit(0, 1), 400)], { enough: 20, most: 30 })).toEqual([1]);
  expect(chooseSentences([], { enough: 20, most: 30 })).toEqual([]);
});

test("two sentences with the same words say the same, however far their vectors are apart", () => {
  const stems = (...all: string[]) => ({ stems: new Set(all) });
  const text = [
    one(unit(1, 0, 0), 10, stems("bridge", "open", "mayor")),
    one(unit(0, 1, 0), 10, stems("bridge", "open", "friday", "mayor")),
    one(unit(0, 0, 1), 10, stems("bridge", "cost", "million")),
  ];
  expect(chooseSentences(text, { enough: 100, most: 1000 })).toEqual([0, 2]);
});

test("a sentence that leans comes only behind the one before it, one that is cut open never", () => {
  const leaning = [one(unit(1, 0, 0)), one(unit(0, 1, 0), 40), one(unit(0, 0, 1), 10, { leans: true })];
  expect(chooseSentences(leaning, { enough: 20, most: 30 })).toEqual([0]);
  expect(chooseSentences(leaning, { enough: 60, most: 60 })).toEqual([0, 1, 2]);
  expect(chooseSentences([one(unit(1, 0), 10, { leans: true }), one(unit(0, 1))], { enough: 5, most: 30 })).toEqual([
    1,
  ]);
  const open = [one(unit(1, 0, 0)), one(unit(0, 1, 0), 10, { isCutOpen: true }), one(unit(0, 0, 1))];
  expect(chooseSentences(open, { enough: 100, most: 1000 })).toEqual([0, 2]);
});
