import { isUuid } from "./uuid.ts";

/** A cursor that no list has given out. */
export class InvalidCursorError extends Error {
  override readonly name = "InvalidCursorError";

  constructor() {
    super("the cursor is not one that a list has given out");
  }
}

/** The cursor behind which a page begins: the uuid of the last row of the page before. Throws InvalidCursorError. */
export function readCursor(cursor: string): string {
  if (!isUuid(cursor)) throw new InvalidCursorError();
  return cursor.toLowerCase();
}

/** One page out of `limit + 1` rows: the rows, and the cursor of the next page when there is one. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  idOf: (row: T) => string,
): { page: T[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last !== undefined ? idOf(last) : null };
}
