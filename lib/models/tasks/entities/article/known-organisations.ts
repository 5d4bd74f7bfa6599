import { displayName, nameKey, unitToCodePoint } from "../../../../text/mod.ts";
import { kindOf, organisationKeys } from "../aliases.ts";
import type { Entity } from "../entity.ts";

/** Probability of a name of several words that stands in the table: it means nothing else. */
const TABLE_CONFIDENCE = 0.9;

/** What the tagger found with this probability stands. */
const LIKELY = 0.5;

const ARABIC_WORD = /[\p{Script=Arabic}\p{M}\u0640]+/gu;
const PROCLITIC = /^[وف]?[بلك]?(?=\p{L}{3})/u;

/**
 * The names of organisations in an Arabic text that the table has and the tagger has not found whole, as mentions; of
 * several words only, for a word alone may mean something else.
 */
export function knownOrganisations(text: string, found: readonly Entity[]): Entity[] {
  const toCodePoint = unitToCodePoint(text);
  const words = [...text.matchAll(ARABIC_WORD)].map(({ 0: word, index }) => ({
    word,
    from: index,
    key: nameKey(word),
    isOpened: text[index - 1] === "(",
  }));
  const added: Entity[] = [];
  for (let i = 0; i < words.length; i++) {
    const first = words[i];
    if (first === undefined) continue;
    const match = matchAt(words, i);
    if (match === undefined) continue;
    const last = words[i + match.length - 1] ?? first;
    const from = first.from + match.cut;
    const name = text.slice(from, last.from + last.word.length);
    const [start, end] = [toCodePoint(from), toCodePoint(last.from + last.word.length)];
    i += match.length - 1;
    const isFound = ({ type, confidence, ...other }: Entity): boolean =>
      kindOf(type) === "organisation" &&
      confidence >= LIKELY &&
      other.start < end &&
      start < other.end &&
      !(start <= other.start && other.end <= end && other.end - other.start < end - start);
    if (found.some(isFound)) continue;
    const shown = displayName((match.isArticleCut ? `ا${name}` : name).replace(/["«»“”]/g, ""), "ORG");
    added.push({ type: "ORG", text: name, name: shown, start, end, confidence: TABLE_CONFIDENCE });
  }
  return added;
}

type Word = { word: string; key: string; isOpened: boolean };
type Match = { length: number; cut: number; isArticleCut: boolean };

function matchAt(words: readonly Word[], at: number): Match | undefined {
  const { word = "", key = "" } = words[at] ?? {};
  const cut = PROCLITIC.exec(word)?.[0].length ?? 0;
  const bare = word.slice(cut);
  const isArticleCut = cut > 0 && word[cut - 1] === "ل" && bare.startsWith("ل");
  const firsts = [{ key, cut: 0, isArticleCut: false }];
  if (cut > 0) firsts.push({ key: nameKey(isArticleCut ? `ا${bare}` : bare), cut, isArticleCut });
  for (const first of firsts) {
    const names = organisationKeys().get(first.key) ?? [];
    const name = names.find((parts) => parts.every((part, i) => i === 0 || isSame(part, words[at + i])));
    if (name !== undefined) return { length: name.length, cut: first.cut, isArticleCut: first.isArticleCut };
  }
  return undefined;
}

/** Whether a word behind a name's first one is that part of its key, which keeps its article. */
const isSame = (part: string, { word, isOpened }: Word = { word: "", key: "", isOpened: false }): boolean =>
  !isOpened && nameKey(`x ${word}`) === `x ${part}`;
