import type { EventType } from "@isnad/lib/contract";
import { normalForm } from "@isnad/lib/text";
import { hashOf } from "../hash.ts";
import { USUAL_TRIGGERS } from "./usual-triggers.ts";
import type { ReWord } from "./words.ts";

/** Words around a trigger among which its arguments are looked for, either way. */
export const REACH = 40;
/** Words of an argument at most. */
export const LONGEST = 9;

/** A run of words: from the first to behind the last. */
export type WordSpan = { from: number; to: number };

/** What turns an event into something that did not happen, and words that stand before reported or wished for ones. */
const NOT_REAL = new Set([
  "لم",
  "لن",
  "لا",
  "قد",
  "ربما",
  "لو",
  "اذا",
  "ان",
  "نفي",
  "دون",
  "عدم",
  "الغي",
  "فشل",
  "يجب",
  "ليس",
]);

/** Types that a word usually stands for, by its normal form. */
const USUAL = new Map<string, string[]>();
for (const [type, words] of Object.entries(USUAL_TRIGGERS)) {
  for (const word of words.trim().split(/\s+/).map(normalForm)) USUAL.set(word, [...(USUAL.get(word) ?? []), type]);
}

function usualTypes({ lemma, form, clitics }: ReWord): readonly string[] {
  const bare = form.slice(clitics.replaceAll("+", "").length);
  const ending = /(?:وا|ون|ين|تا|ها|هم|[تها])$/u.exec(bare)?.[0] ?? "";
  const stem = bare.slice(0, bare.length - ending.length);
  return USUAL.get(lemma) ?? USUAL.get(bare) ?? USUAL.get(stem) ?? USUAL.get(`${stem}ه`) ?? [];
}

const at = (words: readonly ReWord[], place: number): ReWord => words[place] ?? EDGE;
const EDGE: ReWord = {
  ...{ token: "", start: 0, end: 0, form: "#", lemma: "#", root: "", pos: "#", fine: "#", clitics: "" },
  ...{ hasArticle: false, hasPronoun: false, gender: "", number: "", aspect: "", voice: "", gloss: [], names: [] },
};

/** What the features of all words of a sentence ask of it: its first verb, -1 for none, and where names begin. */
type Facts = {
  firstVerb: number;
  /** By place: the first one from there on at which a name begins, or the end. */
  nextName: Uint32Array;
};

const facts = new WeakMap<readonly ReWord[], Facts>();

/** Found once a sentence: a long one would be gone through for each of its words. */
function factsOf(words: readonly ReWord[]): Facts {
  let known = facts.get(words);
  if (known === undefined) {
    const nextName = new Uint32Array(words.length + 1).fill(words.length);
    for (let i = words.length - 1; i >= 0; i--) {
      nextName[i] = at(words, i).names.some(({ from }) => from === i) ? i : (nextName[i + 1] ?? words.length);
    }
    known = { firstVerb: words.findIndex(({ pos }) => pos === "VERB"), nextName };
    facts.set(words, known);
  }
  return known;
}

