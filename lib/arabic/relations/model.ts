import { ARGUMENT_ROLES, type ArgumentRole, EVENT_TYPES, type EventType } from "../../contract/lexicon.ts";
import { at } from "../../std/mod.ts";
import { isInName, plausibleArguments } from "./plausible.ts";
import { triggerFeatures } from "./triggers.ts";
import { type ReWord, wordAt } from "./words.ts";
import {
  REACH,
  ROLES,
  scoresOf,
  type SpanScores,
  spansOf,
  type Table,
  type Trigger,
  TYPES,
  type WordSpan,
} from "./spans.ts";
import { createSpanScorer } from "./span-features.ts";

/**
 * Returns the arguments of a saying, put right where its speaker is named in parts: the name that follows a post behind
 * a comma says no more than the post, and whoever is joined to a speaker by `و` speaks, too. Neither is spoken to.
 */
export function speakersOf(words: readonly ReWord[], found: readonly ReArgument[]): ReArgument[] {
  return found.flatMap((each) => {
    if (each.role !== "target") return [each];
    const isBehind = (place: number): boolean => found.some(({ role, to }) => role === "agent" && to === place);
    if (words[each.from - 1]?.form === "،" && isBehind(each.from - 1)) return [];
    if (words[each.from]?.clitics.startsWith("و") === true && isBehind(each.from)) return [{ ...each, role: "agent" }];
    return [each];
  });
}

/** Words that make of the verb or noun behind them what did not happen, or might happen. */
const BEFORE = new Set(
  "لم لن لا لو لولا هل ربما لعل ليت كاد يكاد كادت تكاد اذا عدم دون بدون نفي ينفي نفت تنفي انكر انكرت الغي الغت الغاء ليس ليست غير وقف لوقف ايقاف انهاء محاوله محاولات لمحاوله منع لمنع تفادي لتفادي تجنب لتجنب احباط احبط احبطت".split(
    " ",
  ),
);

/** Lemmas of what only might be: تخشى مقتل العشرات. */
const FEARED = new Set(["خشي", "احتمال", "خشيه"]);

/** Verbs of failing, where `في` stands between them and what failed. */
const FAILED = new Set(["فشل", "اخفق"]);

/** Verbs that do no more than let their noun happen. */
const DONE = new Set(["تم", "جري", "وقع", "حدث", "حصل"]);

/** Holds what stands before `أن` with a verb that tells what happens all the same. */
const REAL_BEFORE_AN = new Set(["قبل", "بعد", "منذ", "قرر"]);

/**
 * Tells whether the words before a word say that what it names is denied, asked, supposed, wished for or failed:
 * negation and the like directly before it, `قد` or `أن` before an imperfect verb.
 */
export function isUnreal(words: readonly ReWord[], place: number): boolean {
  const [word, previous, second] = [words[place], words[place - 1], words[place - 2]];
  if (word === undefined || previous === undefined) return false;
  const particle = withoutConjunction(previous);
  if (BEFORE.has(particle) || FEARED.has(previous.lemma)) return true;
  if (isSupposed(words, place)) return true;
  // What was not done, with a verb of doing: لم يتم القبض.
  if (DONE.has(previous.lemma) && second !== undefined && BEFORE.has(withoutConjunction(second))) return true;
  if (particle === "في" && FAILED.has(second?.lemma ?? "")) return true;
  if (word.pos !== "VERB" || word.aspect !== "i") return false;
  return particle === "قد" || (particle === "ان" && !REAL_BEFORE_AN.has(second?.lemma ?? ""));
}

/** Words between "in case of" and what would happen then. */
const SUPPOSED_WITHIN = 5;

/** Tells whether a noun stands behind "in case of", be it behind another one: في حال تعادل أو خسارة الفريق. */
function isSupposed(words: readonly ReWord[], place: number): boolean {
  for (let before = place - 1; before >= Math.max(1, place - SUPPOSED_WITHIN); before--) {
    const { form, pos } = wordAt(words, before);
    if (/^حال[هة]?$/u.test(form)) return withoutConjunction(wordAt(words, before - 1)) === "في";
    if (pos === "PUNCT" || pos === "VERB") return false;
  }
  return false;
}

