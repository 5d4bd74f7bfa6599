import { expect, test } from "bun:test";
import { cachedReader, type TextEncoder } from "./follow.ts";

function counting(): { encoder: TextEncoder; asked: string[] } {
  const asked: string[] = [];
  const read: TextEncoder["read"] = async (texts) => {
    asked.push(...texts.map(({ kind, text }) => `${kind} ${text}`));
    return texts.map(({ text }) => Float32Array.of(text.length));
  };
  return { encoder: { modelId: "reads@1", read }, asked };
}

test("each text is read once for what it is asked as", async () => {
  const { encoder, asked } = counting();
  const reader = cachedReader(encoder);
  expect(await reader.read("query", ["a", "bb", "a"])).toEqual([1, 2, 1].map((n) => Float32Array.of(n)));
  await reader.read("query", ["bb"]);
  await reader.read("passage", ["bb"]);
  expect(asked).toEqual(["query a", "query bb", "passage bb"]);
});

test("of a long text the beginning is read, and many texts are read a few at a time", async () => {
  const { encoder, asked } = counting();
  const reader = cachedReader(encoder);
  const [vector] = await reader.read("passage", ["😀".repeat(1_000)]);
  expect(vector?.[0]).toBe(800);
  await reader.read(
    "passage",
    Array.from({ length: 40 }, (_, i) => `text ${i}`),
  );
  expect(asked).toHaveLength(41);
});

test("without a model there are no vectors, and a model that answers too little is an error", async () => {
  const none = cachedReader(undefined);
  expect([none.modelId, await none.read("query", ["a"])]).toEqual(["none", []]);
  const silent = cachedReader({ modelId: "silent@1", read: async () => [] });
  expect(await silent.read("query", ["a"]).catch(String)).toContain("no vector");
});
