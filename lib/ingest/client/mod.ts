export { type BatchLimits, byteLength, type Entry, fitItem, requestBody, roomOf } from "./body.ts";
export {
  createIngestClient,
  type Deliveries,
  type Delivery,
  type DeliveryOptions,
  type IngestClient,
} from "./client.ts";
export { IngestError } from "./error.ts";
export type { Outcome } from "./outcome.ts";
export type { Endpoint } from "./post.ts";
export { ARTICLES, type ReportStatus } from "./route.ts";
export { sendEntries, type SendOptions } from "./send-entries.ts";
