import type { Json } from "../json.ts";

/** An event as consumers get it. `id` grows in the order in which the changes were committed. */
export type OutboxEvent = {
  id: number;
  type: "article.upserted" | "article.deleted" | "article.revised";
  /** ISO 8601 in UTC. */
  occurredAt: string;
  articleId: number;
  article: { [key: string]: Json };
  /** With `article.revised`: what the source says now; the text itself is among the article's revisions. */
  revision: { [key: string]: Json } | null;
  /** How often it was handed out before. */
  attempts: number;
};
