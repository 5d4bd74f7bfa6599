import { normalForm } from "../../text/mod.ts";
import { hashOf } from "../hash.ts";
import { USUAL_TRIGGERS } from "./usual-triggers.ts";
import { type ReWord, wordAt } from "./words.ts";

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
      nextName[i] = wordAt(words, i).names.some(({ from }) => from === i) ? i : (nextName[i + 1] ?? words.length);
    }
    known = { firstVerb: words.findIndex(({ pos }) => pos === "VERB"), nextName };
    facts.set(words, known);
  }
  return known;
}

/** The features by which a word is judged to name an event of a type, or none, as hashes. */
export function triggerFeatures(words: readonly ReWord[], place: number): Uint32Array {
  const word = wordAt(words, place);
  const [previous, next] = [wordAt(words, place - 1), wordAt(words, place + 1)];
  const [second, third] = [wordAt(words, place - 2), wordAt(words, place + 2)];
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
    `first ${wordAt(words, 0).lemma} ${word.pos}`,
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
    const name = wordAt(words, from).names.find((each) => each.from === from);
    if (name === undefined) break;
    types.push(name.type);
    next = name.to;
  }
  return types;
}