function withoutConjunction({ form, clitics }: ReWord): string {
  return /^[وف]/u.test(clitics) ? form.slice(1) : form;
}

/** Weights of hashed features, for every label of each: a power of two of them. */
type ReWeights = { triggers: Table; arguments: Table };

/** Holds what a weight stands for in the tables of integers. */
type ReScales = { triggers: number; arguments: number };

/** An argument of an event: a run of words, with the probability that it is one in this role. */
export type ReArgument = WordSpan & { role: ArgumentRole; confidence: number };

/** An event: the place of its trigger in the sentence. */
type ReEvent = Trigger & { confidence: number; arguments: ReArgument[] };

/** Finds the event that the word of a sentence at a place names. */
type ReReader = (place: number) => ReEvent | undefined;

/** Makes what reads the words of a sentence. */
export type ReModel = { reader(words: readonly ReWord[]): ReReader };

/** Probabilities of the labels of a word. */
export function typeProbabilities(features: Uint32Array, table: Table, scale: number): Float64Array {
  return softmax(scoresOf(features, table, TYPES, scale));
}

function softmax(scores: Float64Array): Float64Array {
  const most = scores.reduce((max, each) => Math.max(max, each), Number.NEGATIVE_INFINITY);
  const powers = scores.map((each) => Math.exp(each - most));
  const sum = powers.reduce((total, each) => total + each, 0);
  return powers.map((each) => each / sum);
}

/**
 * Sums over all ways to part words into arguments and words outside (semi-Markov; Sarawagi and Cohen 2004): the
 * probability of each span in each role.
 */
export function marginals({ spans, scores }: SpanScores): Float64Array {
  // Words before the first span and behind the last one are outside in all ways.
  const start = spans.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  const length = spans.reduce((most, { to }) => Math.max(most, to - start), 0);
  const forward = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
  const backward = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
  const total = spans.map((_, i) => logSum(scores, i * ROLES, (i + 1) * ROLES));
  const ending: number[][] = Array.from({ length: length + 1 }, () => []);
  const beginning: number[][] = Array.from({ length: length + 1 }, () => []);
  spans.forEach(({ from, to }, i) => {
    ending[to - start]?.push(i);
    beginning[from - start]?.push(i);
  });
  forward[0] = 0;
  for (let to = 1; to <= length; to++) {
    const ways = (ending[to] ?? []).map((i) => (forward[at(spans, i).from - start] ?? 0) + (total[i] ?? 0));
    forward[to] = logSum([forward[to - 1] ?? 0, ...ways]);
  }
  backward[length] = 0;
  for (let from = length - 1; from >= 0; from--) {
    const ways = (beginning[from] ?? []).map((i) => (backward[at(spans, i).to - start] ?? 0) + (total[i] ?? 0));
    backward[from] = logSum([backward[from + 1] ?? 0, ...ways]);
  }
  const all = forward[length] ?? 0;
  const chances = new Float64Array(scores.length);
  spans.forEach(({ from, to }, i) => {
    const [before, behind] = [forward[from - start] ?? 0, backward[to - start] ?? 0];
    for (let each = i * ROLES; each < (i + 1) * ROLES; each++) {
      chances[each] = Math.exp(before + (scores[each] ?? 0) + behind - all);
    }
  });
  return chances;
}

/** Returns the logarithm of a sum of powers of e; of the values from a place on to another, exclusive. */
function logSum(values: ArrayLike<number>, from = 0, to = values.length): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = from; i < to; i++) most = Math.max(most, values[i] ?? 0);
  if (most === Number.NEGATIVE_INFINITY) return most;
  let sum = 0;
  for (let i = from; i < to; i++) sum += Math.exp((values[i] ?? 0) - most);
  return most + Math.log(sum);
}

/** A span in a role, by their numbers, with its probability. */
type Choice = { span: number; role: number; chance: number };

