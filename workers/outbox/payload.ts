import type { ArticleEvent } from "@isnad/lib/contract";
import type { OutboxEvent } from "@isnad/lib/store";

/** The event in the form in which it is sent. */
export function payload(event: OutboxEvent): ArticleEvent {
  const { id, type, occurredAt, article, revision } = event;
  return { id, type, occurred_at: occurredAt, article, ...(revision !== null && { revision }) };
}
