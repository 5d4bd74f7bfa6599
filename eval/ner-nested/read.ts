import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { EntitySentence, LexiconSubjects } from "@isnad/lib/contract";
import { codePointLength } from "@isnad/lib/text";

/** An entity, in code points of its text or in tokens of its sentence; end exclusive. */
export type GoldSpan = { type: string; start: number; end: number };

/** A sentence of a set; `tokens`: start and end of each in `text`, where the set counts tokens. */
export type GoldSentence = { text: string; entities: GoldSpan[]; tokens?: { start: number; end: number }[] };

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

/** Whether the set is annotated in the 21 types of Wojood, and not in four. */
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

/** What stands in Wojood between two sentences of one document. */
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
