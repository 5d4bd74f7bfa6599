import { isUnavailable } from "@isnad/lib/store";

/** Codes of a disk that is full, read-only or failing. */
const DISK: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);

/** Returns whether an error says that what every article needs is away, so that no article is to blame. */
export function isAway(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  return error instanceof Error && "code" in error && DISK.has(error.code);
}
