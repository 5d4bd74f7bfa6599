import { trimEnd } from "@isnad/lib/std";
import { sameSite } from "../../../lib/extraction/mod.ts";

const PAGE_PARAMETER = /^(?:page|p|pg|paged|pageno|pagenum|page_no)$/i;

/**
 * Whether an address is the page of that number of an article, as its address alone shows: `/news/1` goes on at
 * `/news/1/2`, `/news/1/page/2`, `/news/1-2.html` or `/news/1?page=2`.
 */
export function isPageOf(first: string, address: string, number: number): boolean {
  const [from, to] = [URL.parse(first), URL.parse(address)];
  if (from === null || to === null || !sameSite(first, address)) return false;
  if (stemOf(from.pathname) === stemOf(to.pathname)) {
    const added = [...to.searchParams].filter(([name, value]) => from.searchParams.get(name) !== value);
    const [[name = "", value = ""] = []] = added;
    const isNew = added.length === 1 && !from.searchParams.has(name);
    return isNew && PAGE_PARAMETER.test(name) && value === String(number);
  }
  if (to.search !== from.search || !stemOf(to.pathname).startsWith(stemOf(from.pathname))) return false;
  const suffix = stemOf(to.pathname).slice(stemOf(from.pathname).length).toLowerCase();
  // A name that ends in -2 without a file's ending is rather that of another article with the same title.
  const forms = ENDING.test(to.pathname) ? ["/", "/page/", "-", "_"] : ["/", "/page/", "/page-"];
  return forms.some((form) => suffix === form + number);
}

const ENDING = /\.(?:html?|php|aspx?)$/i;

/** A path without what may end it. */
function stemOf(path: string): string {
  return trimEnd(path, /\//).replace(ENDING, "");
}
