/** `bun run check lexicon`: what must hold of the language data of our own, see nlp/lexicon/README.md. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import {
  ClaimSentence,
  ClaimTopics,
  DialectSentence,
  EntitySentence,
  LEXICON_KINDS,
  type LexiconKind,
  LexiconSubjects,
  RelationSentence,
  SenseEntry,
} from "@isnad/lib/contract";
import { parseJsonObject } from "@isnad/lib/std";
import type { Morphology } from "@isnad/lib/text";
import { openAnalyser } from "../../lib/arabic/morphology/model.ts";
import { openSenseVectors } from "../../lib/arabic/senses/sense-vectors.ts";
import { arabicMorphology } from "../../lib/text/morphology.ts";
import {
  dialectProblems,
  doubleProblems,
  entityProblems,
  exampleProblems,
  linesProblems,
  relationProblems,
  senseProblems,
  vectorSummary,
} from "./sentences.ts";

type Language = "ar" | "en";
/** Letters that every sentence of a language has. */
const LETTERS = { ar: /\p{Script=Arabic}/u, en: /\p{Script=Latin}/u };
/**
 * Shares of a file: of claims among its lines, and of lines with digits among those of each label. What claims nothing
 * in reports of news (no comment, background, vague trends) has few digits.
 */
const SHARES = { claims: [0.33, 0.5], digits: [0.25, 0.6], digitsOfOthers: [0.05, 0.6] } as const;
/** The share of topics that may be held out: a fifth, or somewhat less where topics to learn from came later. */
const CLAIMS_HELD_OUT = [0.13, 0.25] as const;

/**
 * Returns what is wrong with the sentences in `folder`, which has a file for each topic and language, as
 * `claims/file:line: problem` lines; empty when all holds.
 */
export function claimProblems(folder: string, languages: readonly Language[] = ["ar", "en"]): string[] {
  const kind = basename(folder);
  const topics = topicsOf(folder);
  const expected = Object.keys(topics).flatMap((topic) => languages.map((language) => ({ topic, language })));
  const present = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  const names = expected.map(fileName);
  const heldOut = Object.values(topics).filter(({ held_out }) => held_out).length / Object.keys(topics).length;
  const files = expected.filter((file) => present.includes(fileName(file)));
  return [
    ...present.filter((name) => !names.includes(name)).map((name) => `${kind}/topics.json: ${name} is of no topic`),
    ...names.filter((name) => !present.includes(name)).map((name) => `${kind}/topics.json: there is no ${name}`),
    ...(within(heldOut, CLAIMS_HELD_OUT)
      ? []
      : [`${kind}/topics.json: ${percent(heldOut)} are held out instead of a fifth`]),
    ...files.flatMap(({ topic, language }) => {
      const name = fileName({ topic, language });
      return claimFileProblems(topic, language, readFileSync(join(folder, name), "utf8")).map(
        (problem) => `${kind}/${name}:${problem}`,
      );
    }),
    ...doubleProblems(
      kind,
      files.flatMap((file) => readFileSync(join(folder, fileName(file)), "utf8").split("\n")),
    ),
  ];
}

/** Returns what is wrong with one file; the shares only once no line is wrong. */
export function claimFileProblems(topic: string, language: Language, text: string): string[] {
  const problems = linesProblems(`${topic}-${language}`, text, (line) => {
    const { data, error } = ClaimSentence.safeParse(parseJsonObject(line));
    if (data === undefined) return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    return LETTERS[language].test(data.text) ? [] : [`text: has no letters of ${language}`];
  });
  if (problems.length > 0) return problems;
  const { claims, digitsOfClaims, digitsOfOthers } = shares(sentencesOf(text));
  return [
    ...(within(claims, SHARES.claims) ? [] : [` ${percent(claims)} are claims`]),
    ...(within(digitsOfClaims, SHARES.digits) ? [] : [` ${percent(digitsOfClaims)} of the claims have digits`]),
    ...(within(digitsOfOthers, SHARES.digitsOfOthers) ? [] : [` ${percent(digitsOfOthers)} of the others have digits`]),
  ];
}

/** Counts how many sentences, claims and digits each file has, and how many of each kind there are. */
export function claimSummary(folder: string, languages: readonly Language[] = ["ar", "en"]): string {
  const files = Object.entries(topicsOf(folder)).flatMap(([topic, { held_out }]) =>
    languages.map((language) => {
      const name = fileName({ topic, language });
      const sentences = sentencesOf(readFileSync(join(folder, name), "utf8"));
      return { name: held_out ? `${name} (held out)` : name, sentences };
    }),
  );
  const all = files.flatMap(({ sentences }) => sentences);
  const kinds = Map.groupBy(all, ({ kind }) => kind);
  return [
    ...[...files, { name: `all ${basename(folder)}`, sentences: all }].map(({ name, sentences }) => {
      const { claims, digitsOfClaims, digitsOfOthers } = shares(sentences);
      const digits = `with digits ${percent(digitsOfClaims)} of them, ${percent(digitsOfOthers)} of the others`;
      return `${name}: ${sentences.length} sentences, ${percent(claims)} claims, ${digits}`;
    }),
    [...kinds].map(([kind, { length }]) => `${length} ${kind}`).join(", "),
  ].join("\n");
}

