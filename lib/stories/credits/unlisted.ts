import { memoize } from "../../std/mod.ts";
import { isStopWord, normalForm, wordTerms } from "../../text/mod.ts";
import { rarity } from "../cluster/traits.ts";
import { forms, KINDS } from "./cues.ts";
import agencies from "./national-agencies.json" with { type: "json" };
import { listedNear, type Mention, mentionAt, type TextWord, withoutClitics } from "./outlets.ts";
import { CALL_SIGN, englishSpanAt, SERVICES, type Span } from "./unlisted-english.ts";

/** Returns an outlet that no list has and whose name begins at a word, told by how it is written. */
export function unlistedAt(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const first = words[at];
  if (first === undefined) return undefined;
  const span = englishSpanAt(text, words, at);
  if (span !== undefined)
    return {
      ...mentionOf(words, at, span),
      isWeak: false,
      isListed: CALL_SIGN.test(text.slice(span.start, span.end)),
      name: nameOf(text, span),
    };
  const signed = first.form === "عن" ? signedAt(text, words, at) : undefined;
  if (signed !== undefined) return signed;
  const named = words[at + 1]?.form ?? "";
  const isBefore = isKind(first.form) || first.form === "ل";
  const quoted = isBefore && !NO_OUTLETS.has(named) ? quotedAfterKind(text, first.end) : undefined;
  if (quoted === undefined) return namedByNation(text, words, at) ?? namedRarely(text, words, at);
  let from = at + 1;
  while ((words[from]?.start ?? quoted.start) < quoted.start) from++;
  if (mentionAt(text, words, from) !== undefined) return undefined;
  // `شبكة (الواي فاي)`: of these only what stands in quotes is a name.
  const isBracketed = /\($/.test(text.slice(first.end, quoted.start).trimEnd());
  if (isBracketed && !withoutClitics(first.form).some(({ form }) => KINDS_OF_BRACKETS.has(form))) return undefined;
  const mention = mentionOf(words, from, quoted);
  if (mention.to === mention.from) return undefined;
  const name = listedNear(text.slice(quoted.start, quoted.end)) ?? nameOf(text, quoted);
  return { ...mention, isWeak: true, name, clitic: first.form === "ل" ? "ل" : "" };
}

/** Returns what stands in quotes or brackets right behind the word that ends at `from`: a name of a few words. */
function quotedAfterKind(text: string, from: number): { start: number; end: number } | undefined {
  const quoted =
    /^(?: ال(?:\p{L}{3,12}ي[ةه]?|عام[ةه]?|خاص[ةه]?)){0,2} ?["'(\u201c\u00ab] {0,2}([^"'()\u201d\u00bb\n،؛:؟!]{1,40}[^"'()\s\u201d\u00bb،؛:؟!]) {0,2}["')\u201d\u00bb]/u.exec(
      text.slice(from, from + 84),
    );
  const quotedWords = (quoted?.[1] ?? "").trim().split(/\s+/);
  if (quoted === null || quotedWords.length > MAX_QUOTED || quotedWords.some((word) => SAID.has(normalForm(word))))
    return undefined;
  const start = from + quoted[0].lastIndexOf(quoted[1] ?? "");
  return { start, end: start + (quoted[1] ?? "").length };
}

/** Words of a name in quotes, the most. */
const MAX_QUOTED = 4;

/** Words that sentences have and names have not. */
const SAID = forms("كان كانت كانوا أن إن لم لن ليس ليست قد هو هي هم نحن أنا هذا هذه");

/** Kinds of outlets whose names stand in brackets, too. */
const KINDS_OF_BRACKETS = forms("صحيفة جريدة مجلة قناة إذاعة راديو تلفزيون تلفزة وكالة محطة أنباء");

/** Kinds of outlets that an Arabic name may follow without quotes, where it is said of which country it is. */
const KINDS_OF_NATIONS = forms("صحيفة جريدة مجلة قناة شبكة وكالة محطة إذاعة تلفزيون");

/** Kinds whose names may have the article: an agency or network with one is of something else, as of space. */
const KINDS_WITH_ARTICLE = forms("صحيفة جريدة مجلة");

/** Words of a name before its country, the most. */
const MAX_BEFORE_NATION = 3;

