import type { Json, OutboxEvent } from "@isnad/lib/store";

/** An event as consumers outside see it. */
export type EventPayload = {
  id: number;
  type: OutboxEvent["type"];
  occurred_at: string;
  article: OutboxEvent["article"];
  /** With `article.revised`. */
  revision?: { [key: string]: Json };
};

/** The event in the form in which it is sent. */
export function payload(event: OutboxEvent): EventPayload {
  const { id, type, occurredAt, article, revision } = event;
  return { id, type, occurred_at: occurredAt, article, ...(revision !== null && { revision }) };
}
