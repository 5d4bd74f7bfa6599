export {
  checkEngine,
  checkEngines,
  openKeyword,
  openVectors,
  type RemoteEngine,
  setUpEngines,
} from "./engines/open.ts";
export { zoneOf } from "./calendar.ts";
export { type Filters, matchesFilters } from "./filters.ts";
export { type Branches, type BranchQuery, type BranchResult, searchBranches, type VectorHit } from "./fusion/hybrid.ts";
export { fuseHybrid, type Hybrid, rankHybrid } from "./fusion/hybrid.ts";
export { type Ranked, reciprocalRankFusion } from "./fusion/rrf.ts";
export { type KeywordLogger, openKeywordIndex } from "./keyword/open.ts";
export {
  type KeywordAnswer,
  type KeywordIndex,
  KeywordIndexError,
  type KeywordQuery,
  type KeywordReader,
  type ReadableQuery,
  type Survey,
  SURVEY_FACETS,
  type SurveyQuery,
  type TermField,
} from "./keyword/types.ts";
export { embedAcross } from "./translate/translate.ts";
export { createVectorIndex, type VectorIndex, type VectorSearch } from "./vector/vector-index.ts";