/** Returns an outlet between what it is and of which country it is: `صحيفة هاآرتس الإسرائيلية`. */
function namedByNation(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const kind = withoutClitics(words[at]?.form ?? "").find(({ form }) => KINDS_OF_NATIONS.has(form))?.form;
  const from = words[at + 1]?.form === "انباء" ? at + 2 : at + 1;
  const [first, second] = [words[from], words[from + 1]];
  if (kind === undefined || first === undefined || second === undefined) return undefined;
  if (NO_OUTLETS.has(first.form) || mentionAt(text, words, from) !== undefined) return undefined;
  const hasArticle = first.form.startsWith("ال");
  if (hasArticle ? !KINDS_WITH_ARTICLE.has(kind) || NATIONS_AR.has(first.form) : /ي(?:ه|ا)?$/.test(first.form))
    return undefined;
  for (let to = from + 1; to <= from + MAX_BEFORE_NATION; to++) {
    const [before, nation] = [words[to - 1], words[to]];
    if (before === undefined || nation === undefined || text.slice(before.end, nation.start) !== " ") return undefined;
    if (!NATIONS_AR.has(nation.form)) {
      if (nation.form.startsWith("ال")) return undefined;
      continue;
    }
    const span = { start: first.start, end: before.end };
    const name = listedNear(text.slice(span.start, span.end)) ?? nameOf(text, span);
    return { ...mentionOf(words, from, span), isWeak: true, name };
  }
  return undefined;
}

/** Kinds of outlets behind which a rare word is a name, and those behind which only one in Latin letters is. */
const KINDS_OF_RARE = forms("صحيفة جريدة مجلة قناة إذاعة راديو تلفزيون تلفزة");
const KINDS_OF_LATIN = forms("موقع");

/** Rarity in bits from which on a word is a name where one may begin, and where one goes on. */
const MIN_RARITY = { first: 11, next: 7 };

/** Words of such a name, the most. */
const MAX_RARE = 4;

/** Returns an outlet by its kind and words that hardly any article has: `مقابلة مع إذاعة ريفادا في …`. */
function namedRarely(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const from = at + 1;
  const [kind, first] = [words[at], words[from]];
  if (kind === undefined || first === undefined || text.slice(kind.end, first.start) !== " ") return undefined;
  const isLatin = /^[A-Z]/.test(text.charAt(first.start));
  const isOneOf = (kinds: ReadonlySet<string>): boolean =>
    withoutClitics(kind.form).some(({ form }) => kinds.has(form));
  if (!isOneOf(KINDS_OF_RARE) && !(isLatin && isOneOf(KINDS_OF_LATIN))) return undefined;
  if (NO_OUTLETS.has(first.form) || mentionAt(text, words, from) !== undefined) return undefined;
  const isNamed = ({ start, end, form }: TextWord, bits: number): boolean =>
    isLatin ? /^[A-Z]/i.test(text.charAt(start)) : isRare(form, bits) && end - start >= MIN_LETTERS;
  if (!isNamed(first, MIN_RARITY.first)) return undefined;
  let last = first;
  for (let to = from + 1; to < from + MAX_RARE; to++) {
    const word = words[to];
    if (word === undefined || text.slice(last.end, word.start) !== " " || !isNamed(word, MIN_RARITY.next)) break;
    last = word;
  }
  const span = { start: first.start, end: last.end };
  if (SERVICES.has(text.slice(span.start, span.end))) return undefined;
  const name = listedNear(text.slice(span.start, span.end)) ?? nameOf(text, span);
  return { ...mentionOf(words, from, span), isWeak: true, name };
}

/** Letters of a word that may be a name. */
const MIN_LETTERS = 3;

/** Returns whether an Arabic word is as rare as names are, without an article, and no adjective. */
const isRare = (form: string, bits: number): boolean =>
  /^\p{Script=Arabic}/u.test(form) &&
  !/^(?:ال|لل|[وف]?[بل]?[اأإ]ن(?:ه|ها|هم|نا|ي)?$)/.test(form) &&
  (bits < MIN_RARITY.first || !/(?:ي|يه)$/.test(form)) &&
  !withoutClitics(form).some((each) => isStopWord(each.form)) &&
  rarity(wordTerms(form).stems[0] ?? form) >= bits;

/** Words of a paper's name in a line that says that a text is from there. */
const MAX_SIGNED = 4;

