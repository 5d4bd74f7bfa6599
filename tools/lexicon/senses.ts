import type { SenseEntry } from "@isnad/lib/contract";
import { forEachWord, type Morphology, normalForm } from "@isnad/lib/text";
import { isStopWord } from "../../lib/text/word-terms.ts";

/** Verbs that say nothing of what is done: "to do writing" defines writing by itself. */
const LIGHT = new Set("قام يقوم فعل يفعل حدث يحدث حصل يحصل شيء امر صار يصير كان يكون".split(" "));

/** A shadda behind the vowel that belongs behind it. */
const LATE_SHADDA = /[\u064b-\u0650\u0652]\u0651/u;

/** How many words a gloss has. */
const LENGTH = { least: 4, most: 15 };

/**
 * What is wrong with a sense beyond its schema, in words: a vowel of the lemma before its shadda, a gloss too short, or
 * one that defines the lemma by its root alone, an example without the word, a word of the lemma that the analyser does
 * not know.
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
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  forEachWord(text, (start, end) => words.push(normalForm(text.slice(start, end))));
  return words;
}

/** The letters of a root that every form of the word keeps. */
const strong = (root: readonly string[]): string[] =>
  root.filter((letter, i) => !/[ويءا]/u.test(letter) && letter !== root[i - 1]).map(normalForm);

/** Whether the example holds a word with these letters of the root, or all words of the lemma. */
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
