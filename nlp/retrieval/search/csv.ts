/** Matches what a spreadsheet may take for the beginning of a formula, also behind blanks. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const SPECIAL = /["\r\n,;\t]/;

/** Marks the encoding for spreadsheets. */
export const BOM = "\ufeff";

/**
 * Returns a line of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe, which
 * it shows as text; numbers stay as they are.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(cell: string | number | null): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return SPECIAL.test(text) || text !== cell ? `"${text.replaceAll('"', '""')}"` : text;
}
