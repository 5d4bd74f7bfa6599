import type { ArgumentRole } from "../../contract/lexicon.ts";
import { bareForm } from "../morphology/written-forms.ts";
import { COURT } from "./meanings.ts";
import { type ReWord, wordAt } from "./words.ts";
import type { Trigger, WordSpan } from "./spans.ts";

/** A run of words that may have a role in an event. */
type Argument = WordSpan & { role: ArgumentRole; confidence: number };

/** Words that begin what is said. */
export const SAYING = /^[اإأ]ن(?:ه|ها|هم|هما)?$/u;

/** Verbs of saying that take what is said, and to whom only behind a preposition. */
const SAYING_VERB = new Set(
  "قال ذكر اكد اوضح اضاف صرح افاد تابع كشف اعلن اشار لفت شدد استطرد استدرك علق حدث نقل بين راي اردف".split(" "),
);

/** Forms that say to whom, and about whom. */
const TO_WHOM = new Set("ل الي مع امام علي عن ضد بحق تجاه حيال".split(" "));

/** Posts in whose name a place stands, which is no place of what they say: مسؤول في الإدارة. */
const SPEAKER = new Set(
  "متخصص مختص متحدث ناطق مسؤول مسوول مصدر ممثل قايد قائد خبير باحث عضو ناشط محلل دبلوماسي قيادي نايب نائب مراسل سكرتير".split(
    " ",
  ),
);

/** Nouns of sentences and trials: who is named beside them is tried. */
const SENTENCE = new Set(["حكم", "محاكمه", "سجن", "ادانه", "عقوبه"]);

/** Returns an argument in the role that it can have where it stands; none where it can have none. */
export function inOwnRole<A extends Argument>(
  words: readonly ReWord[],
  trigger: Trigger,
  argument: A,
  all: readonly A[],
): A[] {
  const { role, from, to } = argument;
  const [word, first, before] = [wordAt(words, trigger.place), wordAt(words, from), wordAt(words, from - 1)];
  const lemma = bareForm(word.lemma);
  const isVerb = word.pos === "VERB";
  const { type } = trigger;
  if (role === "agent" && (SAYING.test(first.form) || bareForm(first.lemma) === "قايل")) return [];
  if (role === "place" && before.form === "في" && MEMBER.has(bareForm(wordAt(words, from - 2).lemma))) return [];
  if (role === "place" && NO_PLACE.has(bareForm(first.lemma)) && first.names.length === 0) return [];
  if (type === "statement" && role === "target" && SPOKEN.has(bareForm(first.lemma))) return [];
  if (type === "trial" && role === "result" && !isSentence(words, argument)) return [{ ...argument, role: "topic" }];
  if (role === "agent" && isVerb && word.voice !== "p" && /(?:^|\+)[بلك]$/u.test(first.clitics))
    return type === "statement" && first.clitics.endsWith("ل") ? [{ ...argument, role: "target" }] : [];
  if (type === "statement" && role === "place" && isOfSpeaker(words, from, all)) return [];
  if (type === "statement" && role === "target" && SAYING_VERB.has(lemma)) {
    if (/ل$/u.test(first.clitics) || TO_WHOM.has(withoutAnd(before.form)) || isVerbless(word)) return [argument];
    const isNamed =
      first.names.some(({ type }) => type === "PERS") || all.some((each) => each.role === "agent" && each.to === from);
    const isSaid = first.names.length === 0 && !isNamed && !/ا$/u.test(first.form);
    return isSaid && isNear(words, trigger.place, from) ? [{ ...argument, role: "topic" }] : [];
  }
  if (type === "trial" && role === "agent" && !isVerb && SENTENCE.has(lemma)) {
    const isCourt = words
      .slice(from, to)
      .some(({ form, lemma }) => COURT.test(form.replace(/^ال/u, "")) || COURT.test(bareForm(lemma)));
    return [isCourt ? argument : { ...argument, role: "target" }];
  }
  if (isVerb && role === "agent" && isOfOther(words, trigger.place, argument)) return [];
  if (
    HURTING.has(type) &&
    isVerb &&
    word.voice !== "p" &&
    role === "agent" &&
    isBehindSubject(words, trigger, argument)
  )
    return [{ ...argument, role: "target" }];
  if (type === "statement" && isVerb && role === "agent" && from === trigger.place + 1 && !SAYING_VERB.has(lemma)) {
    const isOfWoman = word.gender === "f" && first.gender === "m" && first.number === "s" && first.pos === "NOUN";
    if (!isOfWoman && !hasSpeakerBefore(words, trigger.place)) return [argument];
    return [{ ...argument, role: first.names.length > 0 ? "target" : "topic" }];
  }
  if (type === "meeting" && role === "agent" && !isVerb && word.hasPronoun && from === trigger.place + 1)
    return [{ ...argument, role: "target" }];
  if (type === "attack" && role === "target" && lemma === "اطلاق" && from === trigger.place + 1)
    return [/ل$/u.test(wordAt(words, to).clitics) ? { ...argument, role: "agent" } : argument];
  if (role === "agent" && !isVerb && to <= trigger.place && isOfOtherVerb(words, trigger, argument)) return [];
  if (NO_ARGUMENT.has(bareForm(first.lemma)) && role !== "time" && role !== "result") return [];
  if (type === "match" && role === "result" && !isScore(words, argument)) return [];
  if (role === "time" && isAge(words, argument)) return [];
  if (type === "statement" && role === "topic" && before.form === "(") return [];
  if (type === "attack" && role === "instrument" && AIMED.has(lemma) && first.clitics === "" && before.pos !== "ADP")
    return [{ ...argument, role: "target" }];
  if (type === "appointment" && role === "target" && isPost(first)) return [{ ...argument, role: "to" }];
  if (role !== "agent" && !isVerb && isOfNextEvent(words, trigger.place, argument)) return [];
  if (type === "statement" && role === "target" && DENIAL.has(lemma) && first.names.length === 0)
    return [{ ...argument, role: "topic" }];
  if (role === "place" && before.form === "حول" && first.names.length === 0) return [{ ...argument, role: "topic" }];
  if (type === "visit" && role === "to" && !first.clitics.startsWith("و"))
    return all.some((each) => each.role === "to" && each.from > trigger.place && each.from < from) ? [] : [argument];
  return [argument];
}

