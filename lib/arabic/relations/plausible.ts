import type { ArgumentRole } from "../../contract/lexicon.ts";
import { bareForm } from "../morphology/written-forms.ts";
import type { Trigger, WordSpan } from "./span-features.ts";
import { type ReWord, wordAt } from "./words.ts";

/** A run of words that may have a role in an event. */
type Argument = WordSpan & { role: ArgumentRole; confidence: number };

/** Types of names whose words name nothing that happens; of other names all but the first word do not. */
const NAMES: ReadonlySet<string> = new Set(["PERS", "GPE", "LOC", "NORP", "LANGUAGE", "WEBSITE"]);
const LONG_NAMES: ReadonlySet<string> = new Set(["ORG", "FAC", "PRODUCT", "LAW"]);

/** Tells whether the word at a place is a part of a name, and so no word of an event: سيزار is no visit. */
export function isInName(words: readonly ReWord[], place: number): boolean {
  const { pos, names } = wordAt(words, place);
  if (pos === "PROPN") return true;
  return names.some(({ type, from }) => NAMES.has(type) || (LONG_NAMES.has(type) && from < place));
}

/** Says how likely an argument still is that stands in another clause than its event, as a share. */
const ACROSS_CLAUSES = 0.6;

/**
 * Returns the arguments of an event that can be its own: a place that is governed by something that tells where, one
 * subject, times and names that end where they end. What stands in another clause is less sure.
 */
export function plausibleArguments<A extends Argument>(
  words: readonly ReWord[],
  trigger: Trigger,
  given: readonly A[],
): A[] {
  const kept = given
    .filter((each) => !isApposition(words, trigger, each))
    .map((each) => trimmed(words, beforeSaying(words, each)))
    .map((each) =>
      isOfOtherClause(words, trigger, each) ? { ...each, confidence: each.confidence * ACROSS_CLAUSES } : each,
    );
  const isBehind = kept.some(({ role, from }) => role === "agent" && from > trigger.place);
  if (wordAt(words, trigger.place).pos !== "VERB" || !isBehind) return kept;
  // The subject of a verb stands on one side of it.
  return kept.filter(({ role, to }) => role !== "agent" || to > trigger.place);
}

/** Words that begin a clause of their own. */
const CLAUSE = new Set(
  "الذي التي الذين اللذان اللذين اللتان اللتين اللواتي حيث عندما حين فيما بينما بعدما قبلما مما لكن لان اذ ان".split(
    " ",
  ),
);

/** Prepositions and nouns in their place that tell where. */
const WHERE = new Set(
  "في ب علي قرب داخل خارج امام عند لدي بين وسط فوق تحت شمال جنوب شرق غرب حول محيط الي من ضواحي قباله عبر ضمن بجانب خلف وراء".split(
    " ",
  ),
);

/** Tells whether a word is a finite verb, or begins a clause. */
const opensClause = ({ pos, form }: ReWord): boolean =>
  (pos === "VERB" && !WHERE.has(form)) || CLAUSE.has(form.replace(/^[وف](?=...)/u, ""));

/**
 * Tells whether a verb or the beginning of a clause stands between a trigger and what would take part in it. Who does
 * something is often told once for several verbs, before them.
 */
function isOfOtherClause(words: readonly ReWord[], { place }: Trigger, { from, to, role }: Argument): boolean {
  if (to <= place) return role !== "agent" && words.slice(to, place).some(opensClause);
  return words.slice(place + 1, from).some(opensClause);
}

/** Tells whether nothing that tells where governs what is said to be a place: an apposition. */
function isApposition(words: readonly ReWord[], { place }: Trigger, { from, role }: Argument): boolean {
  if (role !== "place") return false;
  const [first, before] = [wordAt(words, from), wordAt(words, from - 1)];
  const own = bareForm(first.lemma);
  if (from === place + 1 || WHERE.has(own) || /[بل]|في/u.test(first.clitics)) return false;
  return !WHERE.has(before.form.replace(/^[وف](?=..)/u, "")) && before.pos !== "ADP";
}

/** Words that begin what is said. */
const SAYING = /^[اإأ]ن(?:ه|ها|هم|هما)?$/u;

/** Returns an argument that ends before what is said begins: مصدر, and not مصدر إن أليكس. */
function beforeSaying<A extends Argument>(words: readonly ReWord[], argument: A): A {
  const ahead = words.slice(argument.from + 1, argument.to).findIndex(({ form }) => SAYING.test(form));
  return ahead < 0 ? argument : { ...argument, to: argument.from + 1 + ahead };
}

/** Roles of those who and what have names, of which a time is no part. */
const NAMED: ReadonlySet<ArgumentRole> = new Set(["agent", "target", "place", "from", "to"]);

/** Types of entities that tell when. */
const WHEN: ReadonlySet<string> = new Set(["DATE", "TIME"]);

/** Returns an argument that ends before the time which follows it, or with the time that it is. */
function trimmed<A extends Argument>(words: readonly ReWord[], argument: A): A {
  const { from, to, role } = argument;
  const times = wordAt(words, role === "time" ? from : to - 1).names.filter(({ type }) => WHEN.has(type));
  const time = times[0];
  if (time === undefined) return argument;
  if (role === "time")
    return time.from === from && time.to < to && /\d/.test(wordAt(words, time.to).form)
      ? { ...argument, to: time.to }
      : argument;
  return NAMED.has(role) && time.from > from && time.to >= to ? { ...argument, to: time.from } : argument;
}
