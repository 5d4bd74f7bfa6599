import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { EntitySentence, LexiconSubjects } from "@isnad/lib/contract";
import { createTagger, type NestedEntity, openRegistry, type Tagger } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import { codePointLength } from "@isnad/lib/text";
import { entriesHash, type EvalTask } from "../task.ts";
import { evalEntities } from "./entities.ts";

/** Micro-averaged scores of exact spans with their types. */
type SpanF1 = { f1: number; precision: number; recall: number };

/** Scores over all entities and over those that lie in no other; a prediction a sentence, as a line of JSON. */
type NestedEvaluation = { nested: SpanF1; flat: SpanF1; predictions: string[] };

/** Sentences of one call. */
const TOGETHER = 64;

/** Finds the entities of each sentence by itself, as one request to /ner has them, and compares. */
export async function evalNested(
  tagger: Pick<Tagger, "nested">,
  sentences: readonly GoldSentence[],
): Promise<NestedEvaluation> {
  if (sentences.length === 0) throw new RangeError("there is no sentence to measure");
  const predicted: GoldSpan[][] = [];
  for (let i = 0; i < sentences.length; i += TOGETHER) {
    const part = sentences.slice(i, i + TOGETHER);
    const answers = await tagger.nested(part.map(({ text }) => text));
    predicted.push(...answers.map(({ entities }, n) => spansIn(at(part, n), entities)));
  }
  const gold = sentences.map(({ entities }) => entities);
  return {
    nested: scoreOf(gold, predicted),
    flat: scoreOf(gold.map(outermost), predicted.map(outermost)),
    predictions: sentences.map(({ text }, i) => JSON.stringify({ text, entities: at(predicted, i) })),
  };
}

/** The entities in what the set counts: code points, or the tokens that they touch. */
function spansIn({ tokens }: GoldSentence, entities: readonly NestedEntity[]): GoldSpan[] {
  if (tokens === undefined) return entities.map(({ type, start, end }) => ({ type, start, end }));
  return entities.map(({ type, start, end }) => {
    const first = tokens.findIndex((token) => token.end > start);
    const last = tokens.findLastIndex((token) => token.start < end);
    return { type, start: first, end: last + 1 };
  });
}

const holds = (a: GoldSpan, b: GoldSpan): boolean =>
  a.start <= b.start && b.end <= a.end && (a.start !== b.start || a.end !== b.end);

/** Those that lie in no other; of two with the same words the first. */
export function outermost(spans: readonly GoldSpan[]): GoldSpan[] {
  return spans.filter(
    (span, i) =>
      !spans.some((other) => holds(other, span)) &&
      spans.findIndex(({ start, end }) => start === span.start && end === span.end) === i,
  );
}

/** Precision, recall and F1 of exact spans and types. */
export function scoreOf(gold: readonly (readonly GoldSpan[])[], found: readonly (readonly GoldSpan[])[]): SpanF1 {
  const keysOf = (spans: readonly GoldSpan[]) =>
    new Set(spans.map(({ type, start, end }) => `${start}-${end}-${type}`));
  const counts = { right: 0, found: 0, gold: 0 };
  gold.forEach((spans, i) => {
    const want = keysOf(spans);
    const have = keysOf(found[i] ?? []);
    counts.gold += want.size;
    counts.found += have.size;
    counts.right += want.intersection(have).size;
  });
  const precision = counts.found === 0 ? 0 : counts.right / counts.found;
  const recall = counts.gold === 0 ? 0 : counts.right / counts.gold;
  const f1 = counts.right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { f1, precision, recall };
}

/** An entity, in code points of its text or in tokens of its sentence; end exclusive. */
type GoldSpan = { type: string; start: number; end: number };

/** A sentence of a set; `tokens`: start and end of each in `text`, where the set counts tokens. */
type GoldSentence = { text: string; entities: GoldSpan[]; tokens?: { start: number; end: number }[] };

/**
 * Reads JSON lines (a file, or those of a folder that `subjects.json` beside it calls held out), or CoNLL columns
 * with a tag for each entity that the token lies in, the outermost first.
 */
export function readNested(path: string): GoldSentence[] {
  if (statSync(path).isDirectory()) return readFolder(path);
  const text = readFileSync(path, "utf8");
  return path.endsWith(".jsonl") ? readLines(text) : readColumns(text);
}

