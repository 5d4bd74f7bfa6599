import type { Taxonomy } from "@isnad/lib/service/config";
import { mapInSlices } from "@isnad/lib/std";
import type { NormalizedRow, Store } from "@isnad/lib/store";
import type { Stage, StageFailure } from "@isnad/lib/work";
import type { ArticleTexts } from "../texts.ts";
import { isAway } from "./faults.ts";
import { ACCEPTED_FIELDS, normalize } from "./normalize.ts";
import { Times } from "./times.ts";

/** What the stage needs. */
export type IngestionDeps = {
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
