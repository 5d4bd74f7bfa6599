import { randomUUID } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The `request_id` of a summary is a UUID: the request's own id when it is one, else a new one. */
export function summaryId(requestId: string): string {
  return UUID.test(requestId) ? requestId : randomUUID();
}
