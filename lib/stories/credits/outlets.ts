import { copied, memoize } from "../../std/mod.ts";
import { forEachWord, normalForm, soundKey } from "../../text/mod.ts";
import agencies from "./national-agencies.json" with { type: "json" };
import outlets from "./outlets.json" with { type: "json" };

/** A word of a text: its folded form, and where it stands in UTF-16 units. */
export type TextWord = { form: string; start: number; end: number };

/** Words whose forms are cached. */
const CACHED_WORDS = 32_000;

const formOf = memoize((word) => copied(normalForm(word)), { capacity: CACHED_WORDS });

/** Returns the words of a text with their forms. */
export function wordsOf(text: string): TextWord[] {
  const words: TextWord[] = [];
  forEachWord(text, (start, end) => {
    const form = formOf(text.slice(start, end));
    if (form !== "") words.push({ form, start, end });
  });
  return words;
}

/** A way to write an outlet's name, as forms of its words; a weak one is a word or a place as well. */
type Alias = {
  name: string;
  forms: readonly string[];
  isWeak: boolean;
  written?: readonly string[];
  /** Written as one word, as in the address of its site. */
  isJoined?: boolean;
};

/** Holds the ways to write all outlets that are listed. */
class Listed {
  /** Aliases by the form of their first word. */
  readonly byFirst = new Map<string, Alias[]>();
  /** Aliases in Arabic by the skeleton of their first word: foreign names are spelled in many ways. */
  readonly bySkeleton = new Map<string, Alias[]>();
  /** Names of several words by the skeletons of all. */
  readonly byWholeSkeleton = new Map<string, string>();
  /** Names in Latin letters by their sound, without articles. */
  readonly bySound = new Map<string, string>();
}

let made: Listed | undefined;

/** Returns what is listed, made when it is needed first: it takes some megabytes. */
const listed = (): Listed => (made ??= listAll());

/** Letters of a whole skeleton from which on it may have one letter that is wrong. */
const MIN_WHOLE = 8;

/** Consonants from which on a sound is of one name. */
const MIN_SOUND = 5;

const ARTICLES = /^(?:the|el|la|le|der|die|das|ذا|ذي|دير|ال|إل|لا|لو) /iu;

/** Returns the consonants of a name by which it is the same in both scripts; empty for one of few. */
function soundOfName(name: string): string {
  const key = soundKey(
    wordsOf(name.replace(ARTICLES, ""))
      .map(({ form }) => form)
      .join(""),
  );
  return key.length < MIN_SOUND ? "" : key;
}

/** Returns the outlet whose name sounds so, or is spelled so in Arabic but for one letter. */
export function listedNear(written: string): string | undefined {
  const forms = wordsOf(written).map(({ form }) => form);
  const whole = forms.map(skeletonOf).join("");
  const { byWholeSkeleton, bySound } = listed();
  const exact = byWholeSkeleton.get(whole) ?? bySound.get(soundOfName(written));
  if (exact !== undefined) return exact;
  if (forms.length < 2 || whole.length < MIN_WHOLE) return undefined;
  for (let at = 0; at < whole.length; at++) {
    const shorter = byWholeSkeleton.get(whole.slice(0, at) + whole.slice(at + 1));
    if (shorter !== undefined) return shorter;
  }
  return undefined;
}

/** Letters of a skeleton from which on nothing else has it. */
const MIN_SKELETON = 5;

/** Returns names with those that are spelled as in Cairo: `جلوبو` for `غلوبو`. */
const spelledToo = (names: readonly string[]): string[] => [
  ...names,
  ...names.filter((text) => text.includes("غ")).map((text) => text.replaceAll("غ", "ج")),
];

type Outlet = { name: string; aliases: readonly string[]; weak?: readonly string[] };

