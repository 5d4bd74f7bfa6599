import { codePointSlicer } from "../text/characters.ts";
import { nameKey } from "../text/mod.ts";
import type { NamedEntity, Speaker } from "../store/mod.ts";

/** Says where a sentence stands: code points of the content, end exclusive. */
type Span = { start: number; end: number };

/** A name within a sentence, in UTF-16 units of that without its marks; `speaker` has its place in the content. */
type Mention = Span & { name: string; type: string; speaker: Speaker };

const VERBS_EN =
  "said|says|saying|told|tells|added(?! (?:the|an?|his|her|its|their|to|\\d)\\b)|adds|announced|announces|stated|states|claimed|claims|insisted|insists|argued|argues|" +
  "warned|warns|explained|explains|noted|notes|declared|confirmed|confirms|denied|denies|admitted|acknowledged|alleged|asserted|" +
  "revealed|estimated|estimates|predicted|predicts|testified|stressed|maintained(?= that)|wrote(?! (?:about|for)\\b)|tweeted|disclosed|suggested|suggests|" +
  "replied|recalled|vowed|conceded|contended|emphasi[sz]ed|believes|reported|reports";
const SAYING_EN = new RegExp(`(?<!\\b(?:is|are|was|were|be|been) )\\b(?:${VERBS_EN})\\b`, "g");

const VERBS_AR =
  "قال|قالت|قالوا|يقول|تقول|[أا]ضاف|[أا]ضافت|[أا]كد|[أا]كدت|[يت]ؤكد|[أا]علن|[أا]علنت|[أا]وضح|[أا]وضحت|ذكر|ذكرت|صرح|صرحت|[أا]شار|[أا]شارت|" +
  "لفت|لفتت|كشف|كشفت|زعم|زعمت|نفى|نفت|شدد|شددت|بي[ّ]?نت|تابع|تابعت|اعتبر|اعتبرت|ر[أا]ى|[أا]فاد|[أا]فادت|[أا]بلغ|[أا]بلغت|حذر|حذرت|توقع|توقعت|نوه|" +
  "استطرد|[أا]ردف|[أا]ردفت|اعترف|اعترفت|[أا]قر|ادعى|ادعت|كتب|كتبت|غرد|غردت|جزم|[أا]خبر|[أا]خبرت|" +
  // A paper that quotes somebody, not an aircraft that carries.
  "نقلت?(?=\\s[^.،]{0,60}\\sعن\\s)";
const SAYING_AR = new RegExp(`(?<![\\p{L}\\p{M}])[وف]?(?:${VERBS_AR})(?![\\p{L}\\p{M}])`, "gu");

/** Holds what leads to whom something comes from: `according to`, `بحسب`. */
const ACCORDING =
  /\b(?:according to|in the words of)\s|(?<!\p{L})[وف]?(?:بحسب|حسب|وفق|وفقا ل|وفقاً ل|وفقًا ل|نقلا عن|نقلاً عن|نقلًا عن|على لسان|طبقا ل|طبقاً ل)\s?/gu;

