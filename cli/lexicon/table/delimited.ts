import { type Row, TableError } from "./table.ts";

/**
 * The rows of comma- or tab-separated text (RFC 4180: quoted cells may hold the separator, line breaks and doubled
 * quotes). Empty rows are left out but numbered. Throws TableError for a quote that is never closed.
 */
export function* readDelimited(text: string, separator: "," | "\t" | ";"): Generator<Row> {
  let cells: string[] = [];
  let number = 1;
  let at = 0;
  const row = (): Row | undefined => (cells.every((cell) => cell.trim() === "") ? undefined : { number, cells });
  while (at < text.length) {
    const [quote, from] = text[at] === '"' ? quoted(text, at, number) : ["", at];
    const [rest, end] = plain(text, from, separator);
    cells.push(quote + rest);
    at = end;
    if (text[at] === separator) {
      at++;
      if (at < text.length) continue;
      cells.push("");
    }
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    const complete = row();
    if (complete !== undefined) yield complete;
    cells = [];
    number++;
  }
}

/** The separator that a head of columns uses most. */
export function separatorOf(text: string): "," | "\t" | ";" {
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const count = (sign: string): number => head.split(sign).length;
  if (count("\t") > count(",") && count("\t") >= count(";")) return "\t";
  return count(";") > count(",") ? ";" : ",";
}

function plain(text: string, from: number, separator: string): [cell: string, end: number] {
  let at = from;
  for (; at < text.length; at++) {
    const sign = text[at];
    if (sign === separator || sign === "\n" || sign === "\r") break;
  }
  return [text.slice(from, at), at];
}

/** What stands in quotation marks. */
function quoted(text: string, from: number, number: number): [cell: string, end: number] {
  let cell = "";
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new TableError(`row ${number}: a quotation mark is never closed`);
    cell += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') return [cell, at];
    cell += '"';
    at++;
  }
}
