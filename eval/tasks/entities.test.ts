import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Tagger } from "@isnad/lib/models";
import { evalEntities, parseConll, scoreSpans, spanKeys } from "./entities.ts";

test("reads tokens, tags and lines; an empty line ends a sentence", () => {
  expect(parseConll("Bonn B-LOC\nis O\n\nAnna\tB-PERS\nMay\tI-PERS\n")).toEqual([
    { tokens: ["Bonn", "is"], tags: ["B-LOC", "O"], lines: [1, 2] },
    { tokens: ["Anna", "May"], tags: ["B-PER", "I-PER"], lines: [4, 5] },
  ]);
});

test("a span of IO tags begins where the type changes", () => {
  const [sentence] = parseConll("a I-PER\nb I-PER\nc I-LOC\nd O\ne I-LOC\n");
  expect(sentence?.tags).toEqual(["B-PER", "I-PER", "B-LOC", "O", "B-LOC"]);
});

test("takes off language prefixes only where every token has one, and marks before tokens", () => {
  expect(parseConll("en:Bonn\tB-LOC\nen::\tO\n")[0]?.tokens).toEqual(["Bonn", ":"]);
  expect(parseConll("ab:c O\nd O\n")[0]?.tokens).toEqual(["ab:c", "d"]);
  expect(parseConll("\ufeff\u200eمصر\tB-LOC\r\n\t\r\nفي\tO\r\n")).toHaveLength(2);
});

test("document marks and lines without a tag are no tokens", () => {
  expect(parseConll("-DOCSTART- O\n\nx O\nalone\n")).toEqual([{ tokens: ["x"], tags: ["O"], lines: [3] }]);
});

test("a span counts by its bounds and its type", () => {
  expect([...spanKeys(["B-PER", "I-PER", "B-PER", "O", "I-LOC", "I-ORG"])]).toEqual([
    "0-2-PER",
    "2-3-PER",
    "4-5-LOC",
    "5-6-ORG",
  ]);
});

test("only exact spans are right", () => {
  const gold = [
    ["B-PER", "I-PER", "O", "B-LOC"],
    ["O", "B-ORG"],
  ];
  const found = [
    ["B-PER", "O", "O", "B-LOC"],
    ["B-ORG", "B-ORG"],
  ];
  expect(scoreSpans(gold, found)).toMatchObject({ wanted: 3, found: 4, right: 2, precision: 0.5, recall: 2 / 3 });
  expect(scoreSpans(gold, found, "ORG")).toMatchObject({ wanted: 1, found: 2, right: 1, f1: 2 / 3 });
});

test("nothing wanted and nothing found is no division by zero", () => {
  expect(scoreSpans([["O"]], [["O"]])).toMatchObject({ f1: 0, precision: 0, recall: 0 });
});

const dir = mkdtempSync(join(tmpdir(), "isnad-conll-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** Writes a set, packed where its name says so. */
function setOf(text: string, name = "set.conll"): string {
  const path = join(dir, name);
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

/** Tags every word with a capital as a person, and keeps what it was asked for. */
function capitals() {
  const calls: { head: string; sentences: number }[] = [];
  const tagger: Pick<Tagger, "tagTokens"> = {
    tagTokens: async (asked) => {
      calls.push({ head: asked[0]?.head ?? "", sentences: asked.length });
      return asked.map(({ tokens }) => ({
        tags: tokens.map((token) => (/^\p{Lu}/u.test(token) ? "B-PER" : "O")),
        spans: [],
      }));
    },
  };
  return { tagger, calls };
}

test("a set is tagged by the head of its types and language, and every token has a prediction by its line", async () => {
  const { tagger, calls } = capitals();
  const path = setOf("Anna B-PER\nleft O\nBonn B-LOC\n\nOmar B-PER\n");
  const measured = await evalEntities(tagger, { path });
  expect(calls).toEqual([{ head: "en", sentences: 2 }]);
  expect(measured).toMatchObject({ sentences: 2, tokens: 4, wanted: 3, found: 3, right: 2, f1: 2 / 3 });
  expect(measured.types).toMatchObject({
    PER: { wanted: 2, found: 3, recall: 1 },
    LOC: { wanted: 1, found: 0, f1: 0 },
  });
  expect(measured.predictions).toEqual(["1\tB-PER", "2\tO", "3\tB-PER", "5\tB-PER"]);
});

test.each([
  ["Anna B-person\nplays O\n", undefined, "social"],
  ["آنا B-PERS\nهنا O\n", undefined, "ar"],
  ["آنا B-PERS\nhere O\nnow O\n", undefined, "en"],
  ["Anna B-PER\n", "ar", "ar"],
  ["آنا B-PERS\n", "en", "en"],
] as const)("the head of %j, said to be %p, is %s", async (text, lang, head) => {
  const { tagger, calls } = capitals();
  await evalEntities(tagger, { path: setOf(text), ...(lang !== undefined && { lang }) });
  expect(calls.map((call) => call.head)).toEqual([head]);
});

test("fifty sentences are taken for a document, and the last fifth may be measured alone", async () => {
  const path = setOf("Anna B-PER\n\n".repeat(103), "long.conll.gz");
  const whole = capitals();
  expect((await evalEntities(whole.tagger, { path })).sentences).toBe(103);
  expect(whole.calls.map(({ sentences }) => sentences)).toEqual([50, 50, 3]);
  const part = capitals();
  const { sentences, predictions } = await evalEntities(part.tagger, { path, part: "last-fifth" });
  expect([sentences, predictions[0], predictions.at(-1)]).toEqual([20, "167\tB-PER", "205\tB-PER"]);
});

test("a set without an entity, and one of types that nobody knows, are refused; of several one is enough", async () => {
  const { tagger } = capitals();
  const of = (text: string) => evalEntities(tagger, { path: setOf(text) });
  await expect(of("just O\nwords O\n")).rejects.toThrow("holds no entity");
  await expect(of("Aspirin B-DRUG\nx B-GENE\n")).rejects.toThrow("does not know (DRUG, GENE)");
  expect((await of("Aspirin B-DRUG\nAnna B-PER\n")).types).toMatchObject({ DRUG: { wanted: 1, right: 0 } });
  expect(await of("")).toMatchObject({ sentences: 0, f1: 0 });
});

test("names of types that mean the same are one type", async () => {
  const { tagger } = capitals();
  const path = setOf("Anna B-PERSON\nMay I-PERS\nOmar B-PER\n");
  expect((await evalEntities(tagger, { path })).types).toMatchObject({ PER: { wanted: 2, found: 3, right: 1 } });
});
