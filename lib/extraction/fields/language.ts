import { detectLanguage } from "../../text/mod.ts";
import type { HtmlDocument } from "../page/dom.ts";
import type { LinkedData } from "../page/jsonld.ts";
import { firstMeta, type MetaTags } from "../page/meta.ts";

const SURE = 0.6;

/**
 * The language of an article as a two-letter code: Arabic or English by its text where that is clear, since many sites
 * declare the language of their theme; else as declared. Null when neither tells.
 */
export function findLanguage(
  document: HtmlDocument,
  linked: LinkedData | null,
  meta: MetaTags,
  text: string,
): string | null {
  const seen = detectLanguage(text);
  if (seen.lang !== "other" && seen.confidence >= SURE) return seen.lang;
  const declared = [
    document.documentElement?.getAttribute("lang"),
    firstMeta(meta, ["og:locale", "content-language", "language", "dc.language", "inlanguage"]),
    linked?.language,
  ];
  for (const value of declared) {
    const code = /^\s*([a-z]{2})(?:[-_]|\s*$)/i.exec(value ?? "")?.[1]?.toLowerCase();
    if (code !== undefined) return code;
  }
  return seen.lang !== "other" && seen.confidence > 0 ? seen.lang : null;
}
