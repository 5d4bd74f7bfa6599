import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { pieces, randomTexts } from "../../../text/testing.ts";
import { openRegistry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createPassageReader, PASSAGES, passagesOf, vectorsId } from "./passage.ts";
import { crossEncoderFolder } from "./testing.ts";

test("PASSAGES is of the passages that are made of articles: who cuts them otherwise has all read anew", () => {
  const sentences = randomTexts(40, pieces.scripts).map((text) => `${text} المدرسة 3.14 U.S. ${text}. `);
  const contents = [
    "",
    "!?",
    "x".repeat(9_000),
    ...sentences.map((_, i) =>
      sentences
        .slice(0, i + 1)
        .join(i % 3 === 0 ? "\n" : "")
        .repeat(1 + (i % 7)),
    ),
  ];
  const passages = contents.map((content, i) => passagesOf({ title: i % 2 === 0 ? "عنوان" : "", content }));
  expect(passages.flat().length).toBeGreaterThan(100);
  expect(createHash("sha256").update(JSON.stringify(passages)).digest("hex").slice(0, 8)).toBe(PASSAGES);
});

test("vectors are of another kind with another model, another revision, and more or fewer pieces", () => {
  const registry = openRegistry();
  const card = registry.card(registry.default("rerank"));
  const ids = [{}, { name: "other" }, { revision: "0" }, { max_tokens: 64 }].map((over) =>
    vectorsId({ ...card, ...over }),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toStartWith(`${card.name}@${card.revision}.`);
  expect(ids[0]).toEndWith(`.${PASSAGES}`);
});

const registry = openRegistry();
const reader = await createPassageReader({ registry });
afterAll(() => reader?.close());

test("reads each passage to a vector whose largest number is 127, in order, and the same each time", async () => {
  const texts = ["The bank raised interest rates.", "", "هطلت أمطار غزيرة على شمال البلاد."];
  const vectors = (await reader?.read(texts)) ?? [];
  expect(vectors.map(({ length }) => length)).toEqual([384, 384, 384]);
  for (const vector of vectors) expect(Math.max(...vector.map(Math.abs))).toBe(127);
  expect(await reader?.read(texts.toReversed())).toEqual(vectors.toReversed());
  expect(await reader?.read([])).toEqual([]);
});

test("a caller who goes away gets his reason", async () => {
  const gone = AbortSignal.abort(new Error("gone"));
  const reason = await reader?.read(["x"], gone).catch((error: unknown) => error);
  expect(String(reason)).toContain("gone");
});

test("there is none for a model that reads passages with their query, and a model of another task is refused", async () => {
  const made = crossEncoderFolder("wordpiece");
  expect(await createPassageReader({ registry: openRegistry({ dirs: [made.root] }), model: "tiny" })).toBeUndefined();
  made.remove();
  const refused = createPassageReader({ registry, model: registry.default("embed") });
  expect(await refused.catch((error: unknown) => error instanceof InferenceError && error.code)).toBe("model-invalid");
});
