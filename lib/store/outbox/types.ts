import type { ArticleEvent, EventArticle, EventRevision } from "../../contract/mod.ts";

/** An event as consumers get it. `id` grows in the order in which the changes were committed. */
export type OutboxEvent = {
  id: number;
  type: ArticleEvent["type"];
  /** ISO 8601 in UTC. */
  occurredAt: string;
  articleId: number;
  article: EventArticle;
  /** With `article.revised`: what the source says now. */
  revision: EventRevision | null;
  /** How often the event was claimed before. */
  attempts: number;
};
