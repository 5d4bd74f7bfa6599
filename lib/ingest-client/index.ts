export { type BatchLimits, byteLength, type Entry, fitItem, requestBody, roomOf, USUAL_LIMITS } from "./body.ts";
export {
  createIngestClient,
  type Deliveries,
  type Delivery,
  type DeliveryOptions,
  type IngestClient,
  type IngestClientOptions,
} from "./client.ts";
export { IngestError, type IngestErrorCode } from "./error.ts";
export type { Outcome } from "./outcome.ts";
export type { Endpoint } from "./post.ts";
export { ARTICLES, type ArticleStatus, type ReportStatus } from "./route.ts";
export { sendEntries, type SendOptions } from "./send-entries.ts";