/** Returns what a line of its own names behind `نقلاً عن`: all of it is a paper's name. */
function signedAt(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const first = words[at + 1];
  const before = words[at - 1];
  if (first === undefined || before?.form !== "نقلا" || mentionAt(text, words, at + 1) !== undefined) return undefined;
  if (!/(?:^|\n|\*) ?$/.test(text.slice(Math.max(0, before.start - 3), before.start))) return undefined;
  const rest = /^[^\n.:،*"]{3,40}(?=\n|\*|$)/.exec(text.slice(first.start, first.start + 41))?.[0].trimEnd();
  if (rest === undefined || rest.split(/\s+/).length > MAX_SIGNED) return undefined;
  const span = { start: first.start, end: first.start + rest.length };
  return { ...mentionOf(words, at + 1, span), isWeak: false, name: nameOf(text, span) };
}

/** Names that go on in a way that says nothing new: `سبأ نيوز`. */
const GENERIC_REST = /^(?:نيوز?|نت|أونلاين|اونلاين|تي في|للأنباء|الإخبارية|الإخباري)$/;

/** Returns the whole of a name in quotes of which only the beginning is listed: `"ذا ناشيونال إنكواير"`. */
export function longerInQuotes(text: string, words: readonly TextWord[], listed: Mention): Mention | undefined {
  if (!/[\p{Script=Arabic}] ?["\u201c\u00ab] ?$/u.test(text.slice(Math.max(0, listed.start - 4), listed.start)))
    return undefined;
  if (/["\u201c\u201d\u00ab\u00bb]/.test(text.slice(listed.start, listed.end))) return undefined;
  const rest = /^ ([^"\u201c\u201d\u00ab\u00bb\n.,،]{2,24}) ?["\u201d\u00bb]/.exec(
    text.slice(listed.end, listed.end + 32),
  )?.[1];
  if (rest === undefined) return undefined;
  if (GENERIC_REST.test(rest) || NATIONS_AR.has(normalForm(rest))) return listed;
  const span = { start: listed.start, end: listed.end + 1 + rest.length };
  return { ...mentionOf(words, listed.from, span), clitic: listed.clitic, isWeak: true, name: nameOf(text, span) };
}

/** Agencies, sites and networks that bring no news of their own. */
const NO_OUTLETS = new Set(
  "ناسا موديز فيتش ستاندرد تويتر توتير فيسبوك فايسبوك يوتيوب يويتوب رديت انستغرام إنستغرام ويكيبيديا ريديت لينكد ويبو أمازون غوغل الأونروا فيفا ويكيليكس سناب"
    .split(" ")
    .map(normalForm),
);

/** Adjectives of countries, as they stand behind the name of an outlet. */
const NATIONS_AR = new Set(
  [
    ...agencies.map(({ adjective }) => adjective),
    ..."الأميركية الأمريكية البريطانية الروسية الإسرائيلية الكندية الأسترالية البرازيلية الأيرلندية الكولومبية".split(
      " ",
    ),
    ..."السنغافورية الكتالونية الكردية الأوروبية العبرية التشيلية البيروفية الفنزويلية الكوبية التايوانية".split(" "),
    ..."التايلاندية البنغالية الكرواتية الألبانية المقدونية البوسنية الكينية الجورجية الإسكتلندية".split(" "),
  ].flatMap((adjective) => [normalForm(adjective), normalForm(adjective.replace(/ة$/, ""))]),
);

function mentionOf(words: readonly TextWord[], from: number, span: Span): Omit<Mention, "name" | "isWeak"> {
  let to = from;
  while ((words[to]?.start ?? Number.POSITIVE_INFINITY) < span.end) to++;
  return { from, to, isListed: false, clitic: "", ...span };
}

/** Returns the name in a span; of a station without `-TV`, of a site with its ending in small letters. */
function nameOf(text: string, { start, end }: Span): string {
  const name = text
    .slice(start, end)
    .replace(/\.\w{2,4}$/, (ending) => ending.toLowerCase())
    .replaceAll("ـ", "");
  // `KCTV5 News`, `KCTV-TV` and `KCTV` are one station.
  const sign = name.replace(/(?: \d{1,2})?(?: News)?$/, "");
  return CALL_SIGN.test(sign) ? (/^[A-Z]+/.exec(sign)?.[0] ?? name) : name;
}

const isKind = memoize((word) => withoutClitics(word).some(({ form }) => KINDS.any.has(form.replace(/^ال/, ""))), {
  capacity: 50_000,
});
