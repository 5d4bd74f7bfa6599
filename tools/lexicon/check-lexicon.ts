/** `bun run check lexicon`: what must hold of the language data of our own, see nlp/lexicon/README.md. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import {
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
import { arabicMorphology } from "../../lib/text/morphology.ts";
import { openAnalyser } from "../../lib/arabic/morphology/model.ts";
import { openSenseVectors } from "../../lib/arabic/senses/sense-vectors.ts";
import { claimProblems, claimSummary } from "./claims.ts";
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
