import { URL } from "node:url";
import {
  type ErrorDecoders,
  openThreads,
  type ThreadErrorCode,
  type Threads,
  type ThreadsLogger,
  type ThreadsState,
} from "../../service/threads/mod.ts";
import type { Feed } from "../../web/feeds/mod.ts";
import type { InspectInput, ListPage, ListPageInput, PageInspection } from "../discovery/inspect-page.ts";
import type { Sitemap } from "../discovery/sitemap.ts";
import type { ExtractedPage, ExtractErrorCode, PageInput } from "../item.ts";
import type { FeedInput, SitemapInput, start } from "./worker.ts";

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
const THREAD_ERRORS: ErrorDecoders = {
  ExtractError: named,
  FeedError: named,
  SitemapError: named,
  ThreadError: (message, { code }: { code: ThreadErrorCode }, cause) =>
    new ReaderError(CODE_OF_THREAD[code], message, { cause }),
  Error: (message, _, cause) => new ReaderError("worker-failed", message, { cause }),
};

interface ReaderPoolOptions {
  /** Worker threads. Default 1. */
  readonly workers?: number;
  /**
   * Says how long one page may take, in milliseconds of processor time, from when a worker takes it up. Default 1,200.
   */
  readonly deadlineMs?: number;
  readonly logger?: ThreadsLogger | undefined;
}

/**
 * Reads pages, feeds and sitemaps in worker threads, so that nothing from outside holds up the service: what takes
 * longer than the deadline is abandoned with its thread. Threads start with the first task and do not keep the process
 * alive. Every method throws ReaderError.
 */
export class ReaderPool {
  readonly #threads: Threads<typeof start>;

  constructor({ workers = 1, deadlineMs = 1200, logger }: ReaderPoolOptions = {}) {
    this.#threads = openThreads<typeof start>({
      name: "parser",
      url: new URL("./worker.ts", import.meta.url),
      size: workers,
      deadline: { cpuMs: deadlineMs },
      errors: THREAD_ERRORS,
      logger,
    });
  }

  /**
   * Extracts the article of a page. Errors: `too-large`, `bad-selector`, and those of every task: `too-slow`,
   * `worker-failed`, `closed`.
   */
  extract(input: PageInput): Promise<ExtractedPage> {
    return this.#threads.call("extract", input);
  }

  /** Reads a list page: its links, and the address of its next page. Errors: `too-large`, `bad-selector`. */
  list(input: ListPageInput): Promise<ListPage> {
    return this.#threads.call("list", input);
  }

  /** Looks into a page, for who writes a profile. Errors: `too-large`, `bad-selector`. */
  inspect(input: InspectInput): Promise<PageInspection> {
    return this.#threads.call("inspect", input);
  }

  /** Reads a feed. Errors: `not-a-feed`, `too-large`. */
  feed(input: FeedInput): Promise<Feed> {
    return this.#threads.call("feed", input);
  }

  /** Reads a sitemap file. Errors: `not-a-sitemap`, `too-large`. */
  sitemap(input: SitemapInput): Promise<Sitemap> {
    return this.#threads.call("sitemap", input);
  }

  /** Tells how the threads stand. */
  threads(): ThreadsState {
    return this.#threads.state();
  }

  /** Ends the threads; tasks still waiting or under way fail with `closed`. */
  close(): Promise<void> {
    return this.#threads.terminate();
  }
}
