export { type KeywordLogger, type OpenKeywordOptions, openKeywordIndex } from "./open.ts";
export {
  type Correction,
  type KeywordAnswer,
  type KeywordDoc,
  type KeywordFault,
  type KeywordHit,
  type KeywordIndex,
  KeywordIndexError,
  type KeywordQuery,
  type KeywordReader,
  type KeywordStatus,
  type KeywordSuggestions,
  type QueryReading,
  type ReadableQuery,
  type ReadingOptions,
  type SuggestQuery,
  type TermField,
} from "./types.ts";