function list({ byFirst, bySkeleton, byWholeSkeleton, bySound }: Listed, outlet: Outlet): void {
  const { name } = outlet;
  const [aliases, weak] = [spelledToo(outlet.aliases), spelledToo(outlet.weak ?? [])];
  for (const text of new Set([name, ...aliases])) {
    const forms = wordsOf(text).map(({ form }) => form);
    const [first] = forms;
    if (first === undefined) continue;
    const bare = text.replace(/^The /, "");
    const isStrong = aliases.includes(bare) && !weak.includes(bare) && !weak.includes(text);
    const alias = { name, forms, isWeak: !isStrong && (weak.includes(text) || !aliases.includes(text)) };
    byFirst.set(first, [...(byFirst.get(first) ?? []), alias]);
    if (forms.length > 1 && /^[A-Za-z ]{8,}$/.test(text)) {
      const joined = forms.join("");
      byFirst.set(joined, [...(byFirst.get(joined) ?? []), { name, forms: [joined], isWeak: true, isJoined: true }]);
    }
    const skeletons = forms.map(skeletonOf);
    if (forms.length > 1 && !skeletons.includes("")) byWholeSkeleton.set(skeletons.join(""), name);
    const sound = /^[A-Z]/.test(text) ? soundOfName(text) : "";
    if (sound !== "" && !bySound.has(sound)) bySound.set(sound, name);
    const isForeign =
      !alias.isWeak &&
      !forms.some((form, i) => /^(?:ال.{3}|قناه|وكال|موقع|صحيف|مجل)/.test(form) && (i > 0 || forms.length > 1));
    if (!isForeign || skeletons.includes("") || skeletons.join("").length < MIN_SKELETON) continue;
    // One word alone may be another word, too: it must be said what it is.
    const spelled = { ...alias, isWeak: forms.length < 2, forms: skeletons, written: forms };
    bySkeleton.set(skeletons[0] ?? "", [...(bySkeleton.get(skeletons[0] ?? "") ?? []), spelled]);
  }
}

/** Returns what of an Arabic word is left when the letters are taken away that transcriptions differ in. */
function skeletonOf(form: string): string {
  return /^\p{Script=Arabic}/u.test(form)
    ? form
        .replace(/[اويهءئؤ]/g, "")
        .replace(/[غجقك]/g, "ك")
        .replace(/[طت]/g, "ت")
        .replace(/[سصز]/g, "س")
    : "";
}

function listAll(): Listed {
  const all = new Listed();
  for (const outlet of outlets as readonly Outlet[]) list(all, outlet);
  for (const { name, country, adjective } of agencies)
    list(all, {
      name,
      aliases: [
        `وكالة الأنباء ${adjective}`,
        `وكالة الأنباء الرسمية ${adjective}`,
        `وكالة الأنباء الحكومية ${adjective}`,
        `وكالة أنباء ${country}`,
        ...["الرسمية", "المركزية"].map((kind) => `وكالة الأنباء ${kind} ${`ل${country}`.replace(/^لال/, "لل")}`),
        `وكالة ${country} للأنباء`,
        `الوكالة ${adjective} للأنباء`,
        `الوكالة ${adjective}`,
      ],
    });
  for (const aliases of [...all.byFirst.values(), ...all.bySkeleton.values()])
    aliases.sort((a, b) => b.forms.length - a.forms.length);
  return all;
}

/** An outlet that is named in a text: the places of its words, end exclusive. */
export type Mention = {
  name: string;
  from: number;
  to: number;
  isWeak: boolean;
  /** False for one that no list has. */
  isListed: boolean;
  /** A letter that is joined to the name, such as that of `لرويترز`. */
  clitic: string;
  start: number;
  end: number;
};

/** Returns the outlet whose name begins at a word, the longest name that does. */
export function mentionAt(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  let longest: Mention | undefined;
  for (const { clitic, second, isSkeleton } of startsOf(word.form)) {
    const next = words[at + 1]?.form ?? "";
    const aliases = second.get(isSkeleton ? skeletonOf(next) : next) ?? second.get("");
    const alias =
      aliases?.find((each) => matches(words, at, each.forms, isSkeleton) && isSpelledAlike(words, at, each)) ??
      second.get("")?.find((each) => isSpelledAlike(words, at, each));
    const last = words[at + (alias?.forms.length ?? 0) - 1];
    if (alias === undefined || last === undefined || (alias.isWeak && /[بلك]/.test(clitic))) continue;
    const start = word.start + clitic.length;
    // `Time.com`: with its site's ending a name is of nothing else.
    const ending = SITE_ENDING.exec(text.slice(last.end, last.end + 8))?.[0] ?? "";
    if (ending === "" && alias.isJoined !== true && !isWrittenAsName(text.slice(start, last.end))) continue;
    const to = at + alias.forms.length + (ending === "" ? 0 : 1);
    const { name } = alias;
    const isWeak = alias.isWeak && ending === "";
    if (longest === undefined || to > longest.to)
      longest = { name, from: at, to, isWeak, isListed: true, clitic, start, end: last.end + ending.length };
  }
  return longest;
}

/** Ending of the site of a paper. */
const SITE_ENDING = /^\.(?:com|net|org)\b/;

/** Aliases by the second word of their names; by the empty text those of one word. */
type BySecond = ReadonlyMap<string, readonly Alias[]>;

/** Names that a word may begin: names in full, without its article, or spelled another way. */
type Start = { clitic: string; second: BySecond; isSkeleton: boolean };

