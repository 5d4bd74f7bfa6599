export { cleanText } from "./clean.ts";
export { codePointLength, codePointSlice, codePointToUnit, unitToCodePoint } from "./code-points.ts";
export { contentHash, fold } from "./fold.ts";
export { canonicalUrl, hostOf, InvalidUrlError } from "./url.ts";
