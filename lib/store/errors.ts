import { codeOf } from "../service/process/failure.ts";

export { codeOf, isConnectionLost, isUnavailable } from "../service/process/failure.ts";

/** Why the embedded Postgres could not be brought up; `message` is one line made for the operator. */
export class PostgresStartError extends Error {
  override readonly name = "PostgresStartError";
  /**
   * `ENOSPC` full disk, `EROFS` or `EACCES` folder not writable, `EDAMAGED` broken cluster, `EUNSUPPORTED`, `EFAILED`.
   */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Whether no connection was made at all: nothing has been done. */
export function isConnectionRefused(error: unknown): boolean {
  return ["ECONNREFUSED", "CONNECT_TIMEOUT", "57P03", "53300"].includes(codeOf(error));
}

/** Whether Postgres chose this transaction as the victim of a deadlock or of a serialization failure: run it again. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40P01" || code === "40001";
}
