import { normalForm } from "../../text/mod.ts";
import type { Candidate } from "./candidates.ts";
import { isStrayJussive } from "./jussive.ts";

/** A word of a sentence with its readings. */
export type WordReadings = { text: string; candidates: readonly Candidate[] };

/** Words that no finite verb follows, with the conjunctions that can be joined to them. */
const PREPOSITION = /^[وف]?(?:في|الي|علي|عن|اثناء|خلال|بسبب)$/u;

/**
 * Whether a reading cannot stand where it does, by the words before it and behind it; undefined at the beginning and
 * the end of a sentence.
 */
export function isStray(
  reading: Candidate,
  before: WordReadings | undefined,
  behind: WordReadings | undefined,
): boolean {
  return (
    isStrayJussive(reading, before?.text) || isVerbBehindPreposition(reading, before) || isQadByNoun(reading, behind)
  );
}

/** A preposition, and a noun in its place, has a noun behind it: بسبب تلقي is "receiving", and not "she throws". */
function isVerbBehindPreposition(reading: Candidate, before: WordReadings | undefined): boolean {
  return reading.pos === "verb" && before !== undefined && PREPOSITION.test(normalForm(before.text));
}

/** What can stand between قد and its verb. */
const BY_VERB = /^(?:verb|part|adv|punc|conj|prep)/;

/** The particle قد stands before a verb: فقد الكرة is "he lost", and not "so … has". */
function isQadByNoun({ pos, before }: Candidate, behind: WordReadings | undefined): boolean {
  if (pos !== "part_verb" || before !== "ف" || behind === undefined) return false;
  return !behind.candidates.some((each) => BY_VERB.test(each.pos));
}
