import { englishLemma, englishStem } from "./english-stem.ts";
import { arabicMorphology, type Reading } from "./morphology.ts";
import { normalForm } from "./clean.ts";
import { groupsOf } from "./words.ts";
import { emptiedAtRest } from "../std/mod.ts";

/** Latin letters that no normalization takes apart, by what is typed for them. */
const LATIN: Record<string, string> = { ı: "i", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ß: "ss" };
const OTHER_LATIN = new RegExp(`[${Object.keys(LATIN).join("")}]`, "g");

/** `مائة` and its forms, alone or behind the number of hundreds, after what may be joined to it. */
const HUNDRED = /^([وفبكل]{0,2}(?:ال|لل)?(?:ثلاث|اربع|خمس|ست|سبع|ثماني?|تسع)?)مائ(?=(?:ه|تان|تين|تا|تي|ات|وي|ويه)$)/u;

/**
 * Returns the form of a word that an index goes by: its normal form, with spellings of everyday as one. `شاطىء` is
 * `شاطئ`, `مائة` is `مئة`, `Łódź` is `lodz`.
 */
export function wordForm(word: string): string {
  return normalForm(word)
    .replace(OTHER_LATIN, (letter) => LATIN[letter] ?? letter)
    .replace(/يء$/, "ئ")
    .replace(HUNDRED, "$1مئ");
}

/** Returns the forms under which a lexicon may have a word of this form, the one that it has most often first. */
function lexicalForms(form: string): string[] {
  if (form.endsWith("ئ")) return [`${form.slice(0, -1)}يء`, form];
  return form.includes("مئ") ? [form, form.replace("مئ", "مائ")] : [form];
}

const ARABIC_STOP_WORDS = `
في من على إلى عن أن إن هذا هذه ذلك تلك هؤلاء أولئك هذان هذين هاتان هاتين التي الذي الذين اللذان اللذين اللتان اللتين اللواتي اللاتي
ما لا لم لن قد لقد سوف كان كانت كانوا يكون تكون ليس ليست هو هي هم هن هما نحن أنا أنت أنتم بعد قبل بين مع كل بعض حتى أو أم ثم كما أي أية
عند عندما منذ خلال حيث إذا إذ إذن لو لولا لأن لأنه لأنها لكن لكنه لكنها بل غير سوى فقط أيضا كذلك هنا هناك هنالك الآن
وقد وقال قال وفي ومن وعن وعلى وإلى ولا ولم ولن وما وهو وهي وهم أنه أنها أنهم إنه إنها بأن بأنه بأنها فإن وإن وأن وأنه
له لها لهم لنا لي لك به بها بهم فيه فيها فيهم عليه عليها عليهم منه منها منهم إليه إليها إليهم عنه عنها معه معها بينهم بينها لديه لديها
هل كيف متى أين لماذا ماذا كم لمن عما مما فيما بما ممن إلا إما أما عدا نحو ضد دون بدون حول عبر فوق تحت أمام وراء لدى ذو ذات يا أيها نعم كلا
تم يتم ماهي ماهو ماهية وماذا وكيف وأين ومتى وكم فهل وكان وكانت فكان بينما حينما كلما لما مثل أكثر والتي والذي والذين وهذا وهذه وذلك كذا
وكذلك وكما وبعد وقبل وبين ومع وكل حسب وفق
`;

const ENGLISH = `
a an and are as at be been being but by can could did do does for from had has have he her here him his how i if in into is it its me my
no nor not of on or our out she so some such than that the their them then there these they this those to too was we were what when
where which while who whom whose why will with would you your am about also any because between both during each more most only other
own same should through under until up very
`;

const STOP_WORDS: ReadonlySet<string> = new Set(`${ARABIC_STOP_WORDS} ${ENGLISH}`.trim().split(/\s+/).map(normalForm));

/** Returns whether a word in normal form says nothing about what a text is about, in Arabic or English. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

const PREFIXES = ["وال", "بال", "كال", "فال", "لل", "ال"];
const SUFFIXES = ["ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"];

/**
 * Returns the light stem of an Arabic word in normal form: without conjunction, article, and the endings of number,
 * gender and possession. After Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information Retrieval"
 * (2007), light10.
 */
export function lightStem(word: string): string {
  let stem = word.length >= 4 && word.startsWith("و") ? word.slice(1) : word;
  const prefix = PREFIXES.find((p) => stem.startsWith(p) && stem.length - p.length >= 2);
  if (prefix !== undefined) stem = stem.slice(prefix.length);
  for (const suffix of SUFFIXES) {
    if (stem.endsWith(suffix) && stem.length - suffix.length >= 2) stem = stem.slice(0, -suffix.length);
  }
  return stem;
}

/**
 * Returns what is left of a stem without its vowel letters, hamzas and h: equal for many spellings of a foreign name.
 */
export function consonants(stem: string): string {
  const bare = stem.replace(/[اويءئؤه]/g, "");
  return bare === "" ? stem : bare;
}

/** Slots of a table; half of them are used at most. */
const SLOTS = 1 << 16;

/**
 * Values by word, looked up without making a string of the word: its characters are hashed and compared where they
 * stand. Words are forgotten when they have not been met for long: there are two tables, and a full one takes the place
 * of the older.
 */
export class WordCache<T> {
  readonly #make: (word: string) => T;
  readonly #longest: number;
  #recent = new Table<T>();
  #older = new Table<T>();

  /** `make` gives the value of a word that is not known; words longer than `longest` are not kept. */
  constructor(make: (word: string) => T, longest: number) {
    this.#make = make;
    this.#longest = longest;
    emptiedAtRest(this);
  }

