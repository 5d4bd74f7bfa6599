export {
  ANALYSER_VERSION,
  analyse,
  countWords,
  type QueryWord,
  queryWords,
} from "./query.ts";
export { chunkText, MAX_CHUNK_UNITS } from "./chunks.ts";
export { cleanText } from "./clean.ts";
export { codePointLength, codePointSlice, codePointSlicer, unitToCodePoint } from "./characters.ts";
export { withoutControls, withoutMarks } from "./characters.ts";
export { textDifference } from "./difference.ts";
export { contentHash, fold } from "./clean.ts";
export { type Highlighted, highlight, plainSnippet, type QueryTerms, queryTerms } from "./highlight.ts";
export { withoutInvisible } from "./characters.ts";
export { type Dictionary, sharedDictionary, type Translations } from "./dictionary.ts";
export { detectLanguage } from "./language.ts";
export { createMorphology, type Morphology, type Reading } from "./morphology.ts";
export { nameSound, soundingAlike } from "./names.ts";
export { displayName, nameKey } from "./names.ts";
export { normalForm, UNSEEN } from "./clean.ts";
export { hasSyntax, parseQuery } from "./query.ts";
export { ScannedText } from "./highlight.ts";
export { scriptText } from "./clean.ts";
export { sentences } from "./sentences.ts";
export { tokenSentences } from "./sentences.ts";
export { opensAlike, romanised, soundDistance, soundKey } from "./names.ts";
export { asciiHost, canonicalUrl, hasControl, hostOf, isWebUrl, withoutCredentials } from "./url.ts";
export { BARE, isStopWord, type WordTerms, wordTerms, wordTermsAt } from "./word-terms.ts";
export { forEachSearchWord } from "./words.ts";
export { forEachWord } from "./words.ts";
