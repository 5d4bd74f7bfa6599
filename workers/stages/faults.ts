import { KeywordIndexError } from "@isnad/lib/search";
import { isUnavailable } from "@isnad/lib/store";

/** Codes of a disk that is full, read-only or failing. */
const DISK: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);

/** The same in SQLite's words, and a lock that somebody else holds for long. */
const DISK_WORDS = /is full|readonly|disk I\/O|is locked|unable to open/i;

/** Returns whether an error says that what every article needs is away, so that no article is to blame. */
export function isAway(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  if (error instanceof KeywordIndexError) return error.reason !== "unavailable" || DISK_WORDS.test(error.message);
  return error instanceof Error && "code" in error && DISK.has(error.code);
}

/** Returns whether the keyword index has to be opened again, which makes it anew. */
export function isIndexLost(error: unknown): boolean {
  return error instanceof KeywordIndexError && !["unavailable", "away", "closed"].includes(error.reason);
}
