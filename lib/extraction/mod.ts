export { extractPage } from "./extract.ts";
export {
  ExtractError,
  type ExtractErrorCode,
  type ExtractedPage,
  type PageInput,
  type PageKind,
  type PageSelectors,
  type MatchedSelectors,
} from "./item.ts";
export { MAX_PAGE } from "./page/dom.ts";
export { sameSite } from "./page/addresses.ts";
