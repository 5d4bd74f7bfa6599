import type { EventType } from "../../contract/mod.ts";
import { BoundedMap } from "../../std/mod.ts";
import { hashOf } from "../tokens.ts";
import { type ReWord, wordAt } from "./words.ts";
import {
  MAX_ARGUMENT_WORDS,
  REACH,
  ROLES,
  rowOf,
  type SpanScores,
  type Table,
  type Trigger,
  type WordSpan,
} from "./spans.ts";

/** Says how a run of words lies to a trigger: what stands between them. */
type Way = {
  isAfter: boolean;
  /** The side, and how many nouns, verbs, prepositions and commas are between, up to a few of each. */
  order: string;
  /** Words between, up to a few. */
  gap: number;
  /** The parts of speech of the first words between. */
  path: string;
};

/** Says how a run of words begins. */
type Beginning = {
  first: ReWord;
  before: ReWord;
  /** Holds what governs it, and the case that it shows. */
  preposition: string;
  cases: string;
};

/** The types of the entities that a run of words is exactly; `-` for none. */
type Kinds = readonly string[];

/** Returns the features by which a run of words is judged to be an argument, in whatever role, as hashes. */
export function spanFeatures(words: readonly ReWord[], { place, type }: Trigger, span: WordSpan): Uint32Array {
  const [trigger, way, beginning] = [wordAt(words, place), wayTo(words, place, span), beginningOf(words, span.from)];
  const kinds = kindsOf(words, span);
  const features = [
    ...ownFeatures(words, span, beginning),
    ...typeFeatures(words, { type, span, beginning }),
    ...wayFeatures({ trigger, type, way }, beginning.preposition),
    pathFeature(way),
    ...beginningFeatures({ trigger, type, way }, beginning),
    ...kindFeatures({ type, way }, kinds),
  ];
  return Uint32Array.from(features, hashOf);
}

/** Tells how a run of words lies to the trigger at a place. */
export function wayTo(words: readonly ReWord[], place: number, { from, to }: WordSpan): Way {
  const isAfter = from > place;
  const [start, end] = isAfter ? [place + 1, from] : [to, place];
  let [nouns, verbs, prepositions, commas] = [0, 0, 0, 0];
  for (let i = start; i < end; i++) {
    const { pos, clitics } = wordAt(words, i);
    const isFirst = i === start || !isNoun(wordAt(words, i - 1).pos);
    if (isNoun(pos) && isFirst && !/[بل]/.test(clitics)) nouns++;
    if (pos === "VERB") verbs++;
    if (pos === "ADP" || /[بلك]/.test(clitics)) prepositions++;
    if (pos === "PUNCT") commas++;
  }
  const counts = [Math.min(nouns, 3), Math.min(verbs, 2), Math.min(prepositions, 2), Math.min(commas, 1)];
  let path = "";
  for (let i = start; i < Math.min(end, start + 4); i++) path += wordAt(words, i).pos[0];
  return { isAfter, order: `${isAfter ? "a" : "b"}${counts.join("")}`, gap: Math.min(5, end - start), path };
}

/** Tells how a run of words begins that does at a place. */
export function beginningOf(words: readonly ReWord[], from: number): Beginning {
  const [first, before] = [wordAt(words, from), wordAt(words, from - 1)];
  return { first, before, preposition: prepositionOf(first, before), cases: caseOf(first) };
}

/** Returns the types of the entities that a run of words is. */
export function kindsOf(words: readonly ReWord[], { from, to }: WordSpan): Kinds {
  const own = wordAt(words, from)
    .names.filter((name) => name.from === from && name.to === to)
    .map((name) => name.type);
  return own.length > 0 ? own : ["-"];
}

