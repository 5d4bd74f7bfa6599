import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codePointSlice } from "../../../text/mod.ts";
import { openRegistry, SHIPPED_MODELS } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { flipBit } from "../../testing.ts";
import { loadPieces } from "../../tokenizers/pieces.ts";
import { tokenise } from "../../../text/sentences.ts";
import { foldToken } from "./find-entities.ts";
import { loadTagModel } from "./tag-model.ts";
import { createTagger } from "./tagger.ts";
import { windowsOf } from "./windows.ts";

setDefaultTimeout(300_000);

const registry = openRegistry({ dirs: [SHIPPED_MODELS] });
const NAME = registry.default("tag");
const PIECES = "pieces-ar-en";
const tagger = await createTagger({ registry, timeoutMs: 240_000 });
const root = mkdtempSync(join(tmpdir(), "isnad-tagger-"));

afterAll(async () => {
  await tagger.close();
  rmSync(root, { recursive: true, force: true });
});

type Reference = {
  text: string;
  tokens: string[];
  folded: string[];
  ids: number[][];
  firsts: number[][];
  tags: Record<string, string[]>;
  nested: [start: number, end: number, type: string, cut: number][];
};

const references: Reference[] = JSON.parse(readFileSync(join(registry.dir(NAME), "reference.json"), "utf8"));
const pieces = await loadPieces(registry.dir(NAME), registry.card(NAME));

test("tokens, folded words and pieces are those of the training", () => {
  for (const { text, tokens, folded, ids, firsts } of references) {
    const found = tokenise(text).map((token) => token.text);
    expect(found).toEqual(tokens);
    expect(found.map(foldToken)).toEqual(folded);
    expect(windowsOf([found], pieces.tokenizer.idsOf)).toEqual(
      ids.map((row, i) => ({ ids: row, firsts: firsts[i] ?? [] })),
    );
  }
});

test("tags are those of the training", async () => {
  for (const head of ["ar", "en", "social"]) {
    for (const { tokens, tags } of references) {
      const [found] = await tagger.tagTokens([{ tokens, head }]);
      expect(found?.tags).toEqual(tags[head] ?? []);
    }
  }
});

test("nested entities, and the letters before them, are those of the training", async () => {
  const model = await loadTagModel(registry.dir(NAME), registry.card(NAME), { threads: 1 });
  for (const { tokens, nested } of references) {
    const [found = []] = await model.nested([tokens]);
    expect(found.map(({ start, end, type, cut }) => [start, end, type, cut])).toEqual(nested);
  }
  await model.release();
});

test("documents that are asked for at the same time change nothing about each other", async () => {
  const texts = ["Angela Merkel visited Paris.", "قال الرئيس في بيروت", "Obama met Merkel. ".repeat(40)];
  const together = await tagger.tag(texts);
  for (const [i, text] of texts.entries()) expect(await tagger.tag([text])).toEqual([together[i] ?? []]);
});

test("sentences of one document may have different heads", async () => {
  const tokens = ["Angela", "Merkel", "visited", "Paris"];
  const found = await tagger.tagTokens([
    { tokens, head: "en" },
    { tokens: [], head: "ar" },
    { tokens, head: "social" },
  ]);
  expect(found.map(({ tags }) => tags.length)).toEqual([4, 0, 4]);
  expect(found[2]?.spans.every(({ type }) => type === type.toLowerCase())).toBe(true);
});

test("names are found in both languages, with offsets in code points of the text as given", async () => {
  const text = "😀 Angela Merkel visited Paris.\nوصل الرئيس الفرنسي إلى بيروت في لبنان.";
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
    "\u064b\u064c \u200f",
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
async function refusal(damage: (dir: string, root: string) => void): Promise<string | undefined> {
  const dir = mkdtempSync(join(root, "copy-"));
  for (const name of [NAME, PIECES]) cpSync(join(SHIPPED_MODELS, name), join(dir, name), { recursive: true });
  damage(join(dir, NAME), dir);
  try {
    const made = await createTagger({ registry: openRegistry({ dirs: [dir] }) });
    await made.close();
    return undefined;
  } catch (error) {
    return error instanceof InferenceError ? error.code : String(error);
  }
}

test("a missing, cut, altered or foreign file is refused by name", async () => {
  expect(await refusal((dir) => unlinkSync(join(dir, "tagger.json")))).toBe("model-missing");
  expect(await refusal((dir) => truncateSync(join(dir, "model.onnx"), 1000))).toBe("model-altered");
  expect(await refusal((dir) => flipBit(join(dir, "words.txt")))).toBe("model-altered");
  expect(await refusal((_, models) => rmSync(join(models, PIECES, "rows.bin")))).toBe("model-missing");
  // without them the shipped ones are taken
  expect(await refusal((_, models) => rmSync(join(models, PIECES), { recursive: true }))).toBeUndefined();
  expect(await refusal((dir) => writeFileSync(join(dir, "model.json"), "{"))).toBe("model-unknown");
  expect(
    await refusal((dir) => {
      const card = JSON.parse(readFileSync(join(dir, "model.json"), "utf8"));
      writeFileSync(join(dir, "model.json"), JSON.stringify({ ...card, architecture: "encoder" }));
    }),
  ).toBe("model-invalid");
});

test("a document that nobody waits for any more is abandoned between two of its windows", async () => {
  const model = await loadTagModel(registry.dir(NAME), registry.card(NAME), { threads: 1 });
  const stop = new AbortController();
  const sentence = { tokens: "The mayor of Amman met Rania Haddad at the port of Aqaba .".split(" "), head: "en" };
  const tagging = model.tag(new Array(2000).fill(sentence), stop).then(String, (error: unknown) => error);
  setTimeout(() => stop.abort(new Error("the process stops")));
  expect(await tagging).toBe(stop.signal.reason);
  await model.release();
});

test("a tagger for nested entities alone runs without the graph of its heads, and says so to who asks for them", async () => {
  const dir = join(root, "nested-only");
  cpSync(registry.dir(NAME), join(dir, NAME), { recursive: true });
  cpSync(registry.dir(PIECES), join(dir, PIECES), { recursive: true });
  unlinkSync(join(dir, NAME, "model.onnx"));
  const nested = await createTagger({ registry: openRegistry({ dirs: [dir] }), nestedOnly: true });
  const [found] = await nested.nested(["زار الرئيس القاهرة"]);
  expect(found?.entities.map(({ type, text }) => [type, text])).toContainEqual(["GPE", "القاهرة"]);
  const refused: unknown = await nested.tagTokens([{ tokens: ["Cairo"], head: "en" }]).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "model-invalid", message: expect.stringContaining("nested entities alone") });
  await nested.close();
});

test("a short text is read before long ones that came first, and long ones give what they give alone", async () => {
  const service = await createTagger({ registry, nestedOnly: true });
  const long = "وصل الرئيس الفرنسي إلى بيروت في لبنان يوم الثلاثاء. ".repeat(200);
  const alone = await service.nested([long]);
  const done: string[] = [];
  const texts = [long, long, long, "زار الوزير القاهرة."];
  const found = await Promise.all(
    texts.map(async (text) => {
      const [read] = await service.nested([text]);
      done.push(text === long ? "long" : "short");
      return read;
    }),
  );
  expect(done[0]).toBe("short");
  expect(found.slice(0, 3)).toEqual([...alone, ...alone, ...alone]);
  await service.close();
});
