import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LexiconSubjects, SenseEntry, SenseExample } from "@isnad/lib/contract";
import { parseJsonObject } from "@isnad/lib/std";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { bareForm } from "../../lib/arabic/morphology/written-forms.ts";
import { tokensOf } from "../../lib/arabic/tokens.ts";
import { wordsOf } from "./senses.ts";

/** The lemmas that a word can be a form of. */
export type LemmasOf = (word: string) => readonly string[];

/**
 * What is wrong with the further examples of senses in `folder`/examples, as `examples/file:line: problem` lines; empty
 * when all holds. A file is named as the file of its senses, and none as one that is held out.
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

/** Whether the text has a form of the lemma, or of each word of an expression. */
function holdsLemma(text: string, { lemma }: SenseEntry, lemmasOf: LemmasOf): boolean {
  const words = tokensOf(text).map(({ token }) => token);
  const isForm = (word: string, own: string): boolean =>
    bareForm(word) === own || lemmasOf(word).some((each) => bareForm(each) === own);
  return wordsOf(lemma).every((own) => words.some((word) => isForm(word, bareForm(own))));
}