/** The features by which a word is judged to name an event of a type, or none, as hashes. */
export function triggerFeatures(words: readonly ReWord[], place: number): Uint32Array {
  const word = at(words, place);
  const [previous, next] = [at(words, place - 1), at(words, place + 1)];
  const [second, third] = [at(words, place - 2), at(words, place + 2)];
  const { firstVerb } = factsOf(words);
  const before = words.slice(Math.max(0, place - 4), place);
  const features = [
    "",
    `l ${word.lemma}`,
    `lp ${word.lemma} ${word.pos}`,
    `f ${word.form}`,
    `r ${word.root}`,
    `rp ${word.root} ${word.pos}`,
    `p ${word.pos} ${word.fine}`,
    `s ${word.aspect}${word.voice}`,
    `lv ${word.lemma} ${word.voice}`,
    `c ${word.clitics} ${word.pos}`,
    `a ${word.hasArticle} ${word.hasPronoun} ${word.pos}`,
    `i ${Math.min(place, 3)} ${word.pos}`,
    `v ${firstVerb < 0 ? "none" : Math.sign(firstVerb - place)} ${word.pos}`,
    `pl ${previous.lemma}`,
    `nl ${next.lemma}`,
    `pp ${previous.pos} ${word.pos}`,
    `np ${word.pos} ${next.pos}`,
    `ppn ${previous.pos} ${word.pos} ${next.pos}`,
    `pll ${previous.lemma} ${word.lemma}`,
    `lnl ${word.lemma} ${next.lemma}`,
    `lnp ${word.lemma} ${next.pos} ${next.clitics}`,
    `rnl ${word.root} ${next.lemma}`,
    `2l ${second.lemma}`,
    `3l ${third.lemma}`,
    `l3l ${word.lemma} ${third.lemma}`,
    `n2 ${next.lemma} ${third.lemma}`,
    `first ${at(words, 0).lemma} ${word.pos}`,
    `end ${word.form.slice(-2)} ${word.pos}`,
    ...usualTypes(word).flatMap((type) => [
      `g ${type}`,
      `gp ${type} ${word.pos} ${word.voice}`,
      `gi ${type} ${Math.min(place, 2)}`,
      `gn ${type} ${next.lemma}`,
    ]),
    `gs ${usualTypes(word).length}`,
    ...usualTypes(next).map((type) => `gx ${type} ${word.pos}`),
    ...usualTypes(previous).map((type) => `gb ${type} ${word.pos}`),
    ...words.slice(place + 1, place + 6).flatMap((each) => usualTypes(each).map((type) => `gw ${type}`)),
    ...word.gloss.flatMap((gloss) => [`e ${gloss}`, `ep ${gloss} ${word.pos} ${word.voice}`]),
    ...next.gloss.map((gloss) => `ne ${gloss}`),
    ...next.gloss.flatMap((gloss) => word.gloss.map((own) => `ene ${own} ${gloss}`)),
    ...previous.gloss.map((gloss) => `pe ${gloss} ${word.pos}`),
    ...word.names.map((name) => `ki ${name.type} ${name.from === place} ${name.to - name.from}`),
    ...next.names.flatMap((name) =>
      name.from === place + 1 ? [`kn ${name.type}`, `kln ${name.type} ${word.lemma}`] : [],
    ),
    ...namesBehind(words, place).flatMap((name, i) => [
      `kb ${i} ${name}`,
      ...usualTypes(word).map((type) => `kg ${i} ${name} ${type}`),
      ...word.gloss.map((gloss) => `ke ${i} ${name} ${gloss}`),
    ]),
    ...before.map(({ lemma }) => `b ${lemma} ${word.pos}`),
    ...before.flatMap(({ lemma }) => (NOT_REAL.has(lemma) ? [`not ${lemma}`, "not", `not ${word.lemma}`] : [])),
    ...words.slice(place + 1, place + 6).map(({ lemma }) => `w ${lemma}`),
    ...words.slice(place + 1, place + 9).flatMap(({ gloss }) => gloss.slice(0, 2).map((each) => `wg ${each}`)),
    ...words.slice(Math.max(0, place - 5), place).map(({ lemma }) => `u ${lemma}`),
  ];
  return Uint32Array.from(features, hashOf);
}

/** The types of the two names that begin next behind a word, the outermost of each. */
function namesBehind(words: readonly ReWord[], place: number): string[] {
  const { nextName } = factsOf(words);
  const types: string[] = [];
  for (let next = place + 1; types.length < 2; ) {
    const from = nextName[next] ?? words.length;
    const name = at(words, from).names.find((each) => each.from === from);
    if (name === undefined) break;
    types.push(name.type);
    next = name.to;
  }
  return types;
}

/** What is asked of the words around a trigger: its place and the type of its event. */
export type Trigger = { place: number; type: EventType };

