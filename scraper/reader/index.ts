export { ReaderError, type ReaderErrorCode } from "./error.ts";
export { ReaderPool, type ReaderPoolOptions } from "./pool.ts";
export type { FeedInput, SitemapInput } from "./start.ts";
