import type { ArgumentRole, EventType } from "../../contract/lexicon.ts";
import { bareForm } from "../morphology/written-forms.ts";
import { isOtherMeaning } from "./meanings.ts";
import { inOwnRole, SAYING } from "./roles.ts";
import { type ReWord, wordAt } from "./words.ts";
import type { Trigger, WordSpan } from "./spans.ts";

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

/** Says how likely an argument still is that stands in another clause than its event, and a time, as a share. */
const ACROSS_CLAUSES = 0.6;
const TIME_ACROSS_CLAUSES = 0.5;

/**
 * Returns the arguments of an event that can be its own: a place that is governed by something that tells where, one
 * subject, times and names that end where they end. What stands in another clause is less sure. None are left where the
 * word cannot mean the event (وقع الحادث is no agreement).
 */
export function plausibleArguments<A extends Argument>(
  words: readonly ReWord[],
  trigger: Trigger,
  given: readonly A[],
): A[] {
  if (isOtherMeaning(words, trigger, given)) return [];
  const kept = given
    .filter(({ role }) => !FOREIGN_ROLES[trigger.type]?.has(role))
    .filter((each) => !isApposition(words, trigger, each) && !isOfOuterSaying(words, trigger, each))
    .map((each) => whole(words, trimmed(words, withoutClause(words, beforeSaying(words, each)))))
    .filter(({ from, to }) => from < to)
    .flatMap((each) => inOwnRole(words, trigger, each, given))
    .map((each) =>
      isOfOtherClause(words, trigger, each)
        ? { ...each, confidence: each.confidence * (each.role === "time" ? TIME_ACROSS_CLAUSES : ACROSS_CLAUSES) }
        : each,
    );
  const isBehind = kept.some(({ role, from }) => role === "agent" && from > trigger.place);
  if (wordAt(words, trigger.place).pos !== "VERB" || !isBehind) return kept;
  // The subject of a verb stands on one side of it.
  return kept.filter(({ role, to }) => role !== "agent" || to > trigger.place);
}

/** Roles that nobody has in an event of a type. */
const FOREIGN_ROLES: Readonly<Partial<Record<EventType, ReadonlySet<ArgumentRole>>>> = {
  statement: new Set(["amount", "result", "instrument", "from", "to"]),
  match: new Set(["amount", "instrument", "from", "to"]),
  meeting: new Set(["amount", "instrument", "result", "from", "to"]),
  visit: new Set(["amount", "instrument", "result"]),
  protest: new Set(["amount", "result", "from", "to"]),
  death: new Set(["result", "from", "to"]),
  injury: new Set(["result", "from", "to"]),
  disaster: new Set(["result", "agent", "from", "to"]),
};

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

/** Returns an argument that ends before what is said begins: مصدر, and not مصدر إن أليكس. */
function beforeSaying<A extends Argument>(words: readonly ReWord[], argument: A): A {
  const ahead = words.slice(argument.from + 1, argument.to).findIndex(({ form }) => SAYING.test(form));
  return ahead < 0 ? argument : { ...argument, to: argument.from + 1 + ahead };
}

/** Roles of those who and what have names, of which a time is no part. */
const NAMED: ReadonlySet<ArgumentRole> = new Set(["agent", "target", "place", "from", "to"]);

/** Words that begin what is told of somebody besides, and adverbs behind him. */
const TAIL = new Set("بالقول بالغ مؤخرا موخرا ايضا سابقا حاليا لاحقا اخيرا مجددا رسميا اليوم امس".split(" "));

/** Returns an argument that ends before an adverb, or before the age of somebody: اللاعب البالغ من العمر. */
function withoutTail<A extends Argument>(words: readonly ReWord[], argument: A): A {
  const ahead = words
    .slice(argument.from + 1, argument.to)
    .findIndex(({ form, lemma, hasArticle }) => TAIL.has(form) || (hasArticle && TAIL.has(bareForm(lemma))));
  return ahead < 0 ? argument : { ...argument, to: argument.from + 1 + ahead };
}

/** Types of entities that tell when. */
const WHEN: ReadonlySet<string> = new Set(["DATE", "TIME"]);

