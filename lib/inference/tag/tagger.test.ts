import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codePointSlice } from "../../text/index.ts";
import { InferenceError } from "../errors.ts";
import { openRegistry, SHIPPED_MODELS } from "../registry.ts";
import { flipBit } from "../testing.ts";
import { sentenceFeatures } from "./attributes.ts";
import { readLexicon } from "./lexicon.ts";
import { shapeRows } from "./shapes.ts";
import { createTagger } from "./tagger.ts";
import { tokenise } from "./tokenise.ts";

setDefaultTimeout(60_000);

const registry = openRegistry({ dirs: [SHIPPED_MODELS] });
const NAME = registry.default("tag");
const tagger = await createTagger({ registry });
const root = mkdtempSync(join(tmpdir(), "isnad-tagger-"));

afterAll(async () => {
  await tagger.close();
  rmSync(root, { recursive: true, force: true });
});

type Reference = {
  text: string;
  tokens: string[];
  facts: [string, string[], string, string][];
  shapes: number[];
  features: number[][];
  tags: Record<string, string[]>;
};

const references: Reference[] = JSON.parse(readFileSync(join(registry.dir(NAME), "reference.json"), "utf8"));

test("tokens, words, shapes and features are those of the training", () => {
  const lexicon = readLexicon(readFileSync(join(registry.dir(NAME), "words.txt"), "utf8"));
  for (const { text, tokens, facts, shapes, features } of references) {
    const found = tokenise(text).map((token) => token.text);
    expect(found).toEqual(tokens);
    const known = found.map(lexicon.facts);
    const shown = known.map((f): Reference["facts"][number] => [f.word, [...f.clusters], f.stem, f.stemCluster]);
    expect(shown).toEqual(facts);
    expect(shapeRows(known.map(({ shape }) => shape))).toEqual(shapes);
    expect(sentenceFeatures(known).map((row) => row.toSorted((a, b) => a - b))).toEqual(features);
  }
});

test("tags are those of the training, one sentence at a time and all at once", async () => {
  for (const head of ["ar", "en", "social"]) {
    const sentences = references.map(({ tokens }) => ({ tokens, head }));
    const together = await tagger.tagTokens(sentences);
    expect(together.map(({ tags }) => tags)).toEqual(references.map(({ tags }) => tags[head] ?? []));
    for (const [i, sentence] of sentences.entries()) {
      const [alone] = await tagger.tagTokens([sentence]);
      expect(alone?.tags).toEqual(together[i]?.tags ?? []);
    }
  }
});

test("names are found in both languages, with offsets in code points of the text as given", async () => {
  const text = "😀 Angela Merkel visited Paris.\nوزار الرئيس الفرنسي مدينة بيروت في لبنان.";
  const [entities = []] = await tagger.tag([text]);
  expect(entities.map(({ name }) => name)).toEqual(expect.arrayContaining(["Paris", "بيروت", "لبنان"]));
  for (const { text: shown, start, end, confidence } of entities) {
    expect(codePointSlice(text, start, end)).toBe(shown);
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(1);
  }
});

test("diacritics, tatweel and direction marks change nothing but the offsets", async () => {
  const [plain = [], dressed = []] = await tagger.tag([
    "وصل الرئيس إلى بيروت قادما من دمشق",
    "\u200fوَصَلَ الرَّئيسُ إِلى بَيْرُوت\u200f قَادِماً مِن دِمَــشق",
  ]);
  expect(dressed.map(({ name, type }) => [name, type])).toEqual(plain.map(({ name, type }) => [name, type]));
  expect(plain.length).toBeGreaterThan(0);
});

test("odd texts have an answer", async () => {
  const texts = [
    "",
    " ",
    "a",
    "ا",
    "7",
    "😀👨‍👩‍👧",
    "\u200f\u202b\u202c",
    "\u0000\u0007\u001b",
    "\ud800",
    "...؟!",
    "漢字かな 한국어",
    "x".repeat(25_000),
  ];
  const found = await tagger.tag([...texts, `${"Paris and Rome ".repeat(2_000)}end`]);
  expect(found).toHaveLength(texts.length + 1);
  for (const i of [0, 1, 6]) expect(found[i]).toEqual([]);
  expect(found.at(-1)?.length).toBeGreaterThan(0);
  expect(await tagger.tag([])).toEqual([]);
});

test("a call with a head that is not there fails, and the next one works", async () => {
  const failure = await tagger.tagTokens([{ tokens: ["x"], head: "none" }]).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(InferenceError);
  expect(await tagger.tag(["Paris"])).toHaveLength(1);
});

/** Code of the error with which a damaged copy of the model is refused. */
async function refusal(damage: (dir: string) => void): Promise<string | undefined> {
  const dir = mkdtempSync(join(root, "copy-"));
  cpSync(join(SHIPPED_MODELS, NAME), join(dir, NAME), { recursive: true });
  damage(join(dir, NAME));
  try {
    const made = await createTagger({ registry: openRegistry({ dirs: [dir] }) });
    await made.close();
    return undefined;
  } catch (error) {
    return error instanceof InferenceError ? error.code : String(error);
  }
}

test("a missing, cut, altered or foreign file is refused by name", async () => {
  expect(await refusal((dir) => unlinkSync(join(dir, "features.bin")))).toBe("model-missing");
  expect(await refusal((dir) => truncateSync(join(dir, "model.onnx"), 1000))).toBe("model-altered");
  expect(await refusal((dir) => flipBit(join(dir, "words.txt")))).toBe("model-altered");
  expect(await refusal((dir) => writeFileSync(join(dir, "model.json"), "{"))).toBe("model-unknown");
  expect(
    await refusal((dir) => {
      const card = JSON.parse(readFileSync(join(dir, "model.json"), "utf8"));
      writeFileSync(join(dir, "model.json"), JSON.stringify({ ...card, architecture: "encoder" }));
    }),
  ).toBe("model-invalid");
});
