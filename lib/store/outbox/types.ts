import type { Json } from "../json.ts";

/** An event as consumers get it. `id` grows in the order in which the changes were committed. */
export type OutboxEvent = {
  id: number;
  type: "article.upserted" | "article.deleted";
  /** ISO 8601 in UTC. */
  occurredAt: string;
  articleId: number;
  article: { [key: string]: Json };
  /** How often it was handed out before. */
  attempts: number;
};
