import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DialectSentence,
  type EntitySentence,
  LexiconSubjects,
  type RelationSentence,
  SenseEntry,
  SenseExample,
} from "@isnad/lib/contract";
import { parseJsonObject } from "@isnad/lib/std";
import { codePointLength, codePointSlice, forEachWord, type Morphology, normalForm } from "@isnad/lib/text";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { bareForm } from "../../lib/arabic/morphology/written-forms.ts";
import { createInventory } from "../../lib/arabic/senses/inventory.ts";
import { SENSES_MODEL, type SenseVectors } from "../../lib/arabic/senses/sense-vectors.ts";
import { tokensOf } from "../../lib/arabic/tokens.ts";
import { isStopWord } from "../../lib/text/word-terms.ts";

/** Verbs that say nothing of what is done: "to do writing" defines writing by itself. */
const LIGHT = new Set("قام يقوم فعل يفعل حدث يحدث حصل يحصل شيء امر صار يصير كان يكون".split(" "));

/** A shadda behind the vowel that belongs behind it. */
const LATE_SHADDA = /[\u064b-\u0650\u0652]\u0651/u;

/** Says how many words a gloss has. */
const LENGTH = { least: 4, most: 15 };

/**
 * Returns what is wrong with a sense beyond its schema, in words: a vowel of the lemma before its shadda, a gloss too
 * short, or one that defines the lemma by its root alone, an example without the word, a word of the lemma that the
 * analyser does not know.
 */
export function senseProblems(sense: SenseEntry, morphology: Morphology): string[] {
  const problems = LATE_SHADDA.test(sense.lemma) ? ["a vowel of the lemma stands before its shadda"] : [];
  const lemma = wordsOf(sense.lemma);
  const unknown = lemma.filter((word) => !isStopWord(word) && morphology(word) === undefined);
  for (const word of unknown) problems.push(`the analyser does not know ${word}`);
  const roots = new Set(lemma.map((word) => morphology(word)?.root ?? "").filter((root) => root !== ""));
  const isOwn = (word: string) => lemma.includes(word) || roots.has(morphology(word)?.root ?? "");
  const gloss = wordsOf(sense.gloss);
  if (gloss.length < LENGTH.least || gloss.length > LENGTH.most)
    problems.push(`the gloss has ${gloss.length} words instead of ${LENGTH.least} to ${LENGTH.most}`);
  const telling = gloss.filter((word) => !isStopWord(word) && !LIGHT.has(word));
  if (telling.every(isOwn)) problems.push("the gloss defines the word by itself");
  const letters = sense.pos === "mwe" ? [] : strong(sense.root.split(" "));
  for (const example of sense.examples) {
    if (!holds(wordsOf(example), lemma, letters)) problems.push(`the word is not in its example: ${example}`);
  }
  return problems;
}

/** The words of an Arabic text in normal form. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  forEachWord(text, (start, end) => words.push(normalForm(text.slice(start, end))));
  return words;
}

/** The letters of a root that every form of the word keeps. */
const strong = (root: readonly string[]): string[] =>
  root.filter((letter, i) => !/[ويءا]/u.test(letter) && letter !== root[i - 1]).map(normalForm);

/** Tells whether the example holds a word with these letters of the root, or all words of the lemma. */
function holds(example: readonly string[], lemma: readonly string[], letters: readonly string[]): boolean {
  if (letters.length >= 2 && example.some((word) => inOrder(letters, word))) return true;
  return lemma.every((own) => {
    const stem = own.length > 3 ? own.replace(/[هيا]$/u, "") : own;
    return example.some((word) => word.includes(stem) || inOrder(strong([...own]), word));
  });
}

function inOrder(letters: readonly string[], word: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = word.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return letters.length > 0;
}

/** The lemmas that a word can be a form of. */
type LemmasOf = (word: string) => readonly string[];

/**
 * Returns what is wrong with the further examples of senses in `folder`/examples, as `examples/file:line: problem`
 * lines; empty when all holds. A file is named as the file of its senses, and none as one that is held out.
 */
export function exampleProblems(folder: string, lemmasOf: LemmasOf): string[] {
  const subjects = LexiconSubjects.parse(JSON.parse(readFileSync(join(folder, "subjects.json"), "utf8"))).senses;
  const senses = new Map(readEntries(join(folder, "senses"), SenseEntry).map((sense) => [sense.id, sense]));
  const seen = new Map<string, string>();
  for (const { id, examples } of senses.values()) for (const text of examples) seen.set(keyOf(text), id);
  const names = readdirSync(join(folder, "examples")).filter((name) => name.endsWith(".jsonl"));
  return names.sort().flatMap((name) => {
    const part = name.slice(0, -".jsonl".length);
    const lines = readFileSync(join(folder, "examples", name), "utf8").split("\n");
    const problems = (subjects[part]?.held_out ?? true) ? [` examples of ${part} are not trained on`] : [];
    if (lines.pop() !== "") problems.push(`${lines.length + 1}: the last line has no end`);
    lines.forEach((line, i) => {
      const { data, error } = SenseExample.safeParse(parseJsonObject(line));
      const own = data === undefined ? error.issues.map(({ message }) => message) : problemsOf(data);
      problems.push(...own.map((problem) => `${i + 1}: ${problem}`));
    });
    return problems.map((problem) => `examples/${name}:${problem}`);

    function problemsOf({ sense: id, text }: SenseExample): string[] {
      const sense = senses.get(id);
      if (sense === undefined || !id.startsWith(`${part}-`)) return [`there is no sense ${id} in senses/${name}`];
      const before = seen.get(keyOf(text));
      seen.set(keyOf(text), id);
      return [
        ...(before === undefined ? [] : [`${before} has the same example`]),
        ...(holdsLemma(text, sense, lemmasOf) ? [] : [`no word can be a form of ${sense.lemma}: ${text}`]),
      ];
    }
  });
}