/** Returns an argument that ends before the time which follows it, or with the time that it is. */
function trimmed<A extends Argument>(words: readonly ReWord[], given: A): A {
  const argument = NAMED.has(given.role) ? withoutTail(words, given) : given;
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

/** Words that stand for more than they say, with the noun behind them: أحد المسؤولين. */
const OPEN_ENDED = new Set(["احد", "احدي", "بعض", "كل", "جميع", "كافه", "معظم", "غالبيه"]);

/** Returns an argument with the noun that its last word is of, and whom a speaker speaks for: المتحدث باسم الجيش. */
function whole<A extends Argument>(words: readonly ReWord[], argument: A): A {
  const [last, next] = [wordAt(words, argument.to - 1), wordAt(words, argument.to)];
  if (OPEN_ENDED.has(bareForm(last.lemma)) && next.hasArticle && next.clitics === "" && next.pos === "NOUN")
    return { ...argument, to: argument.to + 1 };
  const second = argument.role === "agent" ? nameBehindPerson(words, argument) : undefined;
  if (second !== undefined) return { ...argument, to: second };
  const name = next.names.find(({ type, from }) => type === "PERS" && from === argument.to);
  const isPost = last.names.some(({ type, to }) => type === "OCC" && to === argument.to);
  if (name !== undefined && isPost && next.clitics === "") return { ...argument, to: name.to };
  if (next.form === "لحقوق") return { ...argument, to: argument.to + 2 };
  if (next.form !== "باسم") return argument;
  const behind = wordAt(words, argument.to + 1).names.find(({ from }) => from === argument.to + 1);
  return { ...argument, to: behind?.to ?? argument.to + 2 };
}

/**
 * Returns an argument without the verb before it, and without what only tells of it: a relative clause (بيان نشرته
 * الوزارة), whom it is said to (مصادر لـ"رويترز").
 */
function withoutClause<A extends Argument>(words: readonly ReWord[], argument: A): A {
  if (!NAMED.has(argument.role)) return argument;
  const isOutside = (place: number): boolean => wordAt(words, place).names.length === 0;
  const first = wordAt(words, argument.from);
  const from = first.pos === "VERB" && isOutside(argument.from) ? argument.from + 1 : argument.from;
  for (let place = from + 1; place < argument.to; place++) {
    const { pos, form, token } = wordAt(words, place);
    const isClause = (pos === "VERB" && !WHERE.has(form)) || CLAUSE.has(form) || /^لـ+$/u.test(token);
    if (!isClause || !isOutside(place)) continue;
    // ما يقارب المئة is one.
    return place === from + 1 && !/^(?:NOUN|PROPN|NUM|X)$/.test(wordAt(words, from).pos)
      ? argument
      : { ...argument, from, to: place };
  }
  return { ...argument, from };
}

/** Finds where in an argument a name begins that is of its own, behind the name of a person: حذر خاتمي إسرائيل. */
function nameBehindPerson(words: readonly ReWord[], { from, to }: WordSpan): number | undefined {
  for (let place = from + 1; place < to; place++) {
    const { names, clitics } = wordAt(words, place);
    const before = wordAt(words, place - 1);
    const isEnd =
      before.names.some(({ type, to: end }) => type === "PERS" && end === place) ||
      (before.pos === "ADJ" && before.hasArticle && before.names.every(({ to: end }) => end <= place));
    if (isEnd && clitics === "" && names.some((name) => name.from === place && OTHER_NAMES.has(name.type)))
      return place;
  }
  return undefined;
}
const OTHER_NAMES: ReadonlySet<string> = new Set(["GPE", "ORG"]);

/** Particles before a clause of its own that tells what is said, thought or feared. */
const THAT = /^[بلك]?ان$/u;

/**
 * Tells whether an argument stands before the particle of a clause with a subject of its own, in which the event is:
 * أعلن الوزير أن اجتماعا عقد tells of no meeting of his. قال إنه سافر has its subject before it.
 */
function isOfOuterSaying(words: readonly ReWord[], { place }: Trigger, { to, role }: Argument): boolean {
  if (to > place || (role !== "agent" && role !== "target")) return false;
  return words
    .slice(to, place)
    .some(({ form, fine, hasPronoun }) => THAT.test(form) && !hasPronoun && /^(?:conj_sub|verb_pseudo)$/.test(fine));
}
