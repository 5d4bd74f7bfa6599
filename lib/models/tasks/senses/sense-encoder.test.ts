import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "../../../std/mod.ts";
import { openRegistry, SHIPPED_MODELS } from "../../cards/registry.ts";
import { flipBit } from "../../testing.ts";
import { createSenseEncoder } from "./sense-encoder.ts";

setDefaultTimeout(300_000);

const registry = openRegistry({ dirs: [SHIPPED_MODELS] });
const NAME = registry.default("senses");
const encoder = await createSenseEncoder({ registry });
const root = mkdtempSync(join(tmpdir(), "isnad-senses-"));

afterAll(async () => {
  await encoder.close();
  rmSync(root, { recursive: true, force: true });
});

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * at(b, i), 0);
const length = (vector: Float32Array): number => Math.hypot(...vector);

test("vectors of words are those of the training, of unit length", async () => {
  const references: { words: string[]; vectors: number[][] }[] = JSON.parse(
    readFileSync(join(registry.dir(NAME), "reference.json"), "utf8"),
  );
  for (const { words, vectors } of references) {
    const [found = []] = await encoder.encode([{ words, places: [...words.keys()] }]);
    expect(found).toHaveLength(words.length);
    found.forEach((vector, place) => {
      expect([vector.length, length(vector)]).toEqual([encoder.dims, expect.closeTo(1, 4)]);
      const expected = at(vectors, place);
      expect([...vector.slice(0, expected.length)]).toEqual(expected.map((value) => expect.closeTo(value, 2)));
    });
  }
});

test("a word has another vector in another sentence, and the same whatever else is asked for", async () => {
  const [first, second] = ["شربت ماء من عين في الجبل", "كشف الطبيب على عين المريض"].map((text) => text.split(" "));
  const sentences = [
    { words: first ?? [], places: [3] },
    { words: second ?? [], places: [1, 3] },
    { words: second ?? [], places: [3] },
    { words: [], places: [] },
  ];
  const [spring = [], doctor = [], eye = [], none] = await encoder.encode(sentences);
  expect(dot(at(spring, 0), at(eye, 0))).toBeLessThan(0.95);
  expect(dot(at(doctor, 1), at(eye, 0))).toBeCloseTo(1, 5);
  expect(none).toEqual([]);
});

test("each word of a sentence of several windows has a vector", async () => {
  const words = "قال الوزير إن الحكومة ستدرس الطلب".split(" ");
  const long = Array.from({ length: 50 }, () => words).flat();
  const [found = []] = await encoder.encode([{ words: long, places: [0, 150, 299] }]);
  expect(found.map((vector) => length(vector))).toEqual([1, 1, 1].map((one) => expect.closeTo(one, 4)));
});

test("a damaged file is told by the model's name", async () => {
  const folder = join(root, NAME);
  cpSync(registry.dir(NAME), folder, { recursive: true });
  flipBit(join(folder, "model.onnx"));
  const damaged = createSenseEncoder({ registry: openRegistry({ dirs: [root] }) });
  await expect(damaged).rejects.toMatchObject({ code: "model-altered", model: NAME });
});
