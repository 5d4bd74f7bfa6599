import type { ArgumentRole } from "../../contract/lexicon.ts";
import { bareForm } from "../morphology/written-forms.ts";
import { type ReWord, wordAt } from "./words.ts";
import type { Trigger, WordSpan } from "./spans.ts";

/** A run of words with a role in an event. */
type Argument = WordSpan & { role: ArgumentRole };

/** Words of who sits in court, and brings people before it. */
export const COURT =
  /^(?:محكم|قاض|قضا|نياب|ادعا|مدع|هيي|هيئ|سلط|دايره|دائره|جناي|استيناف|استئناف|مجلس|اتحاد|لجن|حكوم|فيفا|ويفا)/u;

/** Tells whether a word is of a court, or of who stands before one. */
const isOfCourt = ({ lemma }: ReWord): boolean =>
  COURT.test(bareForm(lemma)) || /^(?:سجن|حبس|ادانه|اعدام|متهم|تهمه|اتهام|غرامه|براءه|طعن)$/u.test(bareForm(lemma));

/** Types of names of who can do what people do. */
const DOERS: ReadonlySet<string> = new Set(["PERS", "ORG", "GPE", "NORP", "OCC"]);

const isDoer = (words: readonly ReWord[], { from, to }: WordSpan): boolean =>
  words.slice(from, to).some(({ names }) => names.some(({ type }) => DOERS.has(type)));

/** Nouns that somebody gives birth to. */
const CHILD = new Set("طفل طفله مولود مولوده توام ابن ابنه بنت حمل جنين".split(" "));

/** Nouns that are not launched with the verb that launches things: a name, shots, somebody's freedom. */
const NOT_LAUNCHED = new Set("اسم لقب سراح نار رصاص تسميه وصف تحذير وعد تصريح عيار صفه نداء سجال جدل نقاش".split(" "));

/** Events that let something loose: أطلق لقاؤهما سجالا. */
const NOT_LAUNCHING = new Set("لقاء اجتماع قرار تصريح حادث هجوم خطاب تقرير فيلم".split(" "));

/** Things that players add, and things offered that help nobody. */
const ADDED = new Set(["هدف", "نقطه", "لقب"]);
const NO_AID = new Set("اداء عرض شكوي طلب استقاله دليل اعتذار تقرير خطه برنامج مباراه ملف طعن".split(" "));

/** Goods that help where they arrive. */
const GOODS = new Set("مساعده قافله شاحنه معونه اغاثه سفينه طايره شحنه دفعه غذاء دواء مستلزم لقاح".split(" "));

/** Things that are won without a match. */
const WON_OTHERWISE = new Set("موافقه ثقه جايزه مقعد انتخاب صوت رياسه تصويت".split(" "));

/** Things that fall, by which nobody has died yet. */
const FALLEN = new Set("قذيفه صاروخ طايره مروحيه نظام حكومه مدينه مطر ثلج شجره سقف جدار مبني بلده".split(" "));

/** Words of people, and types of names that they have. */
const PEOPLE = new Set(
  "شخص رجل متهم مشتبه عنصر مسلح مطلوب خليه عصابه شاب امراه مواطن اجنبي مهاجر مهرب تاجر ارهابي احد واحد سايق جان منفذ موظف".split(
    " ",
  ),
);
const isOfPeople = (words: readonly ReWord[], { from, to }: WordSpan): boolean =>
  words
    .slice(from, to)
    .some(
      ({ lemma, names }) =>
        PEOPLE.has(bareForm(lemma)) || names.some(({ type }) => ["PERS", "OCC", "NORP"].includes(type)),
    );

/** Verbs that only look as one of visiting does. */
const LOST = new Set(["فقد"]);

/** Tells whether a word has another meaning than the event, by what stands with it. */
export function isOtherMeaning(
  words: readonly ReWord[],
  { place, type }: Trigger,
  given: readonly Argument[],
): boolean {
  const lemma = bareForm(wordAt(words, place).lemma);
  const isVerb = wordAt(words, place).pos === "VERB";
  const roles = new Set(given.map(({ role }) => role));
  const lemmaOf = (at: number): string => bareForm(wordAt(words, at).lemma);
  switch (type) {
    case "agreement": {
      // Who signs writes يوقع.
      if (/^(?:[وف]?س?[يتن]قع)/u.test(wordAt(words, place).form)) return true;
      if (lemma !== "وقع" || roles.has("target") || roles.has("topic")) return false;
      return !given.some(
        (each) => each.role === "agent" && wordAt(words, each.from).names.some((name) => DOERS.has(name.type)),
      );
    }
    case "award": {
      if (lemma !== "حصل") return false;
      const result = given.find(({ role }) => role === "result");
      return result === undefined || isCount(wordAt(words, result.from)) || isCount(wordAt(words, result.to - 1));
    }
    case "life":
      return lemma === "وضع" && !given.some(({ role, from }) => role === "target" && CHILD.has(lemmaOf(from)));
    case "launch":
      return (
        NOT_LAUNCHED.has(lemmaOf(place + 1)) ||
        given.some(({ role, from }) => role !== "time" && role !== "place" && NOT_LAUNCHED.has(lemmaOf(from))) ||
        (lemma === "اطلق" && NOT_LAUNCHING.has(lemmaOf(place + 1)))
      );
    case "visit":
      return LOST.has(lemma) || (isVerb && !given.some(({ role }) => role !== "time" && role !== "place"));
    case "aid":
      if (lemma === "قدم") return words.slice(place + 1, place + 4).some((each) => NO_AID.has(bareForm(each.lemma)));
      return lemma === "وصل" && !given.some(({ from }) => GOODS.has(lemmaOf(from)));
    case "trial":
      return lemma === "حكم" && !isVerb && !words.some(isOfCourt);
    case "arrest":
      return (
        lemma === "ضبط" && !given.some(({ role, from, to }) => role === "target" && isOfPeople(words, { from, to }))
      );
    case "match":
      return lemma === "فاز" && WON_OTHERWISE.has(lemmaOf(place + 1));
    case "appointment":
      // عين رونالدو على اللقب is his eye.
      return lemma === "عين" && wordAt(words, place + 2).form === "علي" && wordAt(words, place + 1).names.length > 0;
    case "death":
      if (/^سقوط?$/u.test(lemma) && FALLEN.has(lemmaOf(place + 1))) return true;
      if (lemma === "مصارع") return wordAt(words, place + 1).names.length > 0 && wordAt(words, place).hasArticle;
      return lemma === "موت" && wordAt(words, place + 1).clitics === "ل";
    case "statement":
      if (lemma === "طور") return true;
      if (lemma === "اضاف" && words.slice(place + 1, place + 6).some((each) => ADDED.has(bareForm(each.lemma))))
        return true;
      if (lemma === "هدد") return !given.some((each) => each.role === "agent" && isDoer(words, each));
      return lemma === "كتب" && !words.slice(place + 1).some(({ form }) => /^(?:["«“:]|ان|علي)$/u.test(form));
    default:
      return false;
  }
}

/** Words of shares and counts. */
const COUNT = new Set("نسبه صوت مقعد بالميه بالمايه ميه مايه نقطه عدد".split(" "));
const isCount = ({ pos, form, lemma }: ReWord): boolean =>
  pos === "NUM" || /^\p{Nd}/u.test(form) || COUNT.has(bareForm(lemma));
