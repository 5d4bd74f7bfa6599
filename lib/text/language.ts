import { OTHER_LATIN, SCRIPT_MARKS, WORDS } from "./language-words.ts";

/** The language of a text; `confidence` is 0 to 1. */
export type DetectedLanguage = { lang: "ar" | "en" | "other"; confidence: number };

/** How much of a long text is looked at, in UTF-16 units: enough to be sure, cheap for every article. */
const SAMPLE = 2000;
const LETTERS = /[\p{L}\p{M}]+/gu;

/**
 * Tells Arabic and English from each other and from other languages: by script, then by the share of each language's
 * function words among the words and, in Arabic script, by letters that Arabic does not have. A short text in Latin
 * script without function words counts as English with low confidence; a text without letters is `other` with
 * confidence 0.
 */
export function detectLanguage(text: string): DetectedLanguage {
  const words = text.slice(0, SAMPLE).normalize("NFKC").toLowerCase().match(LETTERS) ?? [];
  const letters = { arabic: 0, latin: 0, other: 0 };
  for (const word of words) letters[scriptOf(word)] += word.length;
  const total = letters.arabic + letters.latin + letters.other;
  if (total === 0) return { lang: "other", confidence: 0 };
  const main = letters.arabic >= letters.latin ? "arabic" : "latin";
  const share = letters[main] / total;
  if (letters.other > letters[main]) return { lang: "other", confidence: letters.other / total };
  const own = words.filter((word) => scriptOf(word) === main);
  const decided = main === "arabic" ? arabicScript(own) : latinScript(own);
  return { lang: decided.lang, confidence: share * decided.confidence };
}

function scriptOf(word: string): "arabic" | "latin" | "other" {
  const c = word.charCodeAt(0);
  if ((c >= 0x600 && c <= 0x6ff) || (c >= 0x750 && c <= 0x77f)) return "arabic";
  return c < 0x250 || (c >= 0x1e00 && c <= 0x1eff) ? "latin" : "other";
}

function arabicScript(words: readonly string[]): DetectedLanguage {
  // Arabic is sometimes typed with the Persian forms of yeh and kaf, Persian with the Arabic ones: they say nothing.
  const bare = words.map((word) => word.replace(/\p{M}/gu, "").replaceAll("ی", "ي").replaceAll("ک", "ك"));
  const arabic = bare.filter((word) => WORDS.ar.has(word) || /^[وفبك]?ال..|^لل..|ة$/.test(word)).length;
  const foreign = bare.filter((word) => SCRIPT_MARKS.test(word) || WORDS.fa.has(word) || WORDS.ur.has(word)).length;
  if (arabic + foreign === 0) return { lang: "ar", confidence: 0.5 };
  return verdict("ar", arabic, foreign, bare.length);
}

function latinScript(words: readonly string[]): DetectedLanguage {
  const count = (lang: ReadonlySet<string>) => words.filter((word) => lang.has(word)).length;
  const english = count(WORDS.en);
  const foreign = Math.max(...OTHER_LATIN.map(count));
  // Letters with marks are rare in English: half a word each.
  const marked = words.filter((word) => /[^a-z]/.test(word)).length;
  if (english + foreign + marked === 0) return { lang: "en", confidence: Math.max(0.2, 0.6 - words.length / 50) };
  return verdict("en", english, Math.max(foreign, Math.min(marked, foreign + marked / 2)), words.length);
}

function verdict(lang: "ar" | "en", own: number, foreign: number, words: number): DetectedLanguage {
  // A long text in which hardly any word speaks for the language is not in it.
  const expected = words >= 20 ? words * 0.025 : 0;
  const against = Math.max(foreign, expected);
  if (own > against || (own === against && foreign === 0)) return { lang, confidence: own / (own + foreign) };
  return { lang: "other", confidence: against / (own + against) };
}