/** Types of events of which who suffers them stands behind a verb whose subject stands before it. */
const HURTING: ReadonlySet<string> = new Set(["death", "injury", "attack", "arrest"]);

/** Words that a headline's subject takes up at most. */
const MAX_SUBJECT_WORDS = 3;

/** Tells whether nothing but the subject stands before a verb, as in headlines: انتحاري يقتل 4 عسكريين. */
function isBehindSubject(words: readonly ReWord[], { place }: Trigger, { from }: WordSpan): boolean {
  const before = words.slice(0, place);
  if (from < place || before.length === 0 || before.length > MAX_SUBJECT_WORDS) return false;
  return (
    before.every(({ pos, names }) => /^(?:NOUN|PROPN|ADJ)$/.test(pos) && names.every(({ type }) => type !== "DATE")) &&
    before[0]?.clitics === ""
  );
}

/** Tells whether a verb cannot be of who stands before it: in the plural of one, or in the feminine of a man. */
function isOfOther(words: readonly ReWord[], place: number, { from, to }: WordSpan): boolean {
  if (to > place) return false;
  const [verb, head] = [wordAt(words, place), wordAt(words, from)];
  if (head.number !== "s" || words.slice(from, to).some(({ clitics }) => clitics.startsWith("و"))) return false;
  const isPlural = /(?:وا|ون)$/u.test(verb.form);
  const isHis = verb.gender === "m" && head.gender === "f" && head.pos === "NOUN" && head.names.length > 0;
  return (
    isPlural || isHis || (verb.gender === "f" && head.gender === "m" && head.pos === "NOUN" && verb.form.endsWith("ت"))
  );
}

/** Tells whether who says something stands before the verb: نتنياهو اتهم إيران, and with a pronoun in إنه أخبرها. */
function hasSpeakerBefore(words: readonly ReWord[], place: number): boolean {
  const before = wordAt(words, place - 1);
  if (/^[بلك]?انه(?:ا|م)?$/u.test(before.form)) return true;
  const isApart = before.form === "،" && wordAt(words, place).clitics === "";
  const named = isApart ? wordAt(words, place - 2) : before;
  return named.names.some(({ type, to }) => type === "PERS" && to === (before === named ? place : place - 1));
}

/** Words that begin no argument: for life, unanimously, at home. */
const NO_ARGUMENT = new Set(["مدي", "اجماع", "عقر", "شكل", "هامش"]);

/** Verbs of denial, which deny a thing. */
const DENIAL = new Set(["نفي", "انكر"]);

/** Events that are aimed at what they have without a preposition. */
const AIMED = new Set(["استهدف", "قصف", "هاجم", "ضرب", "دمر", "داهم"]);

/** Tells whether a word is a post in the accusative, which somebody gets: عين قاضيا. */
const isPost = ({ pos, form, names }: ReWord): boolean =>
  pos === "NOUN" && form.endsWith("ا") && names.every(({ type }) => type === "OCC");

/** Words of how old somebody is. */
const OF_AGE = new Set(["عمر", "بالغ", "تراوح"]);

/** Tells whether years say how old somebody is: تتراوح أعمارهم بين 20 و 30 سنة. */
const isAge = (words: readonly ReWord[], { from, to }: WordSpan): boolean =>
  /^(?:سنه|عام|شهر)$/u.test(bareForm(wordAt(words, to - 1).lemma)) &&
  words.slice(Math.max(0, from - 3), from).some(({ lemma }) => OF_AGE.has(bareForm(lemma)));

