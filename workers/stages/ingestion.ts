import { clampConfidence, type Taxonomy } from "@isnad/lib/service/config";
import { mapInSlices } from "@isnad/lib/std";
import type { Article, NormalizedRow, Store } from "@isnad/lib/store";
import { detectLanguage } from "@isnad/lib/text";
import type { Stage, StageFailure } from "@isnad/lib/work";
import { type ArticleTexts, isAway, Times } from "./run.ts";

/** Holds what is needed of an article to normalize it. */
const ACCEPTED_FIELDS = [
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

/** Holds what became of it: the row to store, or the reason why the article cannot be taken. */
type Normalized = { row: NormalizedRow } | { failed: string };

/**
 * Finds out the language where none was sent, and translates the provider's label into a canonical category. A text
 * that is neither Arabic nor English fails with `unsupported-language`.
 */
export function normalize(article: AcceptedRow, taxonomy: Taxonomy): Normalized {
  const { articleId, title, content } = article;
  const lang = article.lang ?? detectLanguage(`${title}\n${content}`).lang;
  if (lang === "other") return { failed: "unsupported-language" };
  return {
    row: {
      articleId,
      lang,
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

type IngestionDeps = {
  store: Pick<Store, "articles">;
  taxonomy: Taxonomy;
  texts: Pick<ArticleTexts, "keep">;
  concurrency?: number;
};

/**
 * Makes the stage `ingestion`: takes articles that are still `accepted` to `normalized`, or to `failed` when their
 * language is not supported.
 */
export function ingestion({ store, taxonomy, texts, concurrency = 1 }: IngestionDeps): Stage {
  return {
    name: "ingestion",
    batch: 100,
    leaseS: 20,
    concurrency,
    isAway,
    async run(items, { step }) {
      const times = new Times();
      const ids = items.map(({ articleId }) => articleId);
      const articles = await times.of("load", () => store.articles.inState(ids, "accepted", ACCEPTED_FIELDS));
      texts.keep(articles);
      const rows: NormalizedRow[] = [];
      const refused: { articleId: number; reason: string }[] = [];
      const failures: StageFailure[] = [];
      await times.of("normalize", () =>
        mapInSlices(articles, (article) => {
          const { articleId } = article;
          try {
            const result = normalize(article, taxonomy);
            if ("row" in result) rows.push(result.row);
            else refused.push({ articleId, reason: result.failed });
          } catch (error) {
            failures.push({ articleId, error });
          }
        }),
      );
      const normalized = await times.of("store", () => store.articles.markNormalized(rows, step));
      for (const { articleId, reason } of refused) await store.articles.markFailed(articleId, reason, step);
      const counts = { taken: articles.length, normalized: normalized.length, refused: refused.length };
      return { counts: { ...counts, ...times.all() }, failures };
    },
  };
}
