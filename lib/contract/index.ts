export { hasLength, nameField, textField, timeParam, wholeParam } from "./fields.ts";
export { type ItemError, type ItemSlug, itemError } from "./item-error.ts";
export { IngestItem } from "./item-schema.ts";
export { LIMITS } from "./limits.ts";
export {
  SEARCH_DEPTH,
  SEARCH_MODES,
  SearchBody,
  type SearchMode,
  SearchParams,
  SearchResult,
} from "./search-v1.ts";
