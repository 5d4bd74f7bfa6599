import type { ExtractErrorCode } from "../extract/item.ts";

/** Why something could not be read. */
export type ReaderErrorCode =
  | ExtractErrorCode
  | "not-a-feed"
  | "not-a-sitemap"
  | "too-slow"
  | "worker-failed"
  | "closed";

/** A page, feed or sitemap could not be read. */
export class ReaderError extends Error {
  override name = "ReaderError";
  readonly code: ReaderErrorCode;
  constructor(code: ReaderErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
