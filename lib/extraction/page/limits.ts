/** The largest page that is read, in UTF-16 units. */
export const MAX_PAGE = 8_000_000;
