/**
 * Returns a page of a list and the cursor of the next one, null behind the last. `rows` are up to one more than
 * `limit`: that one says that there is more.
 */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (last: T) => string,
): { page: T[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, next_cursor: last === undefined ? null : cursorOf(last) };
}