/** Tells whether words are a score, and no points. */
const isScore = (words: readonly ReWord[], { from, to }: WordSpan): boolean =>
  words.slice(from, to).every(({ lemma }) => bareForm(lemma) !== "نقطه") &&
  words
    .slice(from, to)
    .some(
      ({ pos, form, lemma }) => pos === "NUM" || /\p{Nd}|صفر|تعادل|سلبي|نظيف/u.test(form) || bareForm(lemma) === "هدف",
    );

/** Tells whether the same event stands again between a trigger and what would take part: فوز على تونس وفوز على بنما. */
function isOfNextEvent(words: readonly ReWord[], place: number, { from, to }: WordSpan): boolean {
  const { lemma } = wordAt(words, place);
  // What stands before the second of two belongs to the first.
  const between = to <= place ? words.slice(0, from) : words.slice(place + 1, from);
  return between.some((each) => each.lemma === lemma && each.pos !== "VERB");
}

/** Verbs whose subject does what their object names, and that of a death nobody does who tells of it. */
const LIGHT = new Set(
  (
    "عقد اجري شن نفذ قدم اعلن وقع اقام نظم اطلق ارتكب بدا واصل انهي لقي تلقي حقق سجل اصدر القي تعرض قام تم ابرم فرض استانف خاض " +
    "قرر قاد حصل نال اكمل كرر وجه رفع ادي اتم باشر جدد كثف صعد حسم تراس استضاف احرز مني توج"
  ).split(" "),
);
const TOLD: ReadonlySet<string> = new Set(["death", "injury", "disaster"]);

/** Tells whether one who stands before a noun is the subject of a verb that only tells of it: رصد الجيش إطلاق صاروخ. */
function isOfOtherVerb(words: readonly ReWord[], { place, type }: Trigger, { from, to }: WordSpan): boolean {
  const verb = words.slice(0, from).findLast(({ pos }) => pos === "VERB");
  if (verb === undefined) return false;
  const lemma = bareForm(verb.lemma);
  const isApart = words.slice(to, place).some(({ pos }) => pos !== "PUNCT" && pos !== "ADV");
  if (isApart)
    return SAYING_VERB.has(lemma) && lemma !== "اعلن" && !words.slice(to, place).some(({ pos }) => pos === "VERB");
  return !LIGHT.has(lemma) || (lemma === "اعلن" && TOLD.has(type));
}

/** Those of whom one is a member, who is not in a place. */
const MEMBER = new Set("عنصر عضو جندي ضابط مقاتل قيادي مسوول مسؤول موظف لاعب طالب".split(" "));

/** Words of what is meant, in which nothing happens: في إشارة إلى, في ظل. */
const NO_PLACE = new Set("اشاره تصريح تعليق سياق اطار وقت ظل خطوه ضوء محاوله".split(" "));

/** Words that somebody directs at another. */
const SPOKEN = new Set("كلمه رساله انتقاد اتهام تهمه تحيه شكر سوال دعوه نداء تحذير".split(" "));

/** Words of sentences, and of courts and who stands before them. */
const SENTENCED = new Set("سجن حبس غرامه اعدام موبد مؤبد براءه تغريم جلد نقد عام سنه شهر".split(" "));
const isSentence = (words: readonly ReWord[], { from, to }: WordSpan): boolean =>
  words
    .slice(from, to)
    .some(({ pos, form, lemma }) => pos === "NUM" || /\p{Nd}/u.test(form) || SENTENCED.has(bareForm(lemma)));
const isVerbless = ({ pos }: ReWord): boolean => pos !== "VERB";
const withoutAnd = (form: string): string => form.replace(/^[وف](?=..)/u, "");

/** Tells whether no verb parts two places of a sentence. */
const isNear = (words: readonly ReWord[], place: number, from: number): boolean =>
  words.slice(place + 1, from).every(({ pos }) => pos !== "VERB");

/** Tells whether a place belongs to who speaks: to the post before its preposition. */
function isOfSpeaker(words: readonly ReWord[], from: number, all: readonly Argument[]): boolean {
  const { clitics, hasArticle, names } = wordAt(words, from);
  if (wordAt(words, from - 1).pos !== "ADP" && clitics === "") return false;
  // A statement or a conference is where he says it.
  if (!hasArticle && names.length === 0) return false;
  const end = wordAt(words, from - 1).pos === "ADP" ? from - 1 : from;
  const isSpeaker = (place: number): boolean => SPEAKER.has(bareForm(wordAt(words, place).lemma));
  const speaker = all.find(({ role, to }) => role === "agent" && to === end);
  if (speaker === undefined) return isSpeaker(end - 1);
  const isName = wordAt(words, end - 1).names.some(({ type }) => type === "PERS");
  return !isName && isSpeaker(speaker.from);
}