  /** Forgets all words. */
  clear(): void {
    this.#recent = new Table();
    this.#older = new Table();
  }

  /** Returns the value of the word from `start` to `end` of a text. */
  get(text: string, start: number, end: number): T {
    if (end - start > this.#longest) return this.#make(text.slice(start, end));
    let hash = 0x811c9dc5 | 0;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash ^= hash >>> 15;
    const recent = this.#recent.find(hash, text, start, end);
    if (recent !== undefined) return recent.value;
    const entry = this.#older.find(hash, text, start, end) ?? this.#entry(text, start, end);
    if (this.#recent.size >= SLOTS / 2) {
      this.#older = this.#recent;
      this.#recent = new Table();
    }
    this.#recent.add(hash, entry);
    return entry.value;
  }

  #entry(text: string, start: number, end: number): Entry<T> {
    const units = new Array<number>(end - start);
    for (let i = start; i < end; i++) units[i - start] = text.charCodeAt(i);
    // A slice would keep the whole text in memory.
    const word = String.fromCharCode(...units);
    return { word, value: this.#make(word) };
  }
}

type Entry<T> = { readonly word: string; readonly value: T };

/** Open addressing, linear probing. */
class Table<T> {
  readonly #entries: Entry<T>[] = [];
  readonly #hashes = new Int32Array(SLOTS);
  /** 1 more than the index of the slot's entry; 0 for an empty slot. */
  readonly #indexes = new Int32Array(SLOTS);

  get size(): number {
    return this.#entries.length;
  }

  find(hash: number, text: string, start: number, end: number): Entry<T> | undefined {
    for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      const index = this.#indexes[slot] ?? 0;
      if (index === 0) return undefined;
      if (this.#hashes[slot] !== hash) continue;
      const entry = this.#entries[index - 1];
      if (entry !== undefined && isAt(text, start, end, entry.word)) return entry;
    }
  }

  add(hash: number, entry: Entry<T>): void {
    let slot = hash & (SLOTS - 1);
    while (this.#indexes[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    this.#hashes[slot] = hash;
    this.#indexes[slot] = this.#entries.push(entry);
  }
}

function isAt(text: string, start: number, end: number, word: string): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}

/** Terms of one word of a text for an index; the same object for each occurrence while the word is cached. */
export type WordTerms = {
  /** The word as written, in normal form; empty when nothing is left of it. */
  readonly form: string;
  /**
   * Its stem; several when one character stands for several words; none when nothing is left of it. The last group of
   * a number has the stem that it would have alone, and the whole number.
   */
  readonly stems: readonly string[];
  /** Its root, or the consonants of a word without one, after {@link COARSE}; none for Latin and stop words. */
  readonly coarse: readonly string[];
  /** Same for a word's inflected forms, another for other words of its root or stem. */
  readonly lemmas: readonly string[];
  /** True for a stop word, which a query need not look for. */
  readonly stop: boolean;
};

/** The first character of coarse terms: no stem begins with it. */
export const COARSE = "~";

/** The first character of an Arabic word without article and conjunction, the first of its lemmas. */
export const BARE = "=";

/** Longer words are cut: an index has no use for more. */
const MAX_WORD_UNITS = 64;
/** The article with what may stand before it: without it a word is the same, whatever else it could be read as. */
const ARTICLE = /^[وف]?(?:[بك]?ال|لل)(?=...)/u;
const ARABIC = /\p{Script=Arabic}/u;

const cache = new WordCache(makeTerms, MAX_WORD_UNITS);

/** Returns the terms of the word from `start` to `end` of a text. The latest words are cached. */
export function wordTermsAt(text: string, start: number, end: number): WordTerms {
  return cache.get(text, start, end);
}

/** Returns the terms of a word as it stands in a text. */
export function wordTerms(word: string): WordTerms {
  return cache.get(word, 0, word.length);
}

function makeTerms(word: string): WordTerms {
  const groups = groupsOf(word);
  if (groups !== undefined) return numberTerms(groups.map(wordForm));
  const forms = wordForm(word.slice(0, MAX_WORD_UNITS))
    .split(" ")
    .filter((form) => form !== "");
  if (forms.every(isStopWord)) {
    return {
      form: forms.join(" "),
      stems: forms,
      coarse: [],
      lemmas: forms,
      stop: true,
    };
  }
  const parts = forms.map((form) => (ARABIC.test(form) ? arabicTerms(form) : englishTerms(form)));
  return {
    form: forms.join(" "),
    stems: parts.map(({ stem }) => stem),
    coarse: parts.flatMap((part) => ("coarse" in part ? [COARSE + part.coarse] : [])),
    lemmas: parts.flatMap((part) => part.lemmas),
    stop: false,
  };
}

function numberTerms(groups: readonly string[]): WordTerms {
  const number = groups.join("");
  return { form: groups.join(","), stems: [groups.at(-1) ?? "", number], coarse: [], lemmas: [number], stop: false };
}

function arabicTerms(form: string): { stem: string; coarse: string; lemmas: readonly string[] } {
  const reading = readingOf(form);
  const stem = reading?.stem ?? lightStem(form);
  const bare = `${BARE}${form.replace(ARTICLE, "")}`;
  return { stem, coarse: reading?.root || consonants(stem), lemmas: [bare, ...(reading?.lemmas ?? [stem])] };
}

function readingOf(form: string): Reading | undefined {
  for (const lexical of lexicalForms(form)) {
    const reading = arabicMorphology()(lexical);
    if (reading !== undefined) return reading;
  }
  return undefined;
}

function englishTerms(form: string): { stem: string; lemmas: readonly string[] } {
  return { stem: englishStem(form), lemmas: [englishLemma(form)] };
}
