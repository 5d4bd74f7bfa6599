import type { OutboxEvent } from "@isnad/lib/store";

/** An event as consumers outside see it. */
export type EventPayload = {
  id: number;
  type: OutboxEvent["type"];
  occurred_at: string;
  article: OutboxEvent["article"];
};

/** The event in the form in which it is sent. */
export function payload(event: OutboxEvent): EventPayload {
  return { id: event.id, type: event.type, occurred_at: event.occurredAt, article: event.article };
}