/** Features of a run of words alone, whatever the trigger. */
export function ownFeatures(
  words: readonly ReWord[],
  { from, to }: WordSpan,
  { first, before, preposition }: Beginning,
): string[] {
  const [last, after] = [wordAt(words, to - 1), wordAt(words, to)];
  const own = words.slice(from, to);
  const inner = words.slice(from + 1, to);
  const shape = shapeOf(own);
  const length = Math.min(to - from, 6);
  const kinds = kindsOf(words, { from, to });
  const isName = kinds[0] !== "-";
  const isCut = [...first.names, ...last.names].some((name) => isCutBy(name, { from, to }));
  const tails = last.names.filter((name) => name.from > from && name.to === to).map((name) => name.type);
  const within = first.names.filter((name) => name.from <= from && name.to >= to && name.to - name.from > to - from);
  const hasAnd = inner.some(({ clitics }) => clitics.includes("و"));
  return [
    "",
    `n ${length}`,
    `q ${preposition}`,
    `fl ${first.lemma}`,
    `flq ${first.lemma} ${preposition}`,
    `ff ${first.form}`,
    ...first.gloss.flatMap((gloss) => [`fe ${gloss}`, `feq ${gloss} ${preposition}`]),
    ...last.gloss.map((gloss) => `le ${gloss}`),
    `ll ${last.lemma}`,
    `fp ${first.pos} ${first.fine} ${preposition}`,
    `lp ${last.pos} ${last.fine}`,
    `sh ${shape}`,
    `sht ${shape} ${preposition}`,
    `bp ${before.pos} ${first.pos} ${first.hasArticle}`,
    `bl ${before.lemma}`,
    `blf ${before.lemma} ${first.lemma}`,
    `blp ${before.lemma} ${first.pos}`,
    `ap ${last.pos} ${last.hasArticle} ${after.pos} ${after.hasArticle} ${after.clitics}`,
    `al ${after.form}`,
    `alp ${last.pos} ${after.lemma}`,
    `apf ${last.fine} ${after.fine} ${after.hasArticle} ${after.clitics}`,
    `app ${shape} ${after.pos} ${after.hasArticle}`,
    `pr ${last.hasPronoun} ${after.pos}`,
    `lh ${last.hasArticle || last.hasPronoun} ${first.hasArticle} ${length}`,
    `in ${inner.some(({ pos }) => pos === "ADP")} ${inner.some(({ pos }) => pos === "VERB")} ${hasAnd}`,
    `num ${first.pos === "NUM" || /\d/.test(first.form)} ${last.lemma}`,
    ...kinds.flatMap((kind) => [
      `k ${kind}`,
      `kq ${kind} ${preposition}`,
      `kw ${kind} ${isCut} ${within.map((name) => name.type).join(" ")}`,
      `ks ${kind} ${shape}`,
    ]),
    `cut ${isCut} ${isName}`,
    ...headsOf(first, { from, to }).flatMap((kind) => [`kh ${kind} ${isName}`, `khn ${kind} ${length} ${isName}`]),
    ...tails.flatMap((kind) => [`ke ${kind} ${isName}`, `ken ${kind} ${first.pos} ${isName}`]),
    ...within.flatMap((name) => [
      `ki ${name.type}`,
      `kin ${name.type} ${name.from === from} ${name.to === to} ${kinds[0]}`,
    ]),
    ...own.map(({ lemma }) => `w ${lemma}`),
    ...own.map(({ pos, fine }) => `wp ${pos} ${fine}`),
    ...inner.slice(0, -1).map(({ clitics, pos }) => `iw ${clitics} ${pos}`),
    ...inner.map(({ clitics, pos, hasArticle }) => `iv ${clitics} ${pos} ${hasArticle} ${first.hasArticle}`),
  ];
}

/** Features of a run of words and the type of the event. */
function typeFeatures(
  words: readonly ReWord[],
  { type, span, beginning }: { type: EventType; span: WordSpan; beginning: Beginning },
): string[] {
  const { first, preposition } = beginning;
  const last = wordAt(words, span.to - 1);
  return [
    `t ${type}`,
    `qt ${preposition} ${type}`,
    `flt ${first.lemma} ${type}`,
    `fr ${first.root} ${type}`,
    ...first.gloss.map((gloss) => `fet ${gloss} ${type}`),
    `llt ${last.lemma} ${type}`,
    `fpt ${first.pos} ${type} ${preposition}`,
    ...kindsOf(words, span).flatMap((kind) => [`kt ${kind} ${type}`, `kqt ${kind} ${preposition} ${type}`]),
    ...headsOf(first, span).map((kind) => `kht ${kind} ${type}`),
  ];
}

/** An event as features of arguments see it: its trigger, its type, and how the argument lies to it. */
type EventView = { trigger: ReWord; type: EventType; way: Way };