/** Spans of at least this probability in their roles, none of which overlap: the likelier first comes first. */
export function likelySpans(spans: readonly WordSpan[], chances: Float64Array, least: number): Choice[] {
  const choices: Choice[] = [];
  for (const [i, chance] of chances.entries()) {
    if (chance >= least) choices.push({ span: Math.floor(i / ROLES), role: i % ROLES, chance });
  }
  choices.sort((a, b) => b.chance - a.chance);
  const taken: (Choice & WordSpan)[] = [];
  for (const choice of choices) {
    const { from, to } = at(spans, choice.span);
    if (taken.every((each) => each.to <= from || to <= each.from)) taken.push({ ...choice, from, to });
  }
  return taken.sort((a, b) => a.from - b.from);
}

/**
 * Holds what a weight of each table stands for, and the least probability of an argument that is told: that of its
 * event times its own.
 */
type ReTuning = { scales: ReScales; least: number };

/** Puts the weights together. */
export function createReModel(weights: ReWeights, { scales, least }: ReTuning): ReModel {
  return {
    reader(words) {
      const score = createSpanScorer(words, weights.arguments, scales.arguments);
      const argumentsOf = (trigger: Trigger, chance: number): ReArgument[] => {
        const end = trigger.type === "statement" ? clauseBehind(words, trigger.place) : words.length;
        const spans = spansOf(words, trigger.place).filter(({ to }) => to <= end);
        const chances = marginals(score(trigger, spans));
        const found = likelySpans(spans, chances, least / chance).map(({ span, role, chance: confidence }) => {
          return { ...at(spans, span), role: at(ARGUMENT_ROLES, role), confidence };
        });
        const own = plausibleArguments(words, trigger, found);
        return trigger.type === "statement" ? speakersOf(words, own) : own;
      };
      return (place) => {
        if (isUnreal(words, place) || isInName(words, place)) return undefined;
        const chances = typeProbabilities(triggerFeatures(words, place), weights.triggers, scales.triggers);
        const [best, confidence] = likeliestType(chances);
        const type = EVENT_TYPES[best];
        if (type === undefined || confidence < least) return undefined;
        return { place, type, confidence, arguments: argumentsOf({ place, type }, confidence) };
      };
    },
  };
}

/** Words that begin the clause of what is said, without their pronouns and prepositions. */
const COMPLEMENTIZER = /^ب?ان(?:ه|ها|هم|هما|هن|ني|ي|نا|ك|كم)?$/u;

/**
 * Finds where the clause begins that tells what was said, whose words are no arguments of the saying; the end where it
 * begins beyond the reach of arguments.
 */
export function clauseBehind(words: readonly Pick<ReWord, "form" | "fine">[], trigger: number): number {
  const within = words.slice(trigger + 1, trigger + 1 + REACH);
  const ahead = within.findIndex(
    ({ form, fine }, place) =>
      (COMPLEMENTIZER.test(form) && /^(?:conj_sub|verb_pseudo)$/.test(fine)) ||
      form === ":" ||
      (place === 0 && /^["«“]$/u.test(form) && isSaid(within)),
  );
  return ahead < 0 ? words.length : trigger + 1 + ahead;
}

/** Words between quotation marks from which on they are said, and no name. */
const MIN_SAID_WORDS = 4;

/** Tells whether the quotation that words begin with is more than a name. */
function isSaid([, ...quoted]: readonly Pick<ReWord, "form">[]): boolean {
  const end = quoted.findIndex(({ form }) => /^["»”]$/u.test(form));
  return end < 0 || end >= MIN_SAID_WORDS;
}

/** Returns the number of the likeliest type of event, with its probability. */
function likeliestType(chances: Float64Array): [number, number] {
  const own = chances.subarray(1);
  const best = own.reduce((first, chance, each) => (chance > at(own, first) ? each : first), 0);
  return [best, at(own, best)];
}

/** Returns the number of an event type among the labels of a word; 0 is none. */
export function labelOf(type: EventType): number {
  return EVENT_TYPES.indexOf(type) + 1;
}
