/**
 * Why articles could not be handed over: `unauthorized` (401, 403), `refused` (the API takes no such request: 404, 405,
 * 415), `bad-request` (400, 422: the body is at fault), `bad-answer` (not of the contract), `unreachable` (network,
 * 429, 5xx, for longer than the patience lasts).
 */
export type IngestErrorCode = "unauthorized" | "refused" | "bad-request" | "bad-answer" | "unreachable";

/** Articles could not be handed over; the message says why in one line. */
export class IngestError extends Error {
  override name = "IngestError";
  readonly code: IngestErrorCode;
  /** How long the API asks to be left alone, in milliseconds; 0 when it does not. */
  readonly retryAfterMs: number;
  constructor(code: IngestErrorCode, message: string, { retryAfterMs = 0 } = {}) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
