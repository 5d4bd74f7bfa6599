export { ReaderError, type ReaderErrorCode } from "./error.ts";
export { ReaderPool } from "./pool.ts";
