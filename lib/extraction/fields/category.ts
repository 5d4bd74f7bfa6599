import type { LinkedData } from "../page/jsonld.ts";
import { firstMeta, type MetaTags } from "../page/meta.ts";
import { oneLine } from "../page/words.ts";

const META = [
  "article:section",
  "og:article:section",
  "section",
  "category",
  "parsely-section",
  "cxenseparse:section",
  "sailthru.section",
];

/** The publisher's own name for the section that an article is in, empty for none. */
export function findCategory(linked: LinkedData | null, meta: MetaTags): string {
  return oneLine(firstMeta(meta, META) || linked?.section);
}