function topicsOf(folder: string): ClaimTopics {
  return ClaimTopics.parse(JSON.parse(readFileSync(join(folder, "topics.json"), "utf8")));
}

function fileName({ topic, language }: { topic: string; language: string }): string {
  return `${topic}.${language}.jsonl`;
}

function sentencesOf(text: string): ClaimSentence[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => ClaimSentence.parse(JSON.parse(line)));
}

function shares(sentences: readonly ClaimSentence[]) {
  const claims = sentences.filter(({ label }) => label === "claim");
  const others = sentences.filter(({ label }) => label === "no");
  const digits = (of: readonly ClaimSentence[]) => of.filter(({ text }) => /\p{Nd}/u.test(text)).length / of.length;
  return {
    claims: claims.length / sentences.length,
    digitsOfClaims: digits(claims),
    digitsOfOthers: digits(others),
  };
}

function within(share: number, [least, most]: readonly [number, number]): boolean {
  return share >= least && share <= most;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const KINDS: readonly LexiconKind[] = ["senses", "entities", "relations", "dialect"];

/** The share of files that may be held out, once there are enough of them for a fifth to be one. */
const HELD_OUT = { least: 0.15, most: 0.25, files: 5 };

/** Returns what is wrong with the language data in `folder`, as `file:line: problem` lines; empty when all holds. */
export function lexiconProblems(folder: string, morphology: Morphology): string[] {
  const subjects = LexiconSubjects.parse(JSON.parse(readFileSync(join(folder, "subjects.json"), "utf8")));
  return KINDS.flatMap((kind) => {
    const names = existsSync(join(folder, kind))
      ? readdirSync(join(folder, kind)).flatMap((name) => (name.endsWith(".jsonl") ? [name.slice(0, -6)] : []))
      : [];
    return [
      ...manifestProblems(kind, names, subjects),
      ...names.sort().flatMap((name) => {
        const text = readFileSync(join(folder, kind, `${name}.jsonl`), "utf8");
        return fileProblems(kind, name, text, morphology).map((problem) => `${kind}/${name}.jsonl:${problem}`);
      }),
      ...doubleProblems(
        kind,
        names.flatMap((name) => readFileSync(join(folder, kind, `${name}.jsonl`), "utf8").split("\n")),
      ),
    ];
  });
}

function manifestProblems(kind: LexiconKind, names: readonly string[], subjects: LexiconSubjects): string[] {
  const listed = Object.entries(subjects[kind]);
  const heldOut = listed.filter(([, { held_out }]) => held_out).length / listed.length;
  return [
    ...names.filter((name) => !(name in subjects[kind])).map((name) => `subjects.json: ${kind}/${name} is not listed`),
    ...listed.flatMap(([name]) => (names.includes(name) ? [] : [`subjects.json: there is no ${kind}/${name}.jsonl`])),
    ...(listed.length >= HELD_OUT.files && (heldOut < HELD_OUT.least || heldOut > HELD_OUT.most)
      ? [`subjects.json: ${Math.round(heldOut * 100)} % of ${kind} are held out instead of a fifth`]
      : []),
  ];
}

/** Returns what is wrong with one file, each problem with the number of its line before it. */
export function fileProblems(kind: LexiconKind, name: string, text: string, morphology: Morphology): string[] {
  return linesProblems(name, text, (line) => lineProblems(kind, line, morphology));
}

function lineProblems(kind: LexiconKind, line: string, morphology: Morphology): string[] {
  const value = parseJsonObject(line);
  if (value === undefined) return ["no JSON object"];
  const { error } = LEXICON_KINDS[kind].safeParse(value);
  if (error !== undefined) return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  if (kind === "senses") return senseProblems(SenseEntry.parse(value), morphology);
  if (kind === "entities") return entityProblems(EntitySentence.parse(value));
  if (kind === "relations") return relationProblems(RelationSentence.parse(value));
  return dialectProblems(DialectSentence.parse(value));
}

/** Counts how many lines, files and held-out files there are of each kind. */
function summary(folder: string): string {
  const subjects = LexiconSubjects.parse(JSON.parse(readFileSync(join(folder, "subjects.json"), "utf8")));
  return KINDS.map((kind) => {
    const files = Object.entries(subjects[kind]);
    const lines = files.map(
      ([name]) => readFileSync(join(folder, kind, `${name}.jsonl`), "utf8").split("\n").length - 1,
    );
    const heldOut = files.filter(([, { held_out }]) => held_out).length;
    return `${lines.reduce((sum, n) => sum + n, 0)} ${kind} (${files.length} files, ${heldOut} held out)`;
  }).join(", ");
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL("../../nlp/lexicon", import.meta.url));
  const [claims, posts] = [join(folder, "claims"), join(folder, "posts")];
  const { candidates } = openAnalyser();
  const lemmasOf = (word: string): string[] => candidates(word).map(({ lemma }) => lemma);
  const problems = [
    ...lexiconProblems(folder, arabicMorphology()),
    ...exampleProblems(folder, lemmasOf),
    ...claimProblems(claims),
    ...claimProblems(posts, ["ar"]),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else {
    const vectors = vectorSummary(join(folder, "senses"), await openSenseVectors());
    process.stdout.write(`${summary(folder)}\n${vectors}\n${claimSummary(claims)}\n${claimSummary(posts, ["ar"])}\n`);
  }
}