/** The features by which a run of words is judged to be an argument, in whatever role, as hashes. */
export function spanFeatures(words: readonly ReWord[], { place, type }: Trigger, { from, to }: WordSpan): Uint32Array {
  const [first, last] = [at(words, from), at(words, to - 1)];
  const [before, after] = [at(words, from - 1), at(words, to)];
  const trigger = at(words, place);
  const isAfter = from > place;
  const [start, end] = isAfter ? [place + 1, from] : [to, place];
  const between = words.slice(start, end);
  const gap = Math.min(5, between.length);
  const preposition = prepositionOf(first, before);
  const side = isAfter ? "a" : "b";
  const nouns = between.filter(
    ({ pos, clitics }, i) => isNoun(pos) && !/[بل]/.test(clitics) && !isNoun(between[i - 1]?.pos ?? ""),
  ).length;
  const verbs = between.filter(({ pos }) => pos === "VERB").length;
  const prepositions = between.filter(({ pos, clitics }) => pos === "ADP" || /[بلك]/.test(clitics)).length;
  const commas = between.filter(({ pos }) => pos === "PUNCT").length;
  const path = between
    .slice(0, 4)
    .map(({ pos }) => pos[0])
    .join("");
  const order = `${side}${Math.min(nouns, 3)}${Math.min(verbs, 2)}${Math.min(prepositions, 2)}${Math.min(commas, 1)}`;
  const shape = words
    .slice(from, to)
    .map(({ pos, hasArticle }) => `${pos[0]}${pos[1]}${hasArticle ? "+" : ""}`)
    .join(" ");
  const agrees = `${trigger.gender}${first.gender}`;
  const length = Math.min(to - from, 6);
  const voice = `${trigger.pos}${trigger.voice}`;
  const own = first.names.filter((name) => name.from === from && name.to === to).map((name) => name.type);
  const kinds = own.length > 0 ? own : ["-"];
  const isCut = [...first.names, ...last.names].some((name) => isCutBy(name, { from, to }));
  const heads = first.names.filter((name) => name.from === from && name.to < to).map((name) => name.type);
  const tails = last.names.filter((name) => name.from > from && name.to === to).map((name) => name.type);
  const within = first.names.filter((name) => name.from <= from && name.to >= to && name.to - name.from > to - from);
  const cases = caseOf(first);
  const inner = words.slice(from + 1, to);
  const features = [
    "",
    `t ${type}`,
    `n ${length}`,
    `q ${preposition}`,
    `qt ${preposition} ${type}`,
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
    `ag ${side} ${gap} ${agrees} ${preposition}`,
    `path ${side} ${path}`,
    `fl ${first.lemma}`,
    `flt ${first.lemma} ${type}`,
    `flq ${first.lemma} ${preposition}`,
    `fr ${first.root} ${type}`,
    `ff ${first.form}`,
    ...first.gloss.flatMap((gloss) => [`fe ${gloss}`, `fet ${gloss} ${type}`, `feq ${gloss} ${preposition}`]),
    ...last.gloss.map((gloss) => `le ${gloss}`),
    ...trigger.gloss.map((gloss) => `teo ${gloss} ${order} ${trigger.voice}`),
    ...trigger.gloss.map((gloss) => `teq ${gloss} ${preposition}`),
    `ll ${last.lemma}`,
    `llt ${last.lemma} ${type}`,
    `fp ${first.pos} ${first.fine} ${preposition}`,
    `fpt ${first.pos} ${type} ${preposition}`,
    `fpo ${first.pos} ${order} ${preposition}`,
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
    `bs ${before.pos} ${before.hasArticle} ${isAfter && from === place + 1} ${first.pos} ${first.hasArticle}`,
    `pr ${last.hasPronoun} ${after.pos}`,
    `lh ${last.hasArticle || last.hasPronoun} ${first.hasArticle} ${length}`,
    `in ${inner.some(({ pos }) => pos === "ADP")} ${inner.some(({ pos }) => pos === "VERB")} ${inner.some(({ clitics }) => clitics.includes("و"))}`,
    `num ${first.pos === "NUM" || /\d/.test(first.form)} ${last.lemma}`,
    ...kinds.flatMap((kind) => [
      `k ${kind}`,
      `kt ${kind} ${type}`,
      `kq ${kind} ${preposition}`,
      `kqt ${kind} ${preposition} ${type}`,
      `ko ${kind} ${order}`,
      `kot ${kind} ${order} ${type}`,
      `kw ${kind} ${isCut} ${within.map((name) => name.type).join(" ")}`,
      `ks ${kind} ${shape}`,
    ]),
    `cut ${isCut} ${own.length > 0}`,
    ...heads.flatMap((kind) => [
      `kh ${kind} ${own.length > 0}`,
      `khn ${kind} ${length} ${own.length > 0}`,
      `kht ${kind} ${type}`,
    ]),
    ...tails.flatMap((kind) => [`ke ${kind} ${own.length > 0}`, `ken ${kind} ${first.pos} ${own.length > 0}`]),
    ...within.flatMap((name) => [
      `ki ${name.type}`,
      `kin ${name.type} ${name.from === from} ${name.to === to} ${kinds[0]}`,
    ]),
    `ca ${cases} ${side} ${preposition}`,
    `cat ${cases} ${order} ${type}`,
    `cav ${cases} ${order} ${voice}`,
    `vg ${verbGender(trigger)} ${first.gender} ${order}`,
    ...words.slice(from, to).map(({ lemma }) => `w ${lemma}`),
    ...words.slice(from, to).map(({ pos, fine }) => `wp ${pos} ${fine}`),
    ...inner.slice(0, -1).map(({ clitics, pos }) => `iw ${clitics} ${pos}`),
    ...inner.map(({ clitics, pos, hasArticle }) => `iv ${clitics} ${pos} ${hasArticle} ${first.hasArticle}`),
  ];
  return Uint32Array.from(features, hashOf);
}