/** Features of a trigger, what governs an argument of it, and how that lies to it. */
function wayFeatures({ trigger, type, way }: EventView, preposition: string): string[] {
  const { isAfter, order, gap } = way;
  const side = isAfter ? "a" : "b";
  const voice = `${trigger.pos}${trigger.voice}`;
  return [
    `qts ${preposition} ${type} ${side}`,
    `ql ${preposition} ${trigger.lemma}`,
    `qr ${preposition} ${trigger.root}`,
    `qo ${preposition} ${order}`,
    `o ${order}`,
    `ot ${order} ${type}`,
    `ov ${order} ${voice}`,
    `ovt ${order} ${voice} ${type}`,
    `ol ${order} ${trigger.lemma} ${trigger.voice}`,
    `g ${side} ${gap} ${voice} ${preposition}`,
    `gt ${side} ${gap} ${type} ${preposition}`,
    ...trigger.gloss.flatMap((gloss) => [`teo ${gloss} ${order} ${trigger.voice}`, `teq ${gloss} ${preposition}`]),
  ];
}

/** Returns the feature of the words between a trigger and an argument. */
export function pathFeature({ isAfter, path }: Way): string {
  return `path ${isAfter ? "a" : "b"} ${path}`;
}

/** Features of a trigger, how an argument of it lies to it, and how that begins. */
function beginningFeatures(
  { trigger, type, way }: EventView,
  { first, before, preposition, cases }: Beginning,
): string[] {
  const { isAfter, order, gap } = way;
  const side = isAfter ? "a" : "b";
  const voice = `${trigger.pos}${trigger.voice}`;
  return [
    `ag ${side} ${gap} ${trigger.gender}${first.gender} ${preposition}`,
    `fpo ${first.pos} ${order} ${preposition}`,
    `bs ${before.pos} ${before.hasArticle} ${isAfter && gap === 0} ${first.pos} ${first.hasArticle}`,
    `ca ${cases} ${side} ${preposition}`,
    `cat ${cases} ${order} ${type}`,
    `cav ${cases} ${order} ${voice}`,
    `vg ${verbGender(trigger)} ${first.gender} ${order}`,
  ];
}

/** Features of how an argument lies to a trigger, and what kind of name it is. */
function kindFeatures({ type, way: { order } }: Pick<EventView, "type" | "way">, kinds: Kinds): string[] {
  return kinds.flatMap((kind) => [`ko ${kind} ${order}`, `kot ${kind} ${order} ${type}`]);
}

/** Returns the parts of speech of words, and which have the article. */
function shapeOf(words: readonly ReWord[]): string {
  return words.map(({ pos, hasArticle }) => `${pos[0]}${pos[1]}${hasArticle ? "+" : ""}`).join(" ");
}

/** Returns the types of the entities that begin with a run of words and end within it. */
function headsOf({ names }: ReWord, { from, to }: WordSpan): string[] {
  return names.filter((name) => name.from === from && name.to < to).map((name) => name.type);
}

/** Tells whether a run of words has one end within an entity and the other outside. */
function isCutBy(name: WordSpan, { from, to }: WordSpan): boolean {
  return (from < name.from && name.from < to && to < name.to) || (name.from < from && from < name.to && name.to < to);
}

/** Returns the case that the letters of a word show. */
function caseOf({ token, form, number }: ReWord): string {
  if (/(?:\u064bا?|ا\u064b)$/u.test(token)) return "a";
  if (number === "p" && /ون$/u.test(form)) return "n";
  if (number === "d" && /ان$/u.test(form)) return "n";
  if ((number === "p" || number === "d") && /ين$/u.test(form)) return "o";
  return /^[أا]بو$/u.test(form) ? "n" : "";
}

/** Returns the gender that the letters of a verb show. */
function verbGender({ pos, aspect, form, clitics }: ReWord): string {
  if (pos !== "VERB") return "";
  const bare = form.slice(clitics.replaceAll("+", "").length);
  if (aspect === "p") return bare.endsWith("ت") ? "f" : "m";
  return bare.startsWith("ت") ? "f" : bare.startsWith("ي") ? "m" : "";
}

const isNoun = (pos: string): boolean => pos === "NOUN" || pos === "PROPN" || pos === "PRON";

/** Returns the preposition that governs what begins with a word: its own proclitic, or the word before it. */
function prepositionOf(first: ReWord, before: ReWord): string {
  if (first.clitics !== "") return first.clitics;
  return before.pos === "ADP" || before.fine.startsWith("prep")
    ? before.lemma
    : before.pos === "PUNCT"
      ? before.form
      : "-";
}

/** A sum of weights for each role. */
type Sums = Float64Array;

