/**
 * The rows of a table whose cells are apart by tabs. A cell that begins with a quotation mark ends at the next single
 * one, may hold tabs and line feeds, and has its marks doubled (RFC 4180); in a table without `quoted` marks are
 * letters.
 */
export function tsvRows(text: string, { quoted }: { quoted: boolean }): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { cell, end } = quoted && text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    row.push(cell);
    at = end;
    if (text[at] === "\t") {
      at++;
      if (at < text.length) continue;
      row.push("");
    }
    if (text[at] === "\r") at++;
    at++;
    if (row.some((found) => found !== "")) rows.push(row);
    row = [];
  }
  return rows;
}

function plainCell(text: string, from: number): { cell: string; end: number } {
  const length = text.slice(from).search(/[\t\n]|\r\n/);
  const end = length < 0 ? text.length : from + length;
  return { cell: text.slice(from, end), end };
}

function quotedCell(text: string, from: number): { cell: string; end: number } {
  let cell = "";
  let at = from + 1;
  for (;;) {
    const mark = text.indexOf('"', at);
    if (mark < 0) return plainCell(text, from); // no cell at all: a text that begins with a mark
    cell += text.slice(at, mark);
    if (text[mark + 1] !== '"') {
      const rest = plainCell(text, mark + 1);
      return { cell: cell + rest.cell, end: rest.end };
    }
    cell += '"';
    at = mark + 2;
  }
}
