export { type FilterFields, type Filters, isUnfiltered, matchesFilters, withinDomain } from "./filters.ts";
export * from "./keyword/index.ts";