/** Holds what is kept of a run of words for the next trigger. */
type SpanMemo = {
  beginning: Beginning;
  kinds: Kinds;
  /** All that features ask of the beginning and the kinds, in one. */
  likeness: string;
  own: Sums;
  /** Its own sums and those with the type of an event. */
  byType: Map<EventType, Sums>;
};

/** Holds what is kept, while a trigger is read, for runs of words that lie to it alike. */
type WayMemo = { way: Way; byPreposition: Map<string, Sums>; byLikeness: Map<string, Sums> };

/** Runs of words of which something is kept: four times as many as lie about a trigger. */
const CACHED_SPANS = 4 * (2 * REACH + 1) * MAX_ARGUMENT_WORDS;

/**
 * Makes what scores runs of words of a sentence as arguments of a trigger. The scores are those of their
 * `spanFeatures`; what does not depend on the trigger, or is the same for many runs of words, is added up once: a dense
 * text has hundreds of runs about each of thousands of triggers.
 */
export function createSpanScorer(
  words: readonly ReWord[],
  table: Table,
  scale: number,
): (trigger: Trigger, spans: readonly WordSpan[]) => SpanScores {
  const spanMemos = new BoundedMap<number, SpanMemo>(CACHED_SPANS);

  const sumsOf = (features: readonly string[], onto?: Sums): Sums => {
    const sums = onto === undefined ? new Float64Array(ROLES) : Float64Array.from(onto);
    for (const feature of features) {
      const row = rowOf(hashOf(feature), table, ROLES);
      for (let role = 0; role < ROLES; role++) sums[role] = (sums[role] ?? 0) + (table[row + role] ?? 0);
    }
    return sums;
  };

  const lookAt = (span: WordSpan): SpanMemo => {
    const key = span.from * (MAX_ARGUMENT_WORDS + 1) + span.to - span.from;
    let memo = spanMemos.get(key);
    if (memo === undefined) {
      const beginning = beginningOf(words, span.from);
      const kinds = kindsOf(words, span);
      const own = sumsOf(ownFeatures(words, span, beginning));
      memo = { beginning, kinds, likeness: likenessOf(beginning, kinds), own, byType: new Map() };
      spanMemos.set(key, memo);
    }
    return memo;
  };

  return ({ place, type }, spans) => {
    const trigger = wordAt(words, place);
    const alike = new Map<string, WayMemo>();
    // By where the words between a run of words and the trigger begin or end.
    const ways = new Map<number, { memo: WayMemo; path: Sums }>();
    const wayOf = (span: WordSpan): { memo: WayMemo; path: Sums } =>
      remember(ways, span.from > place ? span.from : span.to, () => {
        const way = wayTo(words, place, span);
        const made = (): WayMemo => ({ way, byPreposition: new Map(), byLikeness: new Map() });
        return { memo: remember(alike, `${way.order} ${way.gap}`, made), path: sumsOf([pathFeature(way)]) };
      });
    const sumsOfWay = ({ way, byPreposition }: WayMemo, { beginning, kinds }: SpanMemo): Sums => {
      const { preposition } = beginning;
      const view = { trigger, type, way };
      const features = [...beginningFeatures(view, beginning), ...kindFeatures(view, kinds)];
      return sumsOf(
        features,
        remember(byPreposition, preposition, () => sumsOf(wayFeatures(view, preposition))),
      );
    };
    const scores = new Float64Array(spans.length * ROLES);
    spans.forEach((span, i) => {
      const look = lookAt(span);
      const { memo, path } = wayOf(span);
      const { beginning, likeness, own, byType } = look;
      const ofSpan = remember(byType, type, () => sumsOf(typeFeatures(words, { type, span, beginning }), own));
      const ofWay = remember(memo.byLikeness, likeness, () => sumsOfWay(memo, look));
      for (let role = 0; role < ROLES; role++) {
        scores[i * ROLES + role] = ((ofSpan[role] ?? 0) + (ofWay[role] ?? 0) + (path[role] ?? 0)) * scale;
      }
    });
    return { spans, scores };
  };
}

/** Returns the value of a key, made where there is none. */
function remember<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Returns all that `wayFeatures`, `beginningFeatures` and `kindFeatures` ask of a run of words, in one. */
function likenessOf({ first, before, preposition, cases }: Beginning, kinds: Kinds): string {
  const asked = [
    first.pos,
    first.gender,
    first.hasArticle,
    before.pos,
    before.hasArticle,
    preposition,
    cases,
    ...kinds,
  ];
  return asked.join(" ");
}
