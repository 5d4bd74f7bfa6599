import type { PageInput } from "../../extract/index.ts";
import type { CrawlProfile } from "../types.ts";

/** What a profile knows of its source's pages, for the extractor. */
export function pageHints({ article = {}, timezone }: CrawlProfile): Pick<PageInput, "selectors" | "zone"> {
  const selectors = Object.fromEntries(Object.entries(article).filter(([, value]) => value !== undefined));
  return { selectors, ...(timezone !== undefined && { zone: timezone }) };
}