const FOUR = new Set(["PER", "PERS", "LOC", "ORG", "MISC"]);

/** Tells whether the set is annotated in the 21 types of Wojood, and not in four. */
export const isNested = (sentences: readonly GoldSentence[]): boolean =>
  sentences.some(({ entities }) => entities.some(({ type }) => !FOUR.has(type)));

function readFolder(path: string): GoldSentence[] {
  const subjects = LexiconSubjects.parse(JSON.parse(readFileSync(join(path, "../subjects.json"), "utf8"))).entities;
  return readdirSync(path)
    .filter((name) => name.endsWith(".jsonl") && subjects[basename(name, ".jsonl")]?.held_out === true)
    .sort()
    .flatMap((name) => readLines(readFileSync(join(path, name), "utf8")));
}

function readLines(text: string): GoldSentence[] {
  const parse = (line: string): EntitySentence => EntitySentence.parse(JSON.parse(line));
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parse);
}

/** Holds what stands in Wojood between two sentences of one document. */
const SEPARATOR = "$#$";

function readColumns(text: string): GoldSentence[] {
  return text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((block) =>
      block
        .split(/\r?\n/)
        .map((line) =>
          line
            .replace(/[\u200e\ufeff]/g, "")
            .trim()
            .split(/\s+/),
        )
        .filter(([token = "", tag]) => token !== "" && token !== SEPARATOR && tag !== undefined),
    )
    .filter((rows) => rows.length > 0)
    .map(sentenceOf);
}

function sentenceOf(rows: readonly string[][]): GoldSentence {
  const words = rows.map(([token = ""]) => token);
  let at = 0;
  const tokens = words.map((word) => {
    const start = at;
    at += codePointLength(word) + 1;
    return { start, end: at - 1 };
  });
  return { text: words.join(" "), entities: spansOf(rows.map(([, ...tags]) => tags)), tokens };
}

/** Spans of tokens with several BIO tags each: an I- goes on with the open span of its type, or begins one. */
export function spansOf(tags: readonly (readonly string[])[]): GoldSpan[] {
  const spans: GoldSpan[] = [];
  const open = new Map<string, number>();
  [...tags, []].forEach((own, place) => {
    const inside = new Set(own.filter((tag) => tag.startsWith("I-")).map((tag) => tag.slice(2)));
    const begun = new Set(own.filter((tag) => tag.startsWith("B-")).map((tag) => tag.slice(2)));
    for (const [type, start] of [...open]) {
      if (inside.has(type) && !begun.has(type)) continue;
      spans.push({ type, start, end: place });
      open.delete(type);
    }
    for (const type of new Set([...begun, ...inside])) if (!open.has(type)) open.set(type, place);
  });
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}

const SENTENCES = fileURLToPath(new URL("../../nlp/lexicon/entities", import.meta.url));

/** Entities that nest, of 21 types, each sentence read by itself; a set of four types by the head that has them. */
export const nerNested: EvalTask = {
  name: "ner-nested",
  formats:
    "JSON lines {text, entities:[{start,end,type}]}, a folder as nlp/lexicon/entities (its held-out files), or CoNLL columns with a tag for each entity, the outermost first",
  sets: (data) => [
    { set: "Wojood sample val", path: join(data, "ner/ar/wojood_sample_val.txt") },
    { set: "held-out sentences of our own", path: SENTENCES },
    { set: "ANERcorp held-out fifth", path: join(data, "ner/ar/anercorp_train.txt"), lang: "ar", part: "last-fifth" },
  ],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const tagger = await createTagger({ registry, timeoutMs: 600_000 });
    return {
      async measure({ path, lang = "ar", part }) {
        const sentences = readNested(path);
        if (!isNested(sentences)) {
          const { f1, tokens, predictions } = await evalEntities(tagger, {
            path,
            lang,
            ...(part !== undefined && { part }),
          });
          return { figures: { "F1, four types": f1 }, size: tokens, predictions };
        }
        const { nested, flat, predictions } = await evalNested(tagger, sentences);
        const figures = {
          "F1 nested": nested.f1,
          "F1 flat": flat.f1,
          "P nested": nested.precision,
          "R nested": nested.recall,
        };
        const isPart = statSync(path).isDirectory();
        return { figures, size: sentences.length, predictions, ...(isPart && { corpus: entriesHash(sentences) }) };
      },
      close: () => tagger.close(),
    };
  },
};
