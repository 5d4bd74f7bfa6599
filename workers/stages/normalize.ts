import { clampConfidence, type Taxonomy } from "@isnad/lib/service/config";
import type { Article, NormalizedRow } from "@isnad/lib/store";
import { detectLanguage, simhash } from "@isnad/lib/text";

/** What is needed of an article to normalize it. */
export const ACCEPTED_FIELDS = [
  "articleId",
  "title",
  "content",
  "lang",
  "categoryLabel",
  "provider",
  "raw",
  "categoryConfidence",
] as const;

export type AcceptedRow = Pick<Article, (typeof ACCEPTED_FIELDS)[number]>;

/** What became of it: the row to store, or the reason why the article cannot be taken. */
export type Normalized = { row: NormalizedRow } | { failed: string };

/**
 * Finds out the language where none was sent, translates the provider's label into a canonical category, and computes
 * the near-duplicate signature. A text that is neither Arabic nor English fails with `unsupported-language`.
 */
export function normalize(article: AcceptedRow, taxonomy: Taxonomy): Normalized {
  const { articleId, title, content } = article;
  const lang = article.lang ?? detectLanguage(`${title}\n${content}`).lang;
  if (lang === "other") return { failed: "unsupported-language" };
  return {
    row: {
      articleId,
      lang,
      simhash: simhash(`${title}\n${content}`),
      taxonomyVersion: taxonomy.version,
      ...categoryOf(article, taxonomy),
    },
  };
}

function categoryOf({ categoryLabel, provider, raw, categoryConfidence }: AcceptedRow, taxonomy: Taxonomy) {
  if (categoryLabel === null) return {};
  const named = provider ?? (typeof raw?.provider === "string" ? raw.provider : "");
  const mapped = taxonomy.mapLabel(named, categoryLabel);
  if (mapped === null) return {};
  return {
    categoryId: mapped.categoryId,
    categorySource: "provider",
    categoryConfidence: clampConfidence(categoryConfidence ?? mapped.confidence),
  };
}
