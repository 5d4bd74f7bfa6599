export { extractPage } from "./extract.ts";
export {
  ExtractError,
  type ExtractedPage,
  type PageInput,
  type PageKind,
  type PageSelectors,
  type MatchedSelectors,
} from "./item.ts";
export { sameSite } from "./page/addresses.ts";
