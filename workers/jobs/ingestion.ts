import type { Taxonomy } from "@isnad/lib/service/config";
import type { QueueJob, Queues } from "@isnad/lib/work/queue";
import type { NormalizedRow, Store } from "@isnad/lib/store";
import { mapInSlices } from "@isnad/lib/std";
import type { Broken } from "@isnad/lib/search/sync";
import type { ArticleTexts } from "../texts.ts";
import { ACCEPTED_FIELDS, normalize } from "./normalize.ts";
import { type Outcome, Stages } from "./outcome.ts";

/** What the job needs. */
export type IngestionDeps = {
  store: Pick<Store, "articles">;
  queues: Pick<Queues, "add">;
  taxonomy: Taxonomy;
  texts: Pick<ArticleTexts, "keep">;
};

/**
 * The `ingestion` job: takes those of its articles that are still `accepted` to `normalized`, or to `failed` when their
 * language is not supported, and queues their analysis. Doing it again changes nothing.
 */
export async function ingest(job: Pick<QueueJob, "id" | "data">, deps: IngestionDeps): Promise<Outcome> {
  const { store, queues, taxonomy, texts } = deps;
  const stages = new Stages();
  const articles = await stages.time("load", () =>
    store.articles.inState(job.data.articleIds, "accepted", ACCEPTED_FIELDS),
  );
  texts.keep(articles);
  const rows: NormalizedRow[] = [];
  const refused: { articleId: number; reason: string }[] = [];
  const broken: Broken[] = [];
  await stages.time("normalize", () =>
    mapInSlices(articles, (article) => {
      const { articleId } = article;
      try {
        const result = normalize(article, taxonomy);
        if ("row" in result) rows.push(result.row);
        else refused.push({ articleId, reason: result.failed });
      } catch (error) {
        broken.push({ articleId, error });
      }
    }),
  );
  const normalized = await stages.time("store", () => store.articles.markNormalized(rows));
  for (const { articleId, reason } of refused) await store.articles.markFailed(articleId, reason);
  if (normalized.length > 0) {
    await stages.time("queue", () => queues.add("analysis", [{ id: job.id, data: { articleIds: normalized } }]));
  }
  const counts = { taken: articles.length, normalized: normalized.length, refused: refused.length };
  return { counts: { ...counts, ...stages.times() }, broken };
}
