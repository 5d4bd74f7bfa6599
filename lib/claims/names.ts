import { aliasGroup } from "../models/tasks/entities/aliases.ts";
import { analyse, nameKey, opensAlike, romanised, sharedDictionary, soundDistance } from "../text/mod.ts";
import { wordForm } from "../text/word-terms.ts";

/** A word of a sentence that says something: its normal form, stems, root, and whether it is written in Arabic. */
export type Word = {
  form: string;
  stems: readonly string[];
  roots: readonly string[];
  isArabic: boolean;
  sound: string;
};

/** Words of a text that are compared: a sentence has fewer. */
const MAX_WORDS = 80;

/** Says how far two words may sound apart and be one name in two scripts, and in one. */
const ACROSS = 0.34;
const WITHIN = 0.2;

const ARABIC = /\p{Script=Arabic}/u;

/**
 * Returns the words of a text that say something, in order, and the forms of all. In a name every word says something:
 * `علي` is also a preposition.
 */
export function wordsOf(text: string, { isName = false } = {}): { words: Word[]; forms: string[] } {
  const words: Word[] = [];
  const forms: string[] = [];
  for (const { terms } of analyse(text)) {
    if (forms.length === MAX_WORDS) break;
    forms.push(terms.form);
    if ((terms.stop && !isName) || terms.stems.length === 0 || /^\d/.test(terms.form)) continue;
    const isArabic = ARABIC.test(terms.form);
    words.push({ form: terms.form, stems: terms.stems, roots: terms.coarse, isArabic, sound: romanised(terms.form) });
  }
  return { words, forms };
}

/** Tells whether two words are the same: by stem or root, as a translation, or as a name that sounds alike. */
export function isSameWord(a: Word, b: Word): boolean {
  if (a.form === b.form || a.stems.some((stem) => b.stems.includes(stem))) return true;
  if (a.isArabic === b.isArabic) {
    if (a.roots.some((root) => b.roots.includes(root))) return true;
    return a.sound.length >= 5 && soundDistance(a.sound, b.sound, WITHIN) <= WITHIN;
  }
  const { options } = sharedDictionary();
  const [arabic, latin] = a.isArabic ? [a, b] : [b, a];
  if (arabic.stems.some((stem) => options(stem).some((each) => latin.stems.includes(each.stem)))) return true;
  return soundsAlike(arabic, latin);
}

/** Tells whether two words in two scripts may be one name. */
function soundsAlike(a: Word, b: Word): boolean {
  if (a.sound.length < 3 || b.sound.length < 3) return false;
  return opensAlike(a.sound, b.sound) && soundDistance(a.sound, b.sound, ACROSS) <= ACROSS;
}

/** Returns which of the words of each of two texts are in the other. */
export function sharedWords(a: readonly Word[], b: readonly Word[]): { inA: boolean[]; inB: boolean[] } {
  const inB = a.map(() => false);
  const inA = b.map(() => false);
  for (const [i, word] of a.entries()) {
    for (const [j, other] of b.entries()) {
      if (inB[i] === true && inA[j] === true) continue;
      if (isSameWord(word, other)) inB[i] = inA[j] = true;
    }
  }
  return { inA, inB };
}

/** A name in a sentence, by its key and its words. */
export type Name = { key: string; canonical: string; words: readonly Word[] };

/** Types of the tagger that tell one thing from another; the others are counts, times, roles and sorts of things. */
const NAMING: ReadonlySet<string> = new Set(["PER", "PERS", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "MISC"]);

/** Holds what every country has one of: no name by itself. */
const GENERIC: ReadonlySet<string> = new Set(
  "parliament government army police court cabinet congress senate assembly ministry presidency central bank supreme national council البرلمان الحكومة الجيش الشرطة المحكمة مجلس النواب الأمة الشعب الوزراء الشورى الشيوخ البنك المصرف المركزي الوزارة الرئاسة القضاء النيابة العليا العامة الحزب الحاكم"
    .split(" ")
    .map(wordForm),
);

/** Returns the names among what a tagger found, as texts. */
export function namesAmong(entities: readonly { type: string; name: string }[]): string[] {
  return [...new Set(entities.filter(({ type }) => NAMING.has(type)).map(({ name }) => name))];
}

