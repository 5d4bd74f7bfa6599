export {
  codePointLength,
  codePointSlice,
  codePointSlicer,
  unitToCodePoint,
  withoutControls,
  withoutInvisible,
  withoutMarks,
} from "./characters.ts";
export { chunkText, MAX_CHUNK_UNITS } from "./chunks.ts";
export { cleanText, scriptText } from "./clean.ts";
export { textDifference } from "./difference.ts";
export { type Highlighted, highlight, plainSnippet, type QueryTerms, queryTerms, ScannedText } from "./highlight.ts";
export { detectLanguage } from "./language.ts";
export { createMorphology, type Morphology, type Reading } from "./morphology.ts";
export {
  displayName,
  nameKey,
  nameSound,
  opensAlike,
  romanised,
  soundDistance,
  soundingAlike,
  soundKey,
} from "./names.ts";
export { contentHash, fold, normalForm, UNSEEN } from "./normal-form.ts";
export {
  ANALYSER_VERSION,
  analyse,
  analyseDocument,
  analyseQuery,
  countWords,
  hasSyntax,
  parseQuery,
  type QueryWord,
  queryWords,
} from "./query.ts";
export { type Span, sentences, type TextToken, tokenSentences } from "./sentences.ts";
export { asciiHost, canonicalUrl, hostOf, isPlainUrl, withoutCredentials } from "./url.ts";
export { BARE, isStopWord, type WordTerms, wordTerms, wordTermsAt } from "./word-terms.ts";
export { forEachSearchWord, forEachWord } from "./words.ts";
