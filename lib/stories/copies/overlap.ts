import { isAnchor, NUMBER, PASSAGE_WORDS, TELLING_WORD, type Words } from "./words.ts";
import { COMMON_GROUPS } from "./common.ts";

/** Words of a gap between two passages that counts as one word written in place of another. */
const MAX_SUBSTITUTED = 6;

/** Words from which on a passage is no turn of phrase any more. */
const LONG_PASSAGE = 12;

/** Tells what two texts share, and how. */
export type Shared = {
  /** The share of the words of the one text that stand in passages of the other, and the other way round. */
  overlap: number;
  overlapOfOther: number;
  /** Words of the text with fewer that are shared, weighed by how telling they are. */
  words: number;
  /** The share of them that stand in passages of at least {@link LONG_PASSAGE} words. */
  long: number;
  /** The share of them that stand where both texts end, and where both begin. */
  tail: number;
  head: number;
  /** Places between two passages where both have a few words of their own; and those of them where numbers differ. */
  substituted: number;
  renumbered: number;
  /** The share of passages that stand in another order in the other text; a part that was moved is none. */
  scrambled: number;
  /** The share of the numbers of the text with fewer words that the other has, too; 1 where it has none. */
  numbers: number;
  /** The share of the telling words outside of the passages that the other has, too; 0 where there are none. */
  remainder: number;
  /** The share of the words outside of passages that go on from one in both texts, over changed words. */
  bridged: number;
  /** Counts these words. */
  aligned: number;
  /** The share of the changed places before them where numbers differ: much in a series, little in a copy. */
  altered: number;
};

const NONE: ReadonlyMap<number, number> = new Map();

/**
 * Compares two texts by the passages that both have: at least five words in a row, wherever they stand. `groups` has
 * the anchors that several unrelated groups of texts have, and how many: the words of such a passage count less, and
 * none of one whose anchors are mostly boilerplate. Takes time with the length of both.
 */
export function compareTexts(text: Words, other: Words, groups: ReadonlyMap<number, number> = NONE): Shared {
  const [short, long] = text.words.length <= other.words.length ? [text, other] : [other, text];
  const places = new Map<number, number>();
  for (let at = long.runs.length - 1; at >= 0; at--) places.set(long.runs[at] ?? 0, at);
  const ofShort = coverage(short, places, groups);
  const ofLong = coverage(long, new Set(short.runs), groups);
  const passages = passagesOf(ofShort);
  const words = sum(ofShort);
  const inLong = passages.reduce((total, { start, end }) => total + (end - start >= LONG_PASSAGE ? end - start : 0), 0);
  const [shareOfShort, shareOfLong] = [share(words, ofShort.length), share(sum(ofLong), ofLong.length)];
  const last = passages.at(-1);
  const first = passages[0];
  const { matched, altered } = bridge(short, long, { ofShort, passages, places });
  const { substituted, renumbered } = substitutions(short, long, passages, places);
  return {
    overlap: short === text ? shareOfShort : shareOfLong,
    overlapOfOther: short === text ? shareOfLong : shareOfShort,
    words: words * tellingShare(short.runs, passages, groups),
    long: share(inLong, words),
    tail: share(last !== undefined && endsCovered(ofShort) && endsCovered(ofLong) ? last.end - last.start : 0, words),
    head: share(first !== undefined && ofShort[0] === 1 && ofLong[0] === 1 ? first.end - first.start : 0, words),
    substituted,
    renumbered,
    scrambled: scrambledShare(short.runs, passages, places),
    numbers: sharedNumbers(short, long),
    remainder: sharedRemainder(short, matched, long),
    bridged: share(sum(matched) - words, ofShort.length - words),
    aligned: sum(matched) - words,
    altered,
  };
}

/** Returns the share of the telling words of the text with fewer of them that the other has, too; 0 without any. */
export function sharedWords(text: Words, other: Words): number {
  const [own, theirs] = [wordsOfKind(text, TELLING_WORD), wordsOfKind(other, TELLING_WORD)];
  return share(own.intersection(theirs).size, Math.min(own.size, theirs.size));
}

/** A stretch of words, end exclusive. */
type Passage = { start: number; end: number };