/** One for all words: an empty list each would be most of what is cached. */
const NO_STARTS: readonly Start[] = [];

/** Returns the names that a word may begin; for nearly all words none. */
const startsOf = memoize(
  (form): readonly Start[] => {
    const starts: Start[] = [];
    const { byFirst, bySkeleton } = listed();
    for (const { form: bare, clitic } of withoutClitics(form)) {
      const exact = byFirst.get(bare);
      if (exact !== undefined) starts.push({ clitic, second: bySecondOf(exact), isSkeleton: false });
      if (!/^\p{Script=Arabic}/u.test(bare)) continue;
      const plain = bare.startsWith("ال") && bare.length > 4 ? bare.slice(2) : bare;
      const bareName = plain === bare ? undefined : byFirst.get(plain);
      if (bareName !== undefined) starts.push({ clitic, second: bySecondOf(bareName), isSkeleton: false });
      const likely = bySkeleton.get(skeletonOf(plain));
      if (likely !== undefined) starts.push({ clitic, second: bySecondOf(likely), isSkeleton: true });
    }
    return starts.length > 0 ? starts : NO_STARTS;
  },
  { capacity: CACHED_WORDS },
);

const bySecondOf = (aliases: readonly Alias[]): BySecond => Map.groupBy(aliases, ({ forms }) => forms[1] ?? "");

/** Returns the canonical name of an outlet by what a source is called; undefined for one that is not listed. */
export function outletNamed(sourceName: string): string | undefined {
  const words = wordsOf(sourceName);
  const alias = (listed().byFirst.get(words[0]?.form ?? "") ?? []).find(
    ({ forms }) => forms.length === words.length && matches(words, 0, forms),
  );
  return alias?.name;
}

function matches(words: readonly TextWord[], at: number, forms: readonly string[], isSkeleton = false): boolean {
  for (let i = 1; i < forms.length; i++) {
    const form = words[at + i]?.form ?? "";
    if ((isSkeleton ? skeletonOf(form) : form) !== forms[i]) return false;
  }
  return true;
}

/** Letters up to which a word is another one as soon as one letter differs. */
const SHORT_WORD = 3;

/** Returns whether words with the skeletons of a name are spelled nearly as it is: not `باريس` for `برس`. */
function isSpelledAlike(words: readonly TextWord[], at: number, { forms, written }: Alias): boolean {
  if (written === undefined) return true;
  return written.every((form, i) => {
    const other = words[at + i]?.form ?? "";
    const bare = withoutClitics(other).find((each) => skeletonOf(bareOf(each.form)) === forms[i])?.form;
    const [one, two] = [bareOf(i === 0 ? (bare ?? other) : other), bareOf(form)];
    const isNear = two.length > SHORT_WORD && Math.abs(one.length - two.length) <= 1;
    return one === two || (isNear && soundOf(one.charAt(0)) === soundOf(two.charAt(0)));
  });
}

const bareOf = (form: string): string => form.replace(/^ال(?=.{3})/, "");

/** Returns a letter, or the one that stands for all that a foreign sound is written by. */
const soundOf = (letter: string): string =>
  letter
    .replace(/[غجقك]/, "ك")
    .replace(/[طت]/, "ت")
    .replace(/[سصز]/, "س");

/** Latin names have a capital, and acronyms nothing else. */
function isWrittenAsName(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return true;
  if (/ (?!(?:of|the|and|for|de|del|della|dello|du|da|di|do|la|le|am|en|on)\b)[a-z]/.test(text))
    return /(?:magazine|newspaper|network|website|agency)(?:'s)?$/.test(text);
  if (/^(?:the |al[ -])[A-Z]/.test(text)) return true;
  return text.length <= 4
    ? text === text.toUpperCase() || /^(?:dpa|Tass|Wafa|Fars|Mehr|Bild|Time|Jiji)$/.test(text)
    : /^[A-Z]/.test(text) || text.startsWith("al-") || text.startsWith("alara") || text.startsWith("skynews");
}

/** Returns an Arabic word with and without the letters that may be joined to it. */
export function withoutClitics(form: string): { form: string; clitic: string }[] {
  const all = [{ form, clitic: "" }];
  if (!/^[وفبلك]/.test(form) || form.length < 4) return all;
  all.push({ form: form.slice(1), clitic: form.slice(0, 1) });
  if (form.startsWith("لل")) all.push({ form: `ا${form.slice(1)}`, clitic: "ل" });
  if (/^[وف][بل]/.test(form)) all.push({ form: form.slice(2), clitic: form.slice(0, 2) });
  return all;
}
