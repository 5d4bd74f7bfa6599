import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEmbedder, type Embedder } from "./embedder.ts";
import { openRegistry } from "../../cards/registry.ts";
import { copyOfModel, cosine, EMBED_MODEL, flipBit } from "../../testing.ts";

const registry = openRegistry();
let embedder: Embedder;
beforeAll(async () => {
  embedder = await createEmbedder({ registry, timeoutMs: 240_000 });
});
afterAll(() => embedder.close());

test("the model's id carries its revision", () => {
  expect(embedder.modelId).toBe(`${EMBED_MODEL}@${registry.card(EMBED_MODEL).revision}`);
  expect(embedder.dims).toBe(registry.card(EMBED_MODEL).dims ?? 0);
});

test("a sentence is nearer to its translation than to another sentence", async () => {
  const [arabic, english, other] = await embedder.embed(
    ["رفع البنك المركزي أسعار الفائدة", "The central bank raised interest rates", "The match ended in a draw"],
    "passage",
  );
  expect(cosine(arabic, english)).toBeGreaterThan(cosine(arabic, other) + 0.4);
});

const odd: Record<string, string> = {
  "an empty text": "",
  "one character": "ا",
  "20,000 characters": "كلمة ".repeat(4000),
  "one word of 20,000 characters": "x".repeat(20_000),
  "emoji alone": "😀👨‍👩‍👧‍👦🇯🇴",
  "mixed scripts": "قمة G20 في 東京 и Москва",
  "right-to-left marks alone": "\u200f\u202b\u2067\u2069",
  "control characters": "\u0000\u0001\u001b[31m\u007f",
  "lone surrogates": "\ud800 \udfff",
  "a language that the model does not know": "今日は天気がいいです",
};
for (const [name, text] of Object.entries(odd)) {
  test(`${name} has a finite vector of unit length, the same every time`, async () => {
    const [first, second] = [...(await embedder.embed([text], "passage")), ...(await embedder.embed([text], "query"))];
    expect(cosine(first, first)).toBeCloseTo(1, 4);
    expect(second).toEqual(first as Float32Array);
  });
}

test("texts in which nothing is known share one vector, far from texts with meaning", async () => {
  const [empty, emoji, news] = await embedder.embed(["", "😀", "The minister resigned on Monday"], "passage");
  expect(cosine(empty, emoji)).toBeCloseTo(1, 5);
  expect(Math.abs(cosine(empty, news))).toBeLessThan(0.3);
});

test("marks of direction and diacritics change nothing", async () => {
  const [plain, marked] = await embedder.embed(["الحكومة الأردنية", "\u200fالحُكُومَة\u200f الأردنيّة\u202c"], "query");
  expect(cosine(plain, marked)).toBeCloseTo(1, 5);
});

test("no texts give no vectors", async () => {
  expect(await embedder.embed([], "query")).toEqual([]);
});

test("many calls at once give what one call after the other gives", async () => {
  const texts = Array.from(
    { length: 300 },
    (_, i) => `Article ${i}: ${"prices rose again ".repeat(i % 40)}الحكومة ${i * 7}`,
  );
  const together = await Promise.all(texts.map((text) => embedder.embed([text], "passage")));
  const alone: Float32Array[] = [];
  for (const text of texts) alone.push(...(await embedder.embed([text], "passage")));
  for (const [i, vector] of alone.entries()) expect(cosine(vector, together[i]?.[0])).toBeCloseTo(1, 4);
});

test("a call of 1,000 texts keeps their order", async () => {
  const texts = Array.from({ length: 1000 }, (_, i) => `${i} ${i % 2 ? "نفط" : "oil"} `.repeat(1 + (i % 5)));
  const vectors = await embedder.embed(texts, "passage");
  const [again] = await embedder.embed([texts[777] ?? ""], "passage");
  expect(vectors).toHaveLength(1000);
  expect(cosine(vectors[777], again)).toBeCloseTo(1, 5);
});

test("every vector owns its memory", async () => {
  const [first, second] = await embedder.embed(["one", "two"], "passage");
  expect(first?.buffer.byteLength).toBe(embedder.dims * 4);
  expect(second?.byteOffset).toBe(0);
});

test("the caller's event loop goes on while a large call is computed", async () => {
  const text = readFileSync(join(registry.dir(EMBED_MODEL), "model.json"), "utf8").slice(0, 1500);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await embedder.embed(new Array<string>(2000).fill(text), "passage");
  clearInterval(timer);
  // Computed on this thread, the call would leave it none.
  expect(turns).toBeGreaterThan(10);
});

test("an aborted call rejects at once, and the next one is answered", async () => {
  const abort = new AbortController();
  const texts = new Array<string>(1000).fill("a long article about the economy ".repeat(50));
  const answer = embedder.embed(texts, "passage", abort.signal);
  abort.abort(new Error("gone"));
  await expect(answer).rejects.toThrow("gone");
  expect(await embedder.embed(["next"], "query")).toHaveLength(1);
});

test("a full queue refuses by name, and is free again afterwards", async () => {
  const small = await createEmbedder({ registry, maxQueue: 10 });
  try {
    const first = small.embed(new Array<string>(500).fill("text"), "passage");
    await expect(small.embed(["one more"], "query")).rejects.toMatchObject({ code: "queue-full", retryable: true });
    expect(await first).toHaveLength(500);
    expect(await small.embed(["one more"], "query")).toHaveLength(1);
  } finally {
    await small.close();
  }
});

test("a call past its time is given up by name", async () => {
  const hasty = await createEmbedder({ registry, timeoutMs: 1 });
  try {
    const texts = new Array<string>(4000).fill("a long article about the economy ".repeat(100));
    await expect(hasty.embed(texts, "passage")).rejects.toMatchObject({ code: "timed-out" });
  } finally {
    await hasty.close();
  }
});

test("close() finishes what was accepted and refuses what comes later", async () => {
  const closing = await createEmbedder({ registry });
  const accepted = closing.embed(new Array<string>(500).fill("an article about elections"), "passage");
  const closed = closing.close();
  await expect(closing.embed(["late"], "query")).rejects.toMatchObject({ code: "closed" });
  expect(await accepted).toHaveLength(500);
  await closed;
});

test("close() twice is the same as once", async () => {
  const closing = await createEmbedder({ registry });
  await Promise.all([closing.close(), closing.close()]);
  await closing.close();
});

const damage: Record<string, [(dir: string) => void, string]> = {
  "missing weights": [(dir) => rmSync(join(dir, "model.onnx")), "model-missing"],
  "truncated weights": [(dir) => truncateSync(join(dir, "model.onnx"), 99), "model-altered"],
  "altered weights": [(dir) => flipBit(join(dir, "model.onnx")), "model-altered"],
  "an altered tokenizer": [(dir) => flipBit(join(dir, "tokenizer.json")), "model-altered"],
  "a card that is no JSON": [(dir) => writeFileSync(join(dir, "model.json"), "{"), "model-invalid"],
};
for (const [name, [spoil, code]] of Object.entries(damage)) {
  test(`${name}: the error says which model and what`, async () => {
    const copy = copyOfModel();
    try {
      spoil(copy.dir);
      const starting = createEmbedder({ registry: openRegistry({ dirs: [copy.root] }), model: EMBED_MODEL });
      await expect(starting).rejects.toMatchObject({ code, model: EMBED_MODEL });
    } finally {
      copy.remove();
    }
  });
}

test("an unknown model is named", async () => {
  await expect(createEmbedder({ registry, model: "none" })).rejects.toMatchObject({
    code: "model-unknown",
    model: "none",
  });
});