/** Returns which words of a text stand in passages of these runs that count. */
function coverage({ words, runs }: Words, others: { has(run: number): boolean }, groups: ReadonlyMap<number, number>) {
  const covered = new Uint8Array(words.length);
  let until = 0;
  for (let at = 0; at < runs.length; at++) {
    if (!others.has(runs[at] ?? 0)) continue;
    const end = at + PASSAGE_WORDS;
    covered.fill(1, Math.max(at, until), end);
    until = end;
  }
  if (groups.size > 0)
    for (const passage of passagesOf(covered))
      if (isCommon(runs, passage, groups)) covered.fill(0, passage.start, passage.end);
  return covered;
}

function isCommon(runs: Int32Array, { start, end }: Passage, groups: ReadonlyMap<number, number>): boolean {
  let balance = 0;
  for (let at = start; at + PASSAGE_WORDS <= end; at++) {
    const run = runs[at] ?? 0;
    if (isAnchor(run)) balance += (groups.get(run) ?? 0) >= COMMON_GROUPS ? 1 : -1;
  }
  return balance > 0;
}

function passagesOf(covered: Uint8Array): Passage[] {
  const passages: Passage[] = [];
  for (let at = 0; at < covered.length; at++) {
    if (covered[at] === 0) continue;
    const start = at;
    while (at < covered.length && covered[at] === 1) at++;
    passages.push({ start, end: at });
  }
  return passages;
}

/** Returns how much of passages is telling: an anchor that several unrelated groups have counts that much less. */
function tellingShare(runs: Int32Array, passages: readonly Passage[], groups: ReadonlyMap<number, number>): number {
  if (groups.size === 0) return 1;
  let [anchors, telling] = [0, 0];
  for (const { start, end } of passages)
    for (let at = start; at + PASSAGE_WORDS <= end; at++) {
      const run = runs[at] ?? 0;
      if (!isAnchor(run)) continue;
      anchors++;
      telling += 1 / (groups.get(run) ?? 1);
    }
  return anchors === 0 ? 1 : telling / anchors;
}

/** Counts the places where the two texts have a few words of their own between the same two passages. */
function substitutions(short: Words, long: Words, passages: readonly Passage[], places: ReadonlyMap<number, number>) {
  let substituted = 0;
  let renumbered = 0;
  for (let i = 1; i < passages.length; i++) {
    const [before, behind] = [passages[i - 1], passages[i]];
    if (before === undefined || behind === undefined || behind.start - before.end > MAX_SUBSTITUTED) continue;
    const place = places.get(short.runs[before.end - PASSAGE_WORDS] ?? 0);
    const next = places.get(short.runs[behind.start] ?? 0);
    if (place === undefined || next === undefined) continue;
    const gap = { start: place + PASSAGE_WORDS, end: next };
    if (gap.end <= gap.start || gap.end - gap.start > MAX_SUBSTITUTED) continue;
    substituted++;
    if (numbersIn(short, before.end, behind.start) !== numbersIn(long, gap.start, gap.end)) renumbered++;
  }
  return { substituted, renumbered };
}

/** Steps over words that differ, as words of the one text and of the other, in the order in which they are tried. */
const DETOURS = [
  [1, 1],
  [2, 2],
  [0, 1],
  [1, 0],
  [1, 2],
  [2, 1],
] as const;

/** Words by which those that differ may outnumber those that agree before a passage is taken to have ended. */
const MAX_DROP = 4;

/**
 * Finds the words outside of passages in which both texts go on from one, forwards and backwards, where here and there
 * a word or two differ: up to where most words agree (the X-drop of Zhang et al. 2000).
 */
function bridge(short: Words, long: Words, { ofShort, passages, places }: Bridged) {
  const matched = Uint8Array.from(ofShort);
  let [detours, renumbered] = [0, 0];
  const add = (from: Stretch): void => {
    const each = stretch(short, long, from);
    detours += each.detours;
    renumbered += each.renumbered;
  };
  for (const { start, end } of passages) {
    const first = places.get(short.runs[start] ?? 0);
    const last = places.get(short.runs[end - PASSAGE_WORDS] ?? 0);
    if (first !== undefined) add({ at: start - 1, other: first - 1, step: -1, matched });
    if (last !== undefined) add({ at: end, other: last + PASSAGE_WORDS, step: 1, matched });
  }
  return { matched, altered: renumbered / (detours + 2) };
}

