import { errorMessage, scrub } from "../../std/mod.ts";

/** One line that tells an operator what is wrong and what to do about it. */
export function explainFailure(error: unknown): string {
  // What failed first counts; what failed while cleaning up after it does not.
  if (error instanceof SuppressedError) return explainFailure(error.suppressed);
  for (let at = error; at instanceof Error; at = at.cause) {
    const failure = knownFailure(at);
    if (failure !== undefined) return failure;
  }
  return scrub(errorMessage(error)).replace(/\s+/g, " ").trim();
}

/** SQLite's result codes for a database that cannot be written and for a full disk. */
const SQLITE = { readonly: 8, full: 13 };

/** PostgreSQL's SQLSTATE for a full disk. */
const DISK_FULL = "53100";

function knownFailure(error: Error): string | undefined {
  const code = "code" in error ? error.code : undefined;
  const errcode = "errcode" in error ? error.errcode : undefined;
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  if (code === "ENOSPC" || code === "EDQUOT" || code === DISK_FULL || errcode === SQLITE.full) {
    return `the disk is full${path === undefined ? "" : ` (${path})`}: free space and start again`;
  }
  const unwritable = code === "EROFS" || code === "EACCES" || code === "EPERM";
  if ((unwritable && path !== undefined) || errcode === SQLITE.readonly) {
    return `${path ?? "the data folder"} cannot be written: check DATA_DIR and its permissions`;
  }
  return undefined;
}
