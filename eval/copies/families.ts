import { createHash } from "node:crypto";
import { cleanText, fold, sentences } from "@isnad/lib/text";
import { readJsonLines } from "../retrieval-sets.ts";

/** A text of a series: of one form with the others, and no copy of any. */
type SeriesText = { id: string; family: string; edit: undefined; sourceId: string; title: string; content: string };

type Draw = { number: (from: number, to: number) => string; one: (list: readonly string[]) => string };

const ENDS = {
  ar: ["واطلب المساعدة", "قبل نهاية الأسبوع", "وامنح نفسك راحة", "فالحظ معك", "رغم اعتراض المقربين", "قبل فوات الأوان"],
  en: [
    "before this weekend",
    "whatever friends say",
    "and rest more",
    "since luck holds",
    "at any cost",
    "while Venus smiles",
  ],
};
const PLACES = {
  ar: "القاهرة دمشق بغداد عمّان الرياض الدوحة مسقط صنعاء الرباط تونس الجزائر طرابلس بيروت الخرطوم نواكشوط المنامة".split(
    " ",
  ),
  en: "London Leeds York Derby Bath Dover Truro Exeter Oxford Luton Ripon Wells Ely Durham Lincoln Hereford".split(" "),
};
const TEAMS = {
  ar: "الأهلي الزمالك الهلال النصر الاتحاد الوحدة الترجي الوداد الرجاء العين الشباب الفيصلي الوحدات الجيش القادسية الكويت".split(
    " ",
  ),
  en: "Rovers United Wanderers Athletic City Albion Rangers Harriers Villa County Orient Forest Palace Argyle Vale Alexandra".split(
    " ",
  ),
};
const SIGNS = {
  ar: [
    "ابتعد عن الخلافات",
    "فرصة جديدة قريبة",
    "انتبه إلى صحتك",
    "خبر سار يصلك",
    "لا تتسرع كثيرا",
    "يوم مناسب للسفر",
    "راجع حساباتك",
    "اهتم بأسرتك",
  ],
  en: [
    "avoid any quarrel",
    "a new chance comes",
    "look after yourself",
    "good news arrives",
    "never decide hastily",
    "travel if possible",
    "check your accounts",
    "call your family",
  ],
};

/** Returns what the stars say: one half of a sentence, and another one. */
const sign = (one: Draw["one"], lang: "ar" | "en"): string => `${one(SIGNS[lang])} ${one(ENDS[lang])}`;

