import type { Candidate } from "./candidates.ts";
import type { Features } from "./lexicon.ts";

/** A word of a sentence with its readings. */
export type WordReadings = { text: string; letters: string; candidates: readonly Candidate[] };

/** Says who speaks in a sentence, and whether somebody is spoken to. */
export type Speech = { first: boolean; second: boolean };

const NO_SPEECH: Speech = { first: false, second: false };

/** Words that somebody says of himself, and to somebody else, with the conjunctions that can be joined to them. */
const FIRST =
  /^[وف]?(?:انا|نحن|(?:ل?ك|ل)?ان?ن[يا]|لكننا|لي|لنا|بي|بنا|مني|منا|عني|عنا|معي|معنا|عندي|لدي|لدينا|ليتني|لست)$/u;
const SECOND = /^[وف]?(?:انت|انتم|انتما|انك|انكم|لك|لكم|بك|بكم|معك|معكم|عندك|لديك|لديكم|يا|هل|اين|لماذا|ماذا|لست)$/u;

/** Says who speaks in a sentence by its words: particles with pronouns, and words that can be said by nobody else. */
export function speechOf(words: readonly WordReadings[]): Speech {
  let speech = NO_SPEECH;
  for (const word of words) {
    const { first, second } = signsOf(word);
    if (first) speech = { ...speech, first };
    if (second) speech = { ...speech, second };
  }
  return speech;
}

/** Holds what words say of who speaks, by their readings, which are kept elsewhere. */
const SIGNS = new WeakMap<readonly Candidate[], Speech>();

function signsOf({ letters, candidates }: WordReadings): Speech {
  let signs = SIGNS.get(candidates);
  if (signs === undefined) {
    const person = personsOf(candidates[0]);
    signs = { first: person === "1" || FIRST.test(letters), second: person === "2" || SECOND.test(letters) };
    SIGNS.set(candidates, signs);
  }
  return signs;
}

/** Returns the person that all forms of a reading are of, be it by their pronoun; empty where there is none. */
function personsOf(reading: Candidate | undefined): string {
  const [first, ...others] = reading?.analyses ?? [];
  if (first === undefined) return "";
  return ["1", "2"].find((person) => [first, ...others].every(({ features }) => isOf(person, features))) ?? "";
}

/** Tells whether a verb is of a person, or its pronoun is. */
export function isOf(person: string, { per, enc0 }: Features): boolean {
  return per === person || enc0?.startsWith(person) === true;
}

/** Tells whether a reading has a form of a person, be it of its pronoun. */
export function canBeOf(person: "1" | "2", { analyses }: Candidate): boolean {
  return analyses.some(({ features }) => isOf(person, features));
}
