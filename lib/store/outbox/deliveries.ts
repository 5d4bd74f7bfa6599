import type { LeaseTable } from "../lease.ts";

/** The events that a consumer has taken out of the outbox and not acknowledged. */
export const DELIVERIES: LeaseTable = {
  name: "outbox_deliveries",
  key: ["consumer", "article_id", "event_id"],
  open: "true",
};
