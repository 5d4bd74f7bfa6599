/** A row of a table: its number as a spreadsheet shows it (the head is row 1), and its cells as texts. */
export type Row = { number: number; cells: readonly string[] };

/** A file that cannot be read as a table; the message says why. */
export class TableError extends Error {
  override name = "TableError";
}
