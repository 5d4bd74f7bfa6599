export { type BatchLimits, byteLength, type Entry, fitItem, requestBody, roomOf } from "./post.ts";
export {
  createIngestClient,
  type Deliveries,
  type Delivery,
  type DeliveryOptions,
  type IngestClient,
  sendEntries,
  type SendOptions,
} from "./client.ts";
export { ARTICLES, type Endpoint, IngestError, type Outcome, type ReportStatus } from "./post.ts";