/** Makes the forms of each language: what changes from text to text is drawn. */
const SERIES_FORMS: Record<"ar" | "en", Record<string, (draw: Draw) => string>> = {
  ar: {
    rates: ({ number }) =>
      `استقرت أسعار العملات الأجنبية أمام الجنيه في تعاملات اليوم بالبنوك الحكومية والخاصة، وسجل سعر الدولار في البنك المركزي ${number(15, 31)}.${number(10, 99)} جنيه للشراء و${number(15, 31)}.${number(10, 99)} جنيه للبيع. وبلغ سعر اليورو ${number(17, 35)}.${number(10, 99)} جنيه للشراء و${number(17, 35)}.${number(10, 99)} جنيه للبيع، وسجل الجنيه الإسترليني ${number(20, 40)}.${number(10, 99)} جنيه للشراء و${number(20, 40)}.${number(10, 99)} جنيه للبيع. ووصل سعر الريال السعودي إلى ${number(4, 8)}.${number(10, 99)} جنيه للشراء، وسجل الدينار الكويتي ${number(50, 99)}.${number(10, 99)} جنيه للشراء.`,
    weather: ({ number, one }) =>
      `تتوقع هيئة الأرصاد الجوية أن يسود اليوم طقس معتدل نهارا بارد ليلا على أغلب الأنحاء، مع نشاط للرياح على فترات. وفيما يلي بيان بدرجات الحرارة المتوقعة: العظمى في ${one(PLACES.ar)} ${number(15, 40)} والصغرى ${number(5, 20)}، والعظمى في ${one(PLACES.ar)} ${number(15, 40)} والصغرى ${number(5, 20)}، والعظمى في ${one(PLACES.ar)} ${number(15, 40)} والصغرى ${number(5, 20)}. وتنصح الهيئة السائقين بتوخي الحذر على الطرق السريعة والزراعية بسبب الشبورة المائية في ساعات الصباح الأولى.`,
    match: ({ number, one }) =>
      `فاز فريق ${one(TEAMS.ar)} على ضيفه ${one(TEAMS.ar)} بنتيجة ${number(1, 6)}-${number(0, 3)} في المباراة التي جمعت بينهما مساء اليوم ضمن منافسات الجولة ${number(2, 30)} من الدوري الممتاز لكرة القدم. وسجل الهدف الأول في الدقيقة ${number(2, 40)}، وجاء الهدف الثاني في الدقيقة ${number(46, 90)}. وبهذا الفوز رفع الفريق رصيده إلى ${number(10, 70)} نقطة في المركز ${number(1, 18)}، بينما تجمد رصيد منافسه عند ${number(8, 60)} نقطة في المركز ${number(2, 18)}.`,
    horoscope: ({ one }) =>
      `برج الحمل: ${sign(one, "ar")}، ${sign(one, "ar")}. برج الثور: ${sign(one, "ar")}، ${sign(one, "ar")}. برج الجوزاء: ${sign(one, "ar")}، ${sign(one, "ar")}. برج السرطان: ${sign(one, "ar")}، ${sign(one, "ar")}. برج الأسد: ${sign(one, "ar")}، ${sign(one, "ar")}. برج العذراء: ${sign(one, "ar")}. اقرأ توقعات الأبراج كل يوم على موقعنا وشاركها مع أصدقائك.`,
  },
  en: {
    rates: ({ number }) =>
      `Foreign exchange rates at the close of trading today, as given by the central bank: the dollar stood at ${number(1, 3)}.${number(1000, 9999)} to the pound, against ${number(1, 3)}.${number(1000, 9999)} the day before. The euro was quoted at ${number(1, 2)}.${number(1000, 9999)} and the yen at ${number(120, 190)}.${number(10, 99)}. Gold in London was fixed at ${number(1200, 2400)} dollars an ounce in the afternoon, after ${number(1200, 2400)} dollars in the morning. Brent crude for delivery next month settled at ${number(50, 110)}.${number(10, 99)} dollars a barrel.`,
    weather: ({ number, one }) =>
      `The weather office expects a dry and mostly sunny day with light winds from the west. The highest temperature in ${one(PLACES.en)} will be ${number(8, 30)} degrees and the lowest ${number(-3, 12)}, the highest in ${one(PLACES.en)} ${number(8, 30)} degrees and the lowest ${number(-3, 12)}, and the highest in ${one(PLACES.en)} ${number(8, 30)} degrees. Drivers are asked to take care in the early hours, when fog may form on roads near the coast and in the valleys.`,
    match: ({ number, one }) =>
      `${one(TEAMS.en)} beat ${one(TEAMS.en)} ${number(1, 6)}-${number(0, 3)} on Saturday in round ${number(2, 38)} of the league. The first goal came after ${number(2, 40)} minutes, when the visitors failed to clear a corner, and the second after ${number(46, 90)} minutes from the penalty spot. The win takes the home side to ${number(10, 70)} points and place ${number(1, 20)} of the table, while the visitors stay on ${number(8, 60)} points in place ${number(2, 20)} with a game in hand.`,
    horoscope: ({ one }) =>
      `Aries: ${sign(one, "en")}, and ${sign(one, "en")}. Taurus: ${sign(one, "en")}, and ${sign(one, "en")}. Gemini: ${sign(one, "en")}, and ${sign(one, "en")}. Cancer: ${sign(one, "en")}, and ${sign(one, "en")}. Leo: ${sign(one, "en")}, and ${sign(one, "en")}. Virgo: ${sign(one, "en")}. Read what the stars say every day on our site, and share it with your friends.`,
  },
};

const TEXTS = 25;

