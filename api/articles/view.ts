import type { ArticleView } from "@isnad/lib/contract";
import type { ArticleDetail } from "@isnad/lib/store";

/** Shows an article, with its `raw` when `withRaw`. */
export function viewOf(article: ArticleDetail, { withRaw }: { withRaw: boolean }): ArticleView {
  return {
    article_id: article.articleId,
    doc_id: article.docId,
    source_id: article.sourceId,
    external_id: article.externalId,
    url: article.url,
    canonical_url: article.canonicalUrl,
    title: article.title,
    content: article.content,
    summary: article.state === "indexed" ? article.summary : null,
    lang: article.lang,
    published_at: article.publishedAt,
    authors: article.authors,
    images: article.images,
    category_label: article.categoryLabel,
    provider: article.provider,
    category_id: article.categoryId,
    category_source: article.categorySource,
    category_confidence: article.categoryConfidence,
    taxonomy_version: article.taxonomyVersion,
    content_hash: article.contentHash,
    state: article.state,
    state_reason: article.stateReason,
    gone_at: article.goneAt,
    entities: article.entities.map(({ entityId, name, type, mentions, confidence, spans }) => ({
      entity_id: entityId,
      name,
      type,
      mentions,
      confidence,
      offsets: offsetsOf(spans),
    })),
    relations: article.relations.map(({ type, args, confidence, start, end, meta }) => ({
      type,
      args,
      confidence,
      offsets: { start, end },
      meta,
    })),
    near_duplicates: article.nearDuplicates.map(({ articleId, distance }) => ({ article_id: articleId, distance })),
    stages: article.stages.map(({ stage: name, state, attempts, reason }) => ({ name, state, attempts, reason })),
    ...(withRaw && { raw: article.raw }),
  };
}

function offsetsOf(spans: readonly number[]): { start: number; end: number }[] {
  return spans.flatMap((start, i) => (i % 2 === 0 ? [{ start, end: spans[i + 1] ?? start }] : []));
}
