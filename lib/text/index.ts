export { type Chunk, type ChunkOptions, chunkText } from "./chunks.ts";
export { cleanText } from "./clean.ts";
export { codePointLength, codePointSlice, codePointToUnit, unitToCodePoint } from "./code-points.ts";
export { contentHash, fold } from "./fold.ts";
export { type DetectedLanguage, detectLanguage } from "./language.ts";
export { type Span, sentences } from "./sentences.ts";
export { canonicalUrl, hostOf, InvalidUrlError } from "./url.ts";
export { ANALYSER_VERSION, analyseDocument, analyseQuery } from "./analyse.ts";
export { simhash, simhashDistance } from "./simhash.ts";