/** Makes series of texts of one form, each text its own family, by papers that differ. */
function seriesOf(lang: "ar" | "en", random: () => number): SeriesText[] {
  const draw: Draw = {
    number: (from, to) => String(from + Math.floor(random() * (to - from + 1))),
    one: (list) => list[Math.floor(random() * list.length)] ?? "",
  };
  return Object.entries(SERIES_FORMS[lang]).flatMap(([form, write]) =>
    Array.from({ length: TEXTS }, (_, i) => {
      const id = `series ${form} ${i}`;
      const sourceId = `paper-${i % 5}`;
      return { id, family: id, edit: undefined, sourceId, title: `${form} ${i}`, content: write(draw) };
    }),
  );
}

/** Returns numbers from 0 to 1, the same ones for a seed. After Steele and others (2014), splitmix. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let t = state ^ (state >>> 16);
    t = Math.imul(t, 0x21f0aaad);
    t ^= t >>> 15;
    t = Math.imul(t, 0x735a2d97);
    return ((t ^ (t >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Returns the same in another order. */
function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const [a, b] = [mixed[i], mixed[j]];
    if (a === undefined || b === undefined) continue;
    mixed[i] = b;
    mixed[j] = a;
  }
  return mixed;
}

/** Holds the sources of the script: chance, and a text that has nothing to do with the one that is edited. */
type EditSource = { random: () => number; foreign: string };

/** Makes a text into a copy of itself. */
type Edit = (text: string, source: EditSource) => string;

const sentencesOf = (text: string): string[] => {
  const points = [...text];
  return sentences(text).map(({ start, end }) => points.slice(start, end).join(""));
};

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

const at = <T>(list: readonly T[], random: () => number): T | undefined => list[Math.floor(random() * list.length)];

/** Writes foreign sentences in place of a share of the words' worth of sentences. */
const sentencesReplaced =
  (part: number): Edit =>
  (text, { random, foreign }) => {
    const all = sentencesOf(text);
    const others = sentencesOf(foreign);
    const total = wordsOf(text).length;
    const order = shuffled([...all.keys()], random);
    let replaced = 0;
    for (const i of order) {
      const length = wordsOf(all[i] ?? "").length;
      if (replaced + length / 2 > part * total) continue;
      all[i] = at(others, random) ?? "";
      replaced += length;
    }
    return all.join(" ");
  };

/** Writes foreign words in place of a share of the words, one here and one there. */
const wordsReplaced =
  (part: number): Edit =>
  (text, { random, foreign }) => {
    const others = wordsOf(foreign);
    return wordsOf(text)
      .map((word) => (random() < part ? (at(others, random) ?? word) : word))
      .join(" ");
  };

const FORMS: readonly (readonly [string, string])[] = [
  ["أ", "ا"],
  ["إ", "ا"],
  ["آ", "ا"],
  ["ة", "ه"],
  ["ى", "ي"],
  ["ئ", "ء"],
  ["ؤ", "ء"],
  ["colour", "color"],
  ["favour", "favor"],
  ["labour", "labor"],
  ["isation", "ization"],
  ["ise ", "ize "],
  ["ised ", "ized "],
  ["centre", "center"],
  ["-", " "],
];