/** Whether a run of words has one end within an entity and the other outside. */
function isCutBy(name: WordSpan, { from, to }: WordSpan): boolean {
  return (from < name.from && name.from < to && to < name.to) || (name.from < from && from < name.to && name.to < to);
}

/** The case that the letters of a word show. */
function caseOf({ token, form, number }: ReWord): string {
  if (/(?:\u064bا?|ا\u064b)$/u.test(token)) return "a";
  if (number === "p" && /ون$/u.test(form)) return "n";
  if (number === "d" && /ان$/u.test(form)) return "n";
  if ((number === "p" || number === "d") && /ين$/u.test(form)) return "o";
  return /^[أا]بو$/u.test(form) ? "n" : "";
}

/** The gender that the letters of a verb show. */
function verbGender({ pos, aspect, form, clitics }: ReWord): string {
  if (pos !== "VERB") return "";
  const bare = form.slice(clitics.replaceAll("+", "").length);
  if (aspect === "p") return bare.endsWith("ت") ? "f" : "m";
  return bare.startsWith("ت") ? "f" : bare.startsWith("ي") ? "m" : "";
}

const isNoun = (pos: string): boolean => pos === "NOUN" || pos === "PROPN" || pos === "PRON";

/** The preposition that governs what begins with a word: its own proclitic, or the word before it. */
function prepositionOf(first: ReWord, before: ReWord): string {
  if (first.clitics !== "") return first.clitics;
  return before.pos === "ADP" || before.fine.startsWith("prep")
    ? before.lemma
    : before.pos === "PUNCT"
      ? before.form
      : "-";
}

/** The runs of words that can be an argument of an event. */
export function spansOf(words: readonly ReWord[], place: number): WordSpan[] {
  const spans: WordSpan[] = [];
  const last = Math.min(words.length, place + REACH + 1);
  for (let from = Math.max(0, place - REACH); from < last; from++) {
    if (!canBegin(at(words, from))) continue;
    let open = "";
    for (let to = from + 1; to <= Math.min(last, from + LONGEST); to++) {
      const word = at(words, to - 1);
      if (to - 1 === place || word.form === "،" || word.form === "؛") break;
      const closes = open !== "" && word.token === open;
      if (closes) open = "";
      else if (QUOTES.has(word.token)) open = QUOTES.get(word.token) ?? "";
      else if (CLOSING.has(word.token)) break;
      if (open === "" && (closes || canEnd(word))) spans.push({ from, to });
    }
  }
  return spans;
}

/** Signs that open a quotation or a bracket, with those that close it. */
const QUOTES = new Map(Object.entries({ "«": "»", "“": "”", '"': '"', "(": ")", "[": "]" }));
const CLOSING = new Set(QUOTES.values());

const canBegin = ({ pos }: ReWord): boolean => pos !== "PUNCT" && pos !== "SCONJ";
const canEnd = ({ pos, fine }: ReWord): boolean =>
  pos !== "PUNCT" && pos !== "SCONJ" && !(pos === "ADP" && fine === "prep");