type Bridged = { ofShort: Uint8Array; passages: readonly Passage[]; places: ReadonlyMap<number, number> };

/** Says where two texts go on, and in which direction; `matched` are the words of the first that the other has. */
type Stretch = { at: number; other: number; step: 1 | -1; matched: Uint8Array };

/** Marks the words that go on from a place in both texts; counts the detours, and those over numbers that differ. */
function stretch(short: Words, long: Words, { at, other, step, matched }: Stretch) {
  const agrees = (i: number, j: number): boolean => short.words[i] !== undefined && short.words[i] === long.words[j];
  const hasNumber = ({ kinds }: Words, from: number, count: number): boolean => {
    for (let i = 0; i < count; i++) if (kinds[from + i * step] === NUMBER) return true;
    return false;
  };
  const hits: number[] = [];
  let [i, j, score, best, reach] = [at, other, 0, 0, 0];
  let now = { detours: 0, renumbered: 0 };
  let until = now;
  while (
    i >= 0 &&
    j >= 0 &&
    i < matched.length &&
    j < long.words.length &&
    matched[i] === 0 &&
    score > best - MAX_DROP
  ) {
    if (agrees(i, j)) {
      hits.push(i);
      score++;
      if (score >= best) [best, reach, until] = [score, hits.length, now];
      [i, j] = [i + step, j + step];
      continue;
    }
    const [a, b] = DETOURS.find(
      ([a, b]) => agrees(i + a * step, j + b * step) && (a === b || agrees(i + (a + 1) * step, j + (b + 1) * step)),
    ) ?? [2, 2];
    const isRenumbered = hasNumber(short, i, a) && hasNumber(long, j, b);
    now = { detours: now.detours + 1, renumbered: now.renumbered + (isRenumbered ? 1 : 0) };
    score -= Math.max(a, b);
    [i, j] = [i + a * step, j + b * step];
  }
  for (const place of hits.slice(0, reach)) matched[place] = 1;
  // Where the next passage is met, all detours before it lie within what both texts have.
  return agrees(i, j) ? now : until;
}

function scrambledShare(runs: Int32Array, passages: readonly Passage[], places: ReadonlyMap<number, number>): number {
  let back = 0;
  let last = -1;
  for (const { start } of passages) {
    const place = places.get(runs[start] ?? 0) ?? 0;
    if (place < last) back++;
    last = place;
  }
  return share(Math.max(0, back - 1), passages.length);
}

function numbersIn({ words, kinds }: Words, start: number, end: number): string {
  const numbers: number[] = [];
  for (let at = start; at < end; at++) if (kinds[at] === NUMBER) numbers.push(words[at] ?? 0);
  return numbers.join(" ");
}

function sharedNumbers(short: Words, long: Words): number {
  const theirs = wordsOfKind(long, NUMBER);
  const own = wordsOfKind(short, NUMBER);
  let both = 0;
  for (const number of own) if (theirs.has(number)) both++;
  return own.size === 0 ? 1 : both / own.size;
}

function wordsOfKind({ words, kinds }: Words, kind: number): Set<number> {
  const chosen = new Set<number>();
  for (let at = 0; at < words.length; at++) if (kinds[at] === kind) chosen.add(words[at] ?? 0);
  return chosen;
}

function sharedRemainder(short: Words, covered: Uint8Array, long: Words): number {
  const theirs = new Set(long.words);
  let [own, both] = [0, 0];
  for (let at = 0; at < covered.length; at++) {
    if (covered[at] === 1 || short.kinds[at] !== TELLING_WORD) continue;
    own++;
    if (theirs.has(short.words[at] ?? 0)) both++;
  }
  return share(both, own);
}

const endsCovered = (covered: Uint8Array): boolean => covered[covered.length - 1] === 1;

function sum(covered: Uint8Array): number {
  let total = 0;
  for (let at = 0; at < covered.length; at++) total += covered[at] ?? 0;
  return total;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
