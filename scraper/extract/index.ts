export { extractPage, MAX_PAGE } from "./extract.ts";
export {
  ExtractError,
  type ExtractErrorCode,
  type ExtractedPage,
  type PageInput,
  type PageKind,
  type PageSelectors,
} from "./item.ts";
export { ExtractPool, type ExtractPoolOptions } from "./pool.ts";
