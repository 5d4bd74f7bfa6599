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
const SECOND = /^[وف]?(?:انت|انتم|انتما|انك|انكم|لك|لكم|بك|بكم|معك|معكم|عندك|لديك|لديكم|يا|لست)$/u;

/** Names of letters that are words as well. */
const LETTER = /^(?:بي|سي|لي|دي|تي)$/u;

/** Says who speaks in a sentence by its words: particles with pronouns, and words that can be said by nobody else. */
export function speechOf(words: readonly WordReadings[]): Speech {
  let speech = NO_SPEECH;
  for (const [place, word] of words.entries()) {
    // The B of بي بي سي is nobody.
    if (LETTER.test(word.letters) && [-1, 1].some((step) => LETTER.test(words[place + step]?.letters ?? ""))) continue;
    const { first, second } = signsOf(word);
    if (first) speech = { ...speech, first };
    if (second) speech = { ...speech, second };
  }
  return speech;
}

/** Words that begin what somebody says or thinks, with the conjunctions and prepositions that can be joined to them. */
const COMPLEMENT = /^[وف]?ب?ان(?:ه|ها|هم|هما|هن|ن?ي|ن?نا|ك|كم)?$/u;

/** Signs that open and close what is quoted; those of one shape do both. */
const QUOTE = /^["\u201c\u201d\u201e«»]$/u;
const OPEN = /^[\u201c\u201e«]$/u;
const CLOSE = /^[\u201d»]$/u;

/**
 * Says who speaks where in a sentence, for each of its words: in what is quoted or said others may speak than around
 * it. وأكدت أن لدينا is "she made clear that we have".
 */
export function speechIn(words: readonly WordReadings[]): Speech[] {
  const parts = partsOf(words);
  const { second } = speechOf(words);
  const speech = new Map(
    [...Map.groupBy(words, (_, place) => parts[place])].map(
      ([part, own]) => [part, { first: speechOf(own).first, second }] as const,
    ),
  );
  return parts.map((part) => speech.get(part) ?? NO_SPEECH);
}

/** Words before أن behind which nothing is said: بعد أن عدت. */
const NO_SAYING = /^[وف]?(?:بعد|قبل|منذ|دون|بدون|الي|حتي|بمجرد|لمجرد|كما|مع|غير|الا|لولا|رغم|سوي|علي)$/u;

/** Returns the number of the part of a sentence that each word is in: 0 around what is quoted or said. */
function partsOf(words: readonly WordReadings[]): number[] {
  const isEven = words.filter(({ text }) => QUOTE.test(text)).length % 2 === 0;
  let last = 0;
  let around = 0;
  let part = 0;
  let isQuoted = false;
  return words.map(({ text, letters }, place) => {
    if (QUOTE.test(text)) {
      isQuoted = OPEN.test(text) || (!CLOSE.test(text) && !isQuoted);
      // Of an odd number nobody knows which opens.
      part = isQuoted || !isEven ? ++last : around;
    } else if (COMPLEMENT.test(letters) && !NO_SAYING.test(words[place - 1]?.letters ?? "")) {
      part = ++last;
      if (!isQuoted) around = part;
    }
    return part;
  });
}

/** Holds what words say of who speaks, by their readings, which are kept elsewhere. */
const SIGNS = new WeakMap<readonly Candidate[], Speech>();

function signsOf({ text, letters, candidates }: WordReadings): Speech {
  let signs = SIGNS.get(candidates);
  if (signs === undefined) {
    const person = personsOf(candidates[0]);
    // لدى is "with", and no لدي.
    const isOwn = !/ى\p{M}*$/u.test(text);
    signs = {
      first: person === "1" || (isOwn && FIRST.test(letters)),
      second: person === "2" || (isOwn && SECOND.test(letters)),
    };
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
