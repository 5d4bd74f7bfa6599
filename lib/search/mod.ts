export { EngineError, EngineSettingError } from "./engines/error.ts";
export {
  checkEngine,
  checkEngines,
  openKeyword,
  openVectorSink,
  openVectors,
  type RemoteEngine,
  setUpEngines,
} from "./engines/open.ts";
export { zoneOf } from "./calendar.ts";
export { type FilterFields, type Filters, matchesFilters } from "./filters.ts";
export {
  type Branches,
  type BranchQuery,
  type BranchResult,
  type Neighbours,
  searchBranches,
  type VectorHit,
} from "./fusion/hybrid.ts";
export { fuseHybrid, type Hybrid, rankHybrid } from "./fusion/hybrid.ts";
export { type Fused, type Ranked, reciprocalRankFusion } from "./fusion/rrf.ts";
export * from "./keyword/mod.ts";
export { embedAcross } from "./translate/translate.ts";
export {
  createVectorIndex,
  type VectorIndex,
  VectorIndexLoading,
  type VectorSearch,
} from "./vector/vector-index.ts";