/** Spells a text as another desk does: letters, marks, tatweel, digits, case, quotes. */
const respelt: Edit = (text, { random }) => {
  let spelt = text;
  for (const [from, to] of FORMS) spelt = random() < 0.5 ? spelt.replaceAll(from, to) : spelt;
  spelt = spelt.replace(/["“”«»]/g, () => (random() < 0.5 ? "'" : ""));
  spelt = spelt.replace(/\d/g, (digit) =>
    /\p{Script=Arabic}/u.test(text) ? String.fromCharCode(0x660 + Number(digit)) : digit,
  );
  return wordsOf(spelt)
    .map((word) => {
      if (!/^\p{Script=Arabic}{4,}$/u.test(word)) return random() < 0.1 ? word.toUpperCase() : word;
      const middle = 1 + Math.floor(random() * (word.length - 2));
      const mark = random() < 0.2 ? "\u064e" : random() < 0.1 ? "\u0640" : "";
      return word.slice(0, middle) + mark + word.slice(middle);
    })
    .join(" ");
};

/** Holds closings of agencies and papers; none is of the data. */
const CLOSINGS = {
  ar: [
    "تابعوا آخر الأخبار المحلية والعالمية لحظة بلحظة عبر تطبيقنا الجديد المتاح مجانا على متاجر الهواتف الذكية، واشتركوا في نشرتنا البريدية لتصلكم أهم عناوين اليوم كل صباح.",
    "جميع الحقوق محفوظة لمؤسسة النشر ولا يجوز نقل هذا المحتوى أو إعادة نشره كليا أو جزئيا دون إذن كتابي مسبق من إدارة التحرير في المؤسسة.",
  ],
  en: [
    "Follow the latest news as it happens on our new application, which you can download for free from all stores, and sign up for our morning letter to get the best stories of the day in your inbox.",
    "All rights reserved by the publisher. This material may not be published, broadcast, rewritten or redistributed in whole or in part without written permission of the editors in chief.",
  ],
};

/** Returns what papers of the language of a text end theirs with. */
const closingsOf = (text: string): readonly string[] => (/\p{Script=Arabic}/u.test(text) ? CLOSINGS.ar : CLOSINGS.en);

/** Lists the ways in which texts are taken over. */
export const EDITS: Record<string, Edit> = {
  whole: (text) => text,
  "first sentence cut": (text) => sentencesOf(text).slice(1).join(" "),
  "first third cut": (text) =>
    wordsOf(text)
      .slice(wordsOf(text).length / 3)
      .join(" "),
  "sentences 10 %": sentencesReplaced(0.1),
  "sentences 30 %": sentencesReplaced(0.3),
  "sentences 60 %": sentencesReplaced(0.6),
  "words 10 %": wordsReplaced(0.1),
  "words 30 %": wordsReplaced(0.3),
  brief: (text, { random }) => {
    const all = sentencesOf(text).filter((sentence) => wordsOf(sentence).length >= 8);
    const from = Math.floor(random() * Math.max(1, all.length - 1));
    return all.slice(from, from + 2).join(" ");
  },
  "paragraphs added": (text, { random, foreign }) => {
    const all = sentencesOf(text);
    const own = sentencesOf(foreign).slice(0, 4).join(" ");
    all.splice(Math.floor(random() * (all.length + 1)), 0, own);
    return all.join(" ");
  },
  moved: (text, { random }) => {
    const all = sentencesOf(text);
    const from = 1 + Math.floor(random() * Math.max(1, all.length - 1));
    return [...all.slice(from), ...all.slice(0, from)].join(" ");
  },
  spelling: respelt,
  "every ninth word": (text, { random, foreign }) => {
    const others = wordsOf(foreign);
    return wordsOf(text)
      .map((word, i) => (i % 9 === 8 ? (at(others, random) ?? word) : word))
      .join(" ");
  },
  "other ending": (text, { random }) => {
    const all = sentencesOf(text);
    return [...all.slice(0, Math.max(1, all.length - 1)), at(closingsOf(text), random) ?? ""].join(" ");
  },
};

/** An article of the store that is measured; `family` is that of the text it was made of. */
export type StoredCopy = {
  articleId: number;
  id: string;
  family: string;
  /** The edit that made it of the first; undefined for the first itself and for real articles. */
  edit: string | undefined;
  sourceId: string;
  title: string;
  content: string;
  /** The text of the real article that it was made of; undefined for series. */
  real: string | undefined;
  /** The text that an edit wrote in from; undefined for others. */
  foreign?: string;
  publishedAt: string;
};

/** Returns the title of a copy: the same, a shorter one, or that of another article. */
const titleOf = (title: string, i: number, other: string): string =>
  i === 0 ? title : i === 1 ? title.split(" ").slice(0, 4).join(" ") : other;

/** Names a half of the articles: one to choose by, the other to measure. */
export type Half = "dev" | "held-out";

const hashOf = (text: string): number =>
  Number.parseInt(createHash("sha256").update(text).digest("hex").slice(0, 8), 16);

/** Texts to copy have so many words: a brief of fewer would be none. */
const MIN_WORDS = 35;

const COPIES = 4;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2024, 0, 1);

/** Real articles that stand beside the copies, for each that is copied. */
const BESIDE = 14;

/** Unrelated articles that end alike, in a group. */
const ENDING_GROUP = 6;

type Row = { id: string; source: string; title: string; content: string };

/**
 * Makes families out of the real articles of a half of a file: an article, and copies of it by edits that are known,
 * each by another paper and later. Beside them stand real articles, among them series of one form, groups of unrelated
 * articles with one ending, and series that a script makes (rates, weather, matches, horoscopes).
 */
export function makeFamilies(path: string, half: Half, count: number): StoredCopy[] {
  const rows = new Map<string, Row>();
  for (const row of readJsonLines(path.replace(/\.gz$/, ""))) {
    const [title, content] = [cleanText(String(row.title ?? "")), cleanText(String(row.text ?? ""))];
    if (content !== "" && title !== "" && hashOf(`half ${row.id}`) % 2 === (half === "dev" ? 0 : 1))
      rows.set(`${fold(title)}\n${fold(content).slice(0, 400)}`, {
        id: String(row.id),
        source: String(row.source),
        title,
        content,
      });
  }
  const all = [...rows.values()].sort((a, b) => hashOf(a.id) - hashOf(b.id));
  const long = all.filter(({ content }) => content.split(/\s+/).length >= MIN_WORDS && sentences(content).length >= 3);
  // Of a small file half at the most, so that some articles are left to write in from.
  const copied = long.slice(0, Math.min(count, Math.floor(all.length / 2)));
  const isCopied = new Set(copied);
  const others = all.filter((row) => !isCopied.has(row));
  const beside = others.slice(0, count * BESIDE);
  // What edits write in comes from articles that are not stored: it must join nothing.
  const spare = others.slice(count * BESIDE).filter(({ content }) => content.length > 400);
  // Each but once: two copies with the same foreign sentences would share them.
  const foreign = (): Row => spare.pop() ?? pick(others);
  const random = randomFrom(hashOf(`${path.split("/").at(-1)} ${half}`));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const stored: Omit<StoredCopy, "articleId">[] = [];
  const time = (at: number) => new Date(START_MS + at).toISOString();
  copied.forEach((row, n) => {
    const at = n * 3_600_000;
    const { id, source, title, content } = row;
    stored.push({
      id,
      family: id,
      edit: undefined,
      sourceId: source,
      title,
      content,
      real: content,
      publishedAt: time(at),
    });
    const edits = shuffled(Object.keys(EDITS), random);
    edits.slice(0, COPIES).forEach((edit, i) => {
      const other = foreign().content;
      const made = EDITS[edit]?.(content, { random, foreign: other }) ?? "";
      stored.push({
        id: `${id} ${edit}`,
        family: id,
        edit,
        sourceId: `paper-${Math.floor(random() * 40)}`,
        title: titleOf(title, i, random() < 0.5 ? pick(others).title : title),
        content: made,
        real: content,
        foreign: other,
        publishedAt: time(at + (i + 1) * 1_200_000 + random() * DAY_MS),
      });
    });
  });
  beside.forEach(({ id, source, title, content }, n) => {
    const group = Math.floor(n / ENDING_GROUP);
    const ending = group % 8 === 0 ? ` ${closingsOf(content)[group % 2]}` : "";
    stored.push({
      id,
      family: id,
      edit: undefined,
      sourceId: ending === "" ? source : `paper-${group % 40}`,
      title,
      content: content + ending,
      real: content,
      publishedAt: time(n * 300_000),
    });
  });
  const lang = /\p{Script=Arabic}/u.test(all[0]?.content ?? "") ? "ar" : "en";
  for (const each of seriesOf(lang, random))
    stored.push({ ...each, real: undefined, publishedAt: time(random() * 30 * DAY_MS) });
  return shuffled(stored, random).map((each, i) => ({ articleId: i + 1, ...each }));
}
