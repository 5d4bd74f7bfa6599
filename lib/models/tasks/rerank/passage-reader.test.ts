import { afterAll, expect, test } from "bun:test";
import { openRegistry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createPassageReader } from "./passage-reader.ts";
import { crossEncoderFolder } from "./testing.ts";

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