/** Examples that differ in vowels and signs alone are the same. */
const keyOf = (text: string): string => wordsOf(text).join(" ");

/** Tells whether the text has a form of the lemma, or of each word of an expression. */
function holdsLemma(text: string, { lemma }: SenseEntry, lemmasOf: LemmasOf): boolean {
  const words = tokensOf(text).map(({ token }) => token);
  const isForm = (word: string, own: string): boolean =>
    bareForm(word) === own || lemmasOf(word).some((each) => bareForm(each) === own);
  return wordsOf(lemma).every((own) => words.some((word) => isForm(word, bareForm(own))));
}

type Span = { start: number; end: number };

/** Returns what is wrong with the offsets of a sentence's entities, in words. */
export function entityProblems({ text, entities }: EntitySentence): string[] {
  const names = entities.map(({ start, end, type }) => `${type} ${start}-${end}`);
  const twice = names.filter((name, i) => names.indexOf(name) !== i).map((name) => `${name} stands twice`);
  const crossing = entities.flatMap((a, i) =>
    entities
      .slice(i + 1)
      .filter((b) => crosses(a, b))
      .map((b) => `${a.start}-${a.end} and ${b.start}-${b.end} cross each other`),
  );
  return [...entities.flatMap((entity) => spanProblems(text, entity)), ...twice, ...crossing];
}

/** Returns what is wrong with the offsets of a sentence's events and their arguments, in words. */
export function relationProblems({ text, events }: RelationSentence): string[] {
  return events.flatMap((event) => [
    ...spanProblems(text, event.trigger),
    ...event.arguments.flatMap((argument) => [
      ...spanProblems(text, argument),
      ...(crosses(argument, event.trigger) ? [`${argument.start}-${argument.end} crosses the trigger`] : []),
    ]),
  ]);
}

/**
 * Returns what is wrong with the tokens of a dialect sentence: they follow each other in its text, nothing left out.
 */
export function dialectProblems({ text, tokens }: DialectSentence): string[] {
  let at = 0;
  for (const { token } of tokens) {
    const start = text.indexOf(token, at);
    if (start < 0) return [`the token ${token} is not in the text after those before it`];
    const between = text.slice(at, start);
    if (/[\p{L}\p{N}]/u.test(between)) return [`no token for ${between.trim()}`];
    at = start + token.length;
  }
  const rest = text.slice(at);
  return /[\p{L}\p{N}]/u.test(rest) ? [`no token for ${rest.trim()}`] : [];
}

const crosses = (a: Span, b: Span): boolean =>
  (a.start < b.start && b.start < a.end && a.end < b.end) || (b.start < a.start && a.start < b.end && b.end < a.end);

function spanProblems(text: string, { start, end }: Span): string[] {
  const place = `${start}-${end}`;
  if (end <= start || end > codePointLength(text)) return [`${place} is no place in the text`];
  const part = codePointSlice(text, start, end);
  return part.trim() === part ? [] : [`${place} has white space around it: "${part}"`];
}

/**
 * Returns what is wrong with a file of JSON lines, the number of its line before each problem; ids are `prefix-number`.
 */
export function linesProblems(prefix: string, text: string, lineProblems: (line: string) => string[]): string[] {
  const lines = text.split("\n");
  if (lines.pop() !== "") return [`${lines.length + 1}: the last line has no end`];
  let last = 0;
  return lines.flatMap((line, i) => {
    const problems = lineProblems(line);
    const id = /"id":\s*"([^"]*)-(\d+)"/.exec(line);
    if (id !== null) {
      if (id[1] !== prefix) problems.push("the id does not begin with the name of its file");
      if (Number(id[2]) <= last) problems.push("ids must ascend, none twice");
      last = Number(id[2]);
    }
    return problems.map((problem) => `${i + 1}: ${problem}`);
  });
}

/** Sentences twice among a kind, which could be held out and trained on at once, and senses alike in all. */
export function doubleProblems(kind: string, lines: readonly string[]): string[] {
  const ids = new Map<string, string>();
  return lines.flatMap((line) => {
    const { id, text, lemma, gloss, examples } = parseJsonObject(line) ?? {};
    if (id === undefined) return [];
    const keys = text === undefined ? [`${lemma}: ${gloss}`, ...(Array.isArray(examples) ? examples : [])] : [text];
    return keys.map(String).flatMap((key) => {
      const first = ids.get(key);
      if (first === undefined) ids.set(key, String(id));
      return first === undefined ? [] : [`${kind}: ${first} and ${id} have the same: ${key}`];
    });
  });
}

/**
 * Returns what is told of the vectors by which senses are chosen: those that were added or reworded since then are
 * chosen by the words around alone, which is less sure, but no mistake.
 */
export function vectorSummary(folder: string, vectors: Pick<SenseVectors, "of">): string {
  const senses = readEntries(folder, SenseEntry);
  const inventory = createInventory(senses);
  const several = senses.filter((sense) => inventory.rivals(sense).length > 1);
  const missing = several.filter((sense) => vectors.of(sense) === undefined).map(({ id }) => id);
  const count = `${several.length - missing.length} of ${several.length} senses of words with several have a vector`;
  if (missing.length === 0) return `${count} in ${SENSES_MODEL}`;
  return `${count} in ${SENSES_MODEL}; python -m isnad_senses --vectors makes those of ${missing.join(", ")}`;
}
