/** A row of a table: its number as a spreadsheet shows it (the head is row 1), and its cells as texts. */
export type Row = { number: number; cells: readonly string[] };

/** A file that cannot be read as a table; the message says why. */
export class TableError extends Error {
  override name = "TableError";
}

/** UTF-16 code units of one row; a longer one ends the reading rather than the memory. */
const MAX_ROW = 16 * 1024 * 1024;

/** Holds what parts the cells of a row. */
type Separator = "," | "\t" | ";";

/**
 * Reads comma- or tab-separated text (RFC 4180: quoted cells may hold the separator, line breaks and doubled quotes),
 * piece by piece. Empty rows are left out but numbered.
 */
export class DelimitedReader {
  readonly #separator: Separator;
  #rest = "";
  #number = 0;

  constructor(separator: Separator) {
    this.#separator = separator;
  }

  /**
   * Returns the rows that are whole with this piece; with the last one, all that are left. Throws TableError for a
   * quote that is never closed, and for a row of more than 16 million characters.
   */
  read(piece: string, { isLast = false } = {}): Row[] {
    const text = this.#rest + piece;
    const rows: Row[] = [];
    let start = 0;
    while (start < text.length) {
      const row = rowAt(text, start, this.#separator, { isLast, number: this.#number + 1 });
      if (row === undefined) break;
      this.#number++;
      start = row.end;
      if (row.cells.some((cell) => cell.trim() !== "")) rows.push({ number: this.#number, cells: row.cells });
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_ROW)
      throw new TableError(`row ${this.#number + 1} is longer than ${MAX_ROW} characters`);
    return rows;
  }
}

/** Returns the separator that a head of columns uses most. */
export function separatorOf(text: string): Separator {
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const count = (sign: string): number => head.split(sign).length;
  if (count("\t") > count(",") && count("\t") >= count(";")) return "\t";
  return count(";") > count(",") ? ";" : ",";
}

/** Returns the row that begins at an offset, undefined when its end has not come yet. */
function rowAt(
  text: string,
  start: number,
  separator: Separator,
  { isLast, number }: { isLast: boolean; number: number },
): { cells: string[]; end: number } | undefined {
  const cells: string[] = [];
  let at = start;
  for (;;) {
    const quotation = text[at] === '"' ? quoted(text, at) : { cell: "", end: at };
    if (quotation === undefined) {
      if (isLast) throw new TableError(`row ${number}: a quotation mark is never closed`);
      return undefined;
    }
    const [rest, end] = plain(text, quotation.end, separator);
    cells.push(quotation.cell + rest);
    at = end;
    // What follows a piece's end may belong to the cell: a doubled quote, the second half of a line break.
    if (!isLast && (at >= text.length || (text[at] === "\r" && at + 1 >= text.length))) return undefined;
    if (text[at] !== separator) break;
    at++;
  }
  if (text[at] === "\r") at++;
  if (text[at] === "\n") at++;
  return { cells, end: at };
}

function plain(text: string, from: number, separator: Separator): [cell: string, end: number] {
  let at = from;
  for (; at < text.length; at++) {
    const sign = text[at];
    if (sign === separator || sign === "\n" || sign === "\r") break;
  }
  return [text.slice(from, at), at];
}

/** Returns what stands in quotation marks, undefined when they are not closed. */
function quoted(text: string, from: number): { cell: string; end: number } | undefined {
  let cell = "";
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return undefined;
    cell += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') return { cell, end: at };
    cell += '"';
    at++;
  }
}
