import { errorMessage } from "../../std/mod.ts";
import type { Logger } from "./logger.ts";
import { isUnavailable } from "./unavailable.ts";

/** Logs that something failed: in one line where the database is away, which passes, else with the error's stack. */
export function logFailure(logger: Logger, error: unknown, fields: Record<string, unknown>, message: string): void {
  if (isUnavailable(error)) logger.warn({ ...fields, reason: errorMessage(error) }, "database cannot be reached");
  else logger.error({ ...fields, err: error }, message);
}
