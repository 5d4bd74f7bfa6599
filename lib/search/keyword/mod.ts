export { type KeywordLogger, type OpenKeywordOptions, openKeywordIndex } from "./open.ts";
export {
  type KeywordDoc,
  type KeywordFault,
  type KeywordHit,
  type KeywordIndex,
  KeywordIndexError,
  type KeywordQuery,
  type KeywordReader,
  type KeywordStatus,
  type TermField,
} from "./types.ts";
