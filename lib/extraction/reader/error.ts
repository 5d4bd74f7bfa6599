import type { ErrorDecoders, ThreadErrorCode } from "../../service/threads/mod.ts";
import type { ExtractErrorCode } from "../item.ts";

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

const CODE_OF_THREAD: Readonly<Record<ThreadErrorCode, ReaderErrorCode>> = {
  "start-failed": "worker-failed",
  ended: "worker-failed",
  "too-slow": "too-slow",
  closed: "closed",
};

const named = (message: string, { code }: { code: ReaderErrorCode }, cause: unknown): ReaderError =>
  new ReaderError(code, message, { cause });

/** Every error of a parser thread as a ReaderError. */
export const THREAD_ERRORS: ErrorDecoders = {
  ExtractError: named,
  FeedError: named,
  SitemapError: named,
  ThreadError: (message, { code }: { code: ThreadErrorCode }, cause) =>
    new ReaderError(CODE_OF_THREAD[code], message, { cause }),
  Error: (message, _, cause) => new ReaderError("worker-failed", message, { cause }),
};
