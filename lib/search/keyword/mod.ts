export { type KeywordLogger, openKeywordIndex } from "./open.ts";
export {
  type KeywordAnswer,
  type KeywordDoc,
  type KeywordIndex,
  KeywordIndexError,
  type KeywordQuery,
  type KeywordReader,
  type ReadableQuery,
  SURVEY_FACETS,
  type Survey,
  type SurveyQuery,
  type TermField,
} from "./types.ts";
