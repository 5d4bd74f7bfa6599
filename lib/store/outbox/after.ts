import type { Sql } from "../client.ts";
import type { OutboxEvent } from "./types.ts";

/** What happened to an article, without the article. */
export type ArticleChange = Pick<OutboxEvent, "id" | "type" | "articleId">;

/**
 * Up to `limit` events with a number above `position`, in their order: for one who follows by himself what happens, and
 * is no consumer. Events that every consumer has taken are kept for a week.
 */
export async function eventsAfter(sql: Sql, position: number, limit: number): Promise<ArticleChange[]> {
  return await sql<ArticleChange[]>`
    select event_id as id, type, article_id as "articleId" from outbox
    where event_id > ${position} order by event_id limit ${limit}`;
}