/** Reads names as they are compared; those of digits alone are none. */
export function readNames(names: readonly string[]): Name[] {
  return names.flatMap((name) => {
    const key = nameKey(name);
    const { words } = wordsOf(name, { isName: true });
    return key === "" || words.every(({ form }) => GENERIC.has(form))
      ? []
      : [{ key, canonical: canonicalOf(key), words }];
  });
}

/** Capitals stand for the countries whose governments they are. */
const CAPITALS =
  "القاهرة|Cairo=مصر,الرياض|Riyadh=السعودية,طهران|Tehran=إيران,بغداد|Baghdad=العراق,دمشق|Damascus=سوريا,الدوحة|Doha=قطر,أبوظبي|Abu Dhabi=الإمارات,عمان|Amman=الأردن,أنقرة|Ankara=تركيا,موسكو|Moscow=روسيا,واشنطن|Washington=الولايات المتحدة,لندن|London=بريطانيا,باريس|Paris=فرنسا,برلين|Berlin=ألمانيا,بكين|Beijing=الصين,طوكيو|Tokyo=اليابان,الخرطوم|Khartoum=السودان,الرباط|Rabat=المغرب,تل أبيب|Tel Aviv=إسرائيل,بيونغ يانغ|Pyongyang=كوريا الشمالية,كييف|Kyiv|Kiev=أوكرانيا,نيودلهي|New Delhi=الهند,روما|Rome=إيطاليا,مدريد|Madrid=إسبانيا,كابول|Kabul=أفغانستان,إسلام آباد|Islamabad=باكستان,صنعاء|Sanaa=اليمن,طرابلس|Tripoli=ليبيا,بيروت|Beirut=لبنان";

const capitals = new Map<string, string>();
for (const entry of CAPITALS.split(",")) {
  const [names = "", country = ""] = entry.split("=");
  for (const name of names.split("|")) capitals.set(nameKey(name), nameKey(country));
}

/** Returns the key that stands for all names of a thing. */
function canonicalOf(key: string): string {
  return aliasGroup(key, "place")?.keys[0] ?? key;
}

/** Letters that a people's name shares with that of its country. */
const MIN_STEM = 4;

type Named = { names: readonly Name[]; words: readonly Word[] };

/**
 * Tells whether a name is also in another text: by another of its names, or by a word of its own, as `Rishi Sunak` is
 * in `Sunak said`. Two names of several words that share one are two: `Ali Hassan`, `Omar Hassan`.
 */
function isIn(name: Name, own: Named, other: Named): boolean {
  if (other.names.some((each) => isSameName(name, each))) return true;
  const missing = name.words.filter((word) => !other.words.some((each) => isAlike(word, each)));
  if (missing.length === name.words.length) return false;
  if (missing.length === 0) return true;
  return !other.names.some(
    ({ words }) =>
      words.some((word) => name.words.some((each) => isAlike(word, each))) &&
      words.some((word) => !own.words.some((each) => isAlike(word, each))),
  );
}

const isAlike = (a: Word, b: Word): boolean => isSameWord(a, b) || isOfOneStem(a, b);

function isSameName(a: Name, b: Name): boolean {
  if (a.canonical === b.canonical || isAcronym(a, b) || isAcronym(b, a)) return true;
  const [ofA, ofB] = [capitals.get(a.key), capitals.get(b.key)];
  return (
    (ofA !== undefined && canonicalOf(ofA) === b.canonical) || (ofB !== undefined && canonicalOf(ofB) === a.canonical)
  );
}

/** `UN` of `United Nations`. */
function isAcronym(short: Name, long: Name): boolean {
  const initials = long.words.map(({ form }) => form.charAt(0)).join("");
  return initials.length >= 2 && short.key.replaceAll(".", "") === initials;
}

/** `Iraqi` and `Iraq`, `السعودي` and `السعودية`. */
function isOfOneStem(a: Word, b: Word): boolean {
  if (a.isArabic !== b.isArabic) return false;
  const [first, second] = [a.form, b.form].map((form) => form.replace(/^(?:وال|بال|لل|ال)/, ""));
  if (first === undefined || second === undefined) return false;
  const shared = Math.min(first.length, second.length);
  return shared >= MIN_STEM && first.slice(0, shared) === second.slice(0, shared);
}

/** Counts the names of each of two texts that the other one lacks. */
export function namesApart(a: Named, b: Named): { ofA: number; ofB: number } {
  return {
    ofA: a.names.filter((name) => !isIn(name, a, b)).length,
    ofB: b.names.filter((name) => !isIn(name, b, a)).length,
  };
}