/** Holds what begins the words that somebody said. */
const COMPLEMENT = /(?:^|[\s،,])(?:ب?[أإا]ن(?:ه|ها|هم|نا)?|that|إلى [أا]ن|على [أا]ن|ل?كن)(?=\s)|[:"“”«»]/u;

/** Begins what kind of agency is none of news: `وكالة حماية البيئة`. */
const OTHER_AGENCIES =
  "حماي|الفضاء|الطاق|الاستخبار|المخابر|ال[أا]من|ال[أا]دوي|ال[أا]وروبي|الغوث|الدولي|ناسا|غوث|فضاء|الهجر|البي[ئي]|السياح|التنمي|مكافح|التصنيف|موديز|فيتش|ستاندرد";

/** Papers, agencies and channels tell what others say. */
const MEDIA = new RegExp(
  `^(?:وكال[ةه](?!\\s(?:${OTHER_AGENCIES}))|صحيف[ةه]|جريد[ةه]|قنا[ةه]|موقع|مجل[ةه]|[إا]ذاع[ةه]|تلفزيون|شبك[ةه]|رويترز|فرانس برس|[أا]سوشيتد|سي [إا]ن [إا]ن|بي بي سي|العربي[ةه]\\b|الجزير[ةه]|سبوتنيك|reuters|afp|ap\\b|bbc|cnn|bloomberg|associated press|al jazeera|the guardian|sky news|fox news|new york times|washington post|wall street journal|financial times|xinhua|tass|ria)`,
  "iu",
);

/** Ends the name of a paper, or of another that tells what others say. */
const PAPER =
  /\b(?:times|post|tribune|herald|gazette|telegraph|mirror|mail|journal|news|tv|television|radio|press|magazine|fm)(?:\sof\s\p{L}+)?$|\s["“«]?[أإا]ف\s[أإا]م["”»]?$/iu;

/** Stands before the name of what tells what others say, and says that it does. */
const AFTER_MEDIA =
  /(?:^|[\s(])[وفبل]{0,2}(?:صحيف[ةت]|جريد[ةت]|قنا[ةت]|مجل[ةت]|موقع|شبك[ةت]|\b(?:newspaper|magazine|broadcaster|tabloid)) ?["«“]?$/u;

/** Holds what a text was taken from, which is a paper or an agency, whatever it is called. */
const TAKEN_FROM = /نقل[اًا]{1,2}\s?عن/u;

/** Stands before a word that looks like a verb of saying and is a noun: `بعد ذكر اسمه`. */
const BEFORE_NOUN = /(?:^|\s)(?:بعد|قبل|دون|بدون|عند|حين|تم|جرى|على|في|من|إلى|عن)\s$/u;

/** Stands between a subject and its verb: `كان علي حسن قد قال`. */
const HAD = /(?:^|\s)[وف]?كانت?\s[^،,.]{2,60}\sقد\s$/u;

/** Takes up an organisation by its kind alone, right at a verb of saying. */
const TAKEN_UP_EN = new RegExp(`\\b[Tt]he (\\p{L}{3,20}) (?:also |has |had |later ){0,2}(?:${VERBS_EN})\\b`, "u");
const TAKEN_UP_AR = new RegExp(
  `(?<![\\p{L}\\p{M}])[وف]?(?:${VERBS_AR})\\sال(\\p{L}{3,14})(?=\\s(?:ب?[أإا]ن(?:ه[ام]?)?|في|خلال|عبر|على|إلى|أمس|اليوم)\\s|\\s?[:،,."«“])`,
  "u",
);

/** Types that can say something, the likeliest first. */
const SPEAKING = ["PERS", "PER", "ORG", "OCC", "GPE", "NORP", "LOC"];
const PERSONS: ReadonlySet<string> = new Set(["PERS", "PER"]);

/** Types of places and peoples: they speak where they stand at the verb, and are else where somebody is. */
const PLACES: ReadonlySet<string> = new Set(["GPE", "LOC", "NORP"]);

/** Names who is named by somebody else: `زوجة الرئيس`. */
const RELATION = /(?:زوج[ةه]|زوج|نجل|ابن[ةه]?|والد[ةه]?|شقيق[ةه]?|محامي[ةه]?|باسم|مدير [أا]عمال|مكتب|وريث)\s/u;

/** UTF-16 units from a verb to its subject. */
const REACH = 70;
/** Sentences over which somebody goes on speaking who is not named again. */
const GOES_ON = 3;
const QUOTES_OPEN = /[“«]/g;
const QUOTES_CLOSE = /[”»]/g;

/**
 * Returns who is named as having said each sentence, undefined where nobody is: by a verb of saying before or behind
 * the words, in Arabic or English, and over the sentences that follow where the same one goes on. A paper or an agency
 * that tells what others say is none. `entities`: what a tagger found in the content.
 */
export function speakersOf(
  content: string,
  sentences: readonly Span[],
  entities: readonly NamedEntity[],
): (Speaker | undefined)[] {
  const slice = codePointSlicer(content);
  const mentions = entities.flatMap(({ entityId, name, type, spans }) =>
    spans.flatMap((start, i) => (i % 2 === 0 ? [{ name, type, start, end: spans[i + 1] ?? start, entityId }] : [])),
  );
  let last: { speaker: Speaker; place: number } | undefined;
  let isOpen = false;
  let person: { speaker: Speaker; place: number } | undefined;
  const named: Mention[] = [];
  return sentences.map((span, place) => {
    const text = bare(slice(span.start, span.end));
    const within = mentions
      .filter(({ start, end }) => start >= span.start && end <= span.end)
      .map(({ name, type, start, end, entityId }): Mention => {
        const [from, to] = [bare(slice(span.start, start)).length, bare(slice(span.start, end)).length];
        return { name, type, start: from, end: to, speaker: { name, start, end, entityId } };
      })
      .sort((one, other) => one.start - other.start || other.end - one.end);
    const said = takenUp(text, saidBy(text, within), named);
    named.push(...within.filter(({ type }) => type === "ORG"));
    const isGoingOn = said === "goes on" || (said === undefined && isOpen);
    const recent = [person, last].find((each) => each !== undefined && place - each.place <= GOES_ON);
    let speaker: Speaker | undefined;
    if (said !== undefined && said !== "goes on" && said !== "somebody") speaker = said.speaker;
    else if (said === "goes on")
      speaker = (last !== undefined && place - last.place <= GOES_ON ? last : recent)?.speaker;
    else if (isGoingOn) speaker = last !== undefined && place - last.place <= GOES_ON ? last.speaker : undefined;
    if (speaker !== undefined) last = { speaker, place };
    else if (said === "somebody") last = undefined;
    const present = within.filter(({ type }) => PERSONS.has(type)).at(-1);
    // Who is named where somebody without a name speaks is spoken of.
    if (present !== undefined && said !== "somebody") person = { speaker: present.speaker, place };
    isOpen = isQuoteOpen(text, isOpen);
    return speaker;
  });
}

/** Marks of vowels and the letter that stretches a word: `قَالَ` is قال. */
const MARKS = /[\u0640\u064b-\u0652\u0670]/g;
const bare = (text: string): string => text.replaceAll(MARKS, "");

function isQuoteOpen(text: string, before: boolean): boolean {
  const balance = (text.match(QUOTES_OPEN)?.length ?? 0) - (text.match(QUOTES_CLOSE)?.length ?? 0);
  return balance === 0 ? before && !/[”»]/.test(text) : balance > 0;
}

/** Names who said a sentence: one who is named in it, whoever spoke before, or somebody without a name. */
type Said = Mention | "goes on" | "somebody" | undefined;

/** Says who said a sentence, where that or one before names anybody. */
function saidBy(text: string, mentions: readonly Mention[]): Said {
  const speaking = mentions.filter(
    (mention) =>
      SPEAKING.includes(mention.type) &&
      !isMedia(mention) &&
      !(mention.type === "ORG" && AFTER_MEDIA.test(text.slice(Math.max(0, mention.start - 16), mention.start))),
  );
  let fallback: "goes on" | "somebody" | undefined;
  for (const { index, 0: verb } of text.matchAll(SAYING_AR)) {
    const ahead = text.slice(Math.max(0, index - REACH), index);
    if (BEFORE_NOUN.test(ahead)) continue;
    const before = speaking.findLast(
      ({ end }) => end <= index && index - end <= 5 && /^(?:\s+قد)?\s*$/u.test(text.slice(end, index)),
    );
    if (before !== undefined) return before;
    if (HAD.test(ahead)) {
      fallback ??= "somebody";
      continue;
    }
    const found = subjectBehind(text, index + verb.length, speaking, mentions);
    if (typeof found === "object") return found;
    const subject =
      found === "goes on" ? speaking.find(({ type, end }) => PERSONS.has(type) && end < index) : undefined;
    if (subject !== undefined) return subject;
    fallback ??= found;
  }
  for (const { index, 0: words } of text.matchAll(ACCORDING)) {
    const from = index + words.length;
    const isTaken = TAKEN_FROM.test(words);
    const found = speaking.find(
      ({ start, type }) =>
        (!isTaken || PERSONS.has(type)) &&
        start >= from - 2 &&
        start - from <= (PLACES.has(type) ? 3 : 45) &&
        !/[،,]/.test(text.slice(from, start)),
    );
    if (found !== undefined) return bestFrom(found, speaking);
    if (mentions.some((mention) => isWithin(mention.start, { from: index, to: from + 12 }) && isMedia(mention)))
      continue;
    fallback ??= "somebody";
  }
  for (const { index, 0: verb } of text.matchAll(SAYING_EN)) {
    if (fallback === "somebody" && isQuoteOpen(text.slice(0, index), false)) break;
    const found = subjectAround(text, { index, end: index + verb.length }, speaking);
    if (typeof found === "object") return found;
    const persons = speaking.filter(({ type }) => PERSONS.has(type));
    // `Mr Jones asked for help against the group, which he said has no place`.
    const [only] = persons;
    if (found === "goes on" && only !== undefined && persons.length === 1 && only.end < index) return only;
    fallback ??= found;
  }
  return fallback;
}

/**
 * Takes up an organisation that was named before, where its kind alone speaks: `the ministry said`, `وأوضحت الوزارة
 * أن`.
 */
function takenUp(text: string, said: Said, named: readonly Mention[]): Said {
  if (said !== "somebody") return said;
  const kind = TAKEN_UP_EN.exec(text)?.[1]?.toLowerCase() ?? TAKEN_UP_AR.exec(text)?.[1];
  if (kind === undefined) return said;
  return (
    named.findLast((mention) => {
      const words = mention.name.toLowerCase().split(/\s+/);
      const [first = "", last = ""] = [words[0]?.replace(/^ال/u, ""), words.at(-1)];
      return (first === kind || last === kind) && words.length > 1 && !isMedia(mention);
    }) ?? said
  );
}

const isMedia = ({ name, type }: Pick<Mention, "name" | "type">): boolean =>
  MEDIA.test(name) || MEDIA.test(nameKey(name)) || (!PERSONS.has(type) && PAPER.test(name));

const isWithin = (place: number, { from, to }: { from: number; to: number }): boolean => place >= from && place <= to;

/** The subject of an Arabic verb, which stands behind it: a person rather than the office that is named first. */
function subjectBehind(
  text: string,
  from: number,
  speaking: readonly Mention[],
  all: readonly Mention[],
): Mention | "goes on" | "somebody" {
  const behind = text.slice(from, from + REACH);
  const complement = COMPLEMENT.exec(behind);
  const until = from + (complement?.index ?? behind.length);
  const isNear = ({ start }: Span) => start >= from && start < until;
  const first = speaking.find(isNear);
  if (first !== undefined && first.start - from <= (PLACES.has(first.type) ? 2 : 30)) {
    if (!RELATION.test(text.slice(from, first.start))) return bestFrom(first, speaking, until);
    const own = speaking.find(({ start, type }) => PERSONS.has(type) && start > first.end && start - first.end <= 15);
    return own ?? "somebody";
  }
  if (until - from <= 4) return "goes on";
  const media = all.find((mention) => isNear(mention) && isMedia(mention));
  if (media !== undefined) {
    const source = /(?:^|\s)عن\s/u.exec(text.slice(media.end, media.end + 40));
    const cited = source && speaking.find(({ start }) => start >= media.end && start - media.end <= 60);
    return cited ? bestFrom(cited, speaking) : "somebody";
  }
  const isBare = /^\s{0,3}(?:في|خلال|عبر|على|أيضا|كذلك|ل|ب|من جهة)/u.test(behind);
  return isBare ? "goes on" : "somebody";
}

/** Of an office and the person who holds it, the person: `وزير الصحة أحمد السعيد`. */
function bestFrom(first: Mention, speaking: readonly Mention[], until = first.end + 40): Mention {
  if (PERSONS.has(first.type)) return first;
  const holder = speaking.find(
    ({ start, type }) => PERSONS.has(type) && start >= first.start && start < until && start - first.end <= 40,
  );
  return holder ?? first;
}

const PRONOUN_BEFORE = /(?:^|[\s"“,;(])(?:he|she|they|it)\s+(?:also\s+|later\s+|has\s+|had\s+)?$/i;
const PRONOUN_BEHIND = /^\s+(?:he|she|they)\b/i;
/** Ends what says where somebody is, or for whom somebody works: `a man in`, `an analyst at`. */
const WHERE = /\b(?:in|at|from|near|with|for)\s(?:the\s)?$/i;
/** Holds what may stand between a subject and its verb. */
const BETWEEN =
  /^(?:'s [\w\s-]{1,40}|,[^,"“”]{1,70},|(?:\s(?:him|her)self)?,\swho|\s\([^)]{1,40}\)|\s(?:chief|spokes(?:man|woman|person)|officials?|minister|president|director|police|executives?|sources?))?\s+(?:(?:also|has|had|have|later|then|on \w+|repeatedly|again|further|earlier|recently|previously|is|was|were|are)\s+){0,3}$/i;
/** Titles between a verb and its subject behind it. */
const TITLES = /^\s+(?:(?:[\p{L}'-]{1,20}|Mr\.|Mrs\.|Ms\.|Dr\.|Gen\.|Sen\.|U\.S\.)\s+){0,6}$/u;

/** The subject of an English verb: before it, or behind it where the words come first. */
function subjectAround(
  text: string,
  { index, end }: { index: number; end: number },
  speaking: readonly Mention[],
): Mention | "goes on" | "somebody" | undefined {
  const before = text.slice(Math.max(0, index - 120), index);
  if (/^(?:say|tell)ing$/.test(text.slice(index, end)) && /,\s$/.test(before))
    return speaking.find(({ type, end: behind }) => PERSONS.has(type) && behind < index) ?? "somebody";
  if (PRONOUN_BEFORE.test(before)) return "goes on";
  const subject = speaking.findLast(({ type, start, end: behind }) => {
    const between = text.slice(behind, index);
    if (behind > index || !BETWEEN.test(between)) return false;
    if (PLACES.has(type) && between.trim() !== "") return false;
    return PERSONS.has(type) || !WHERE.test(text.slice(Math.max(0, start - 12), start));
  });
  if (subject !== undefined) return subject;
  const isBehind = /(?:[,"”'’?!]\s*)$/.test(before);
  if (isBehind) {
    if (PRONOUN_BEHIND.test(text.slice(end, end + 20))) return "goes on";
    const named = speaking.find(
      ({ start }) => start >= end && start - end <= 60 && TITLES.test(text.slice(end, start)),
    );
    if (named !== undefined) return bestFrom(named, speaking, named.end + 30);
  }
  return /\p{L}\s+$/u.test(before) ? "somebody" : undefined;
}
