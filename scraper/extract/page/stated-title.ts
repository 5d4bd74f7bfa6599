import type { HtmlDocument } from "./dom.ts";
import { oneLine } from "./words.ts";

/** The title that a page gives itself: `og:title`, else `<title>`. */
export function statedTitle(document: HtmlDocument): string {
  const property = document.querySelector('meta[property="og:title"]')?.getAttribute("content");
  return oneLine(property) || oneLine(document.querySelector("title")?.textContent);
}
