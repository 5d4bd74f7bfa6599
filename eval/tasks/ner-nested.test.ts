import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NestedEntity } from "@isnad/lib/models";
import { evalNested, isNested, outermost, readNested, scoreOf, spansOf } from "./ner-nested.ts";

const COLUMNS = "رئيس B-OCC\nبلدية I-OCC B-ORG\nنابلس I-OCC I-ORG B-GPE\n، O\n$#$ O\n\nولبنان B-GPE\n";

function withFiles(work: (dir: string) => void | Promise<void>): void | Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-nested-"));
  try {
    return work(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test("columns of several tags are nested spans; separators are no tokens", () =>
  withFiles((dir) => {
    const path = join(dir, "set.txt");
    writeFileSync(path, COLUMNS);
    const [first, second] = readNested(path);
    expect(first?.text).toBe("رئيس بلدية نابلس ،");
    expect(first?.entities).toEqual([
      { type: "OCC", start: 0, end: 3 },
      { type: "ORG", start: 1, end: 3 },
      { type: "GPE", start: 2, end: 3 },
    ]);
    expect(second).toMatchObject({ text: "ولبنان", tokens: [{ start: 0, end: 6 }] });
    expect(isNested(readNested(path))).toBe(true);
  }));

test("of a folder only the files that are held out are read", () =>
  withFiles((dir) => {
    mkdirSync(join(dir, "entities"));
    const line = (id: string) =>
      JSON.stringify({ id, text: "زار لبنان", entities: [{ start: 4, end: 9, type: "GPE" }] });
    writeFileSync(join(dir, "entities/a.jsonl"), line("a-0001"));
    writeFileSync(join(dir, "entities/b.jsonl"), line("b-0001"));
    const entities = { a: { held_out: true }, b: { held_out: false } };
    writeFileSync(join(dir, "subjects.json"), JSON.stringify({ senses: {}, entities, relations: {}, dialect: {} }));
    expect(readNested(join(dir, "entities"))).toMatchObject([{ id: "a-0001", text: "زار لبنان" }]);
  }));

test("an I- without its B- begins a span; a B- ends the one before", () => {
  expect(spansOf([["I-ORG"], ["B-ORG"], ["O"], ["I-ORG", "I-GPE"]])).toEqual([
    { type: "ORG", start: 0, end: 1 },
    { type: "ORG", start: 1, end: 2 },
    { type: "ORG", start: 3, end: 4 },
    { type: "GPE", start: 3, end: 4 },
  ]);
});

test("only exact spans of the right type count, and flat only the outermost", () => {
  const gold = [
    { type: "OCC", start: 0, end: 3 },
    { type: "GPE", start: 2, end: 3 },
  ];
  expect(outermost(gold)).toEqual([{ type: "OCC", start: 0, end: 3 }]);
  const found = [
    { type: "OCC", start: 0, end: 3 },
    { type: "ORG", start: 2, end: 3 },
  ];
  expect(scoreOf([gold], [found])).toEqual({ f1: 0.5, precision: 0.5, recall: 0.5 });
  expect(scoreOf([gold], [[]])).toEqual({ f1: 0, precision: 0, recall: 0 });
});

test("an entity without the conjunction of its first word is right where the set counts tokens", async () => {
  const entity: NestedEntity = { type: "GPE", text: "لبنان", name: "لبنان", start: 1, end: 6, level: 0, confidence: 1 };
  const tagger = { nested: async (texts: readonly string[]) => texts.map(() => ({ tokens: [], entities: [entity] })) };
  const tokens = { text: "ولبنان", entities: [{ type: "GPE", start: 0, end: 1 }], tokens: [{ start: 0, end: 6 }] };
  expect((await evalNested(tagger, [tokens])).nested.f1).toBe(1);
  const points = { text: "ولبنان", entities: [{ type: "GPE", start: 0, end: 6 }] };
  expect((await evalNested(tagger, [points])).nested.f1).toBe(0);
  await expect(evalNested(tagger, [])).rejects.toThrow(RangeError);
});

test("lines of JSON are read from a file, empty ones passed over, and one of another form is refused", () =>
  withFiles((dir) => {
    const path = join(dir, "set.jsonl");
    const row = { id: "a-0001", text: "زار لبنان", entities: [{ start: 4, end: 9, type: "GPE" }] };
    writeFileSync(path, `${JSON.stringify(row)}\n\n \n`);
    expect(readNested(path)).toEqual([row]);
    writeFileSync(path, JSON.stringify({ ...row, entities: [{ start: 4, end: 9, type: "PLANET" }] }));
    expect(() => readNested(path)).toThrow();
  }));

test("columns may end lines otherwise, have marks before tokens, and blanks on the line between sentences", () =>
  withFiles((dir) => {
    const path = join(dir, "set.txt");
    writeFileSync(path, "\ufeffلبنان\tB-GPE\r\nهنا O\r\n \t\r\n\u200eبيروت   B-GPE\r\nلا-وسم\r\n\r\n\r\n");
    const sentences = readNested(path);
    expect(sentences.map(({ text }) => text)).toEqual(["لبنان هنا", "بيروت"]);
    expect(sentences[0]?.tokens).toEqual([
      { start: 0, end: 5 },
      { start: 6, end: 9 },
    ]);
    expect(sentences.map(({ entities }) => entities)).toEqual([
      [{ type: "GPE", start: 0, end: 1 }],
      [{ type: "GPE", start: 0, end: 1 }],
    ]);
  }));

test("a set of four types is not nested, be they called as they are elsewhere", () => {
  const of = (...types: string[]) => [{ text: "x", entities: types.map((type) => ({ type, start: 0, end: 1 })) }];
  expect([isNested(of("PER", "PERS", "LOC", "ORG", "MISC")), isNested(of("PER", "GPE")), isNested([])]).toEqual([
    false,
    true,
    false,
  ]);
});

test("a span that begins where another of its type is open ends it, and one inside it of another type does not", () => {
  expect(spansOf([["B-ORG"], ["B-ORG", "B-GPE"], ["I-ORG"], []])).toEqual([
    { type: "ORG", start: 0, end: 1 },
    { type: "ORG", start: 1, end: 3 },
    { type: "GPE", start: 1, end: 2 },
  ]);
  expect(spansOf([])).toEqual([]);
  expect(spansOf([["O"]])).toEqual([]);
});

test("of spans with the same words the first is the outermost, and those apart are both", () => {
  const spans = [
    { type: "ORG", start: 0, end: 2 },
    { type: "GPE", start: 0, end: 2 },
    { type: "PERS", start: 1, end: 2 },
    { type: "PERS", start: 1, end: 3 },
    { type: "DATE", start: 4, end: 5 },
  ];
  expect(outermost(spans).map(({ type, end }) => [type, end])).toEqual([
    ["ORG", 2],
    ["PERS", 3],
    ["DATE", 5],
  ]);
});

test("scores are summed over sentences, spans that are given twice count once", () => {
  const span = { type: "GPE", start: 0, end: 1 };
  const other = { type: "ORG", start: 0, end: 1 };
  expect(scoreOf([[span], [span, other]], [[span, span], [span]])).toEqual({ precision: 1, recall: 2 / 3, f1: 0.8 });
  expect(scoreOf([[span]], [])).toEqual({ f1: 0, precision: 0, recall: 0 });
});

test("sentences are asked for in parts of sixty-four, each by itself", async () => {
  const sizes: number[] = [];
  const tagger = {
    nested: async (texts: readonly string[]) => {
      sizes.push(texts.length);
      return texts.map(() => ({ tokens: [], entities: [] }));
    },
  };
  const { predictions } = await evalNested(
    tagger,
    Array.from({ length: 130 }, (_, i) => ({ text: `t${i}`, entities: [] })),
  );
  expect(sizes).toEqual([64, 64, 2]);
  expect(predictions.at(-1)).toBe('{"text":"t129","entities":[]}');
});
