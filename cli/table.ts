import { readFile, stat } from "node:fs/promises";
import { Unzip, type UnzipFile, UnzipInflate } from "fflate";
import { Parser } from "htmlparser2";

/** Holds what a sheet of the format holds at most. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** UTF-16 code units of all texts, and of the files that name the sheets. */
const MAX_TEXT = 64_000_000;
const MAX_NAMES = 1_000_000;
/** Bytes that are inflated at a time: a thousand times as many may come of them. */
const PIECE = 2 * 1024;

/**
 * Returns the rows of the first sheet of a workbook (Office Open XML). Numbers are given as JavaScript writes them,
 * errors as the sheet shows them (`#N/A`), empty rows are left out. The parts are inflated piece by piece and never
 * held as a whole. Throws TableError for a file of another form, and for one with more rows than the format allows
 * (1,048,576) or more than 64 million characters of text.
 */
export function readXlsx(bytes: Uint8Array, { maxRows = MAX_ROWS } = {}): Row[] {
  const names = new Map<string, string>();
  let strings: readonly string[] = [];
  eachPart(bytes, (name) => {
    if (name === "xl/sharedStrings.xml") {
      const reader = new StringsReader();
      strings = reader.strings;
      return reader.visitor;
    }
    if (name !== "xl/workbook.xml" && name !== "xl/_rels/workbook.xml.rels") return undefined;
    return (piece) => {
      const text = (names.get(name) ?? "") + piece;
      if (text.length > MAX_NAMES) throw new TableError(`${name} is longer than ${MAX_NAMES} characters`);
      names.set(name, text);
    };
  });
  const part = (name: string): string => {
    const content = names.get(name);
    if (content === undefined) throw new TableError(`is no workbook: it has no ${name}`);
    return content;
  };
  const sheet = firstSheet(part("xl/workbook.xml"), part("xl/_rels/workbook.xml.rels"));
  let rows: Row[] | undefined;
  eachPart(bytes, (name) => {
    if (name !== sheet) return undefined;
    const reader = new RowsReader(strings, maxRows);
    ({ rows } = reader);
    return reader.visitor;
  });
  if (rows === undefined) throw new TableError(`is no workbook: it has no ${sheet}`);
  return rows;
}

/** Holds what takes the pieces of a part: text as it is, or an XML document's elements. */
type Taker = ((piece: string) => void) | Visitor;

/** Inflates the parts that `take` wants, in the order of the file. */
function eachPart(bytes: Uint8Array, take: (name: string) => Taker | undefined): void {
  let parts = 0;
  let open = 0;
  const unzip = new Unzip((file: UnzipFile) => {
    parts++;
    const taker = take(file.name);
    if (taker === undefined) return;
    open++;
    const decoder = new TextDecoder();
    const parser = typeof taker === "function" ? undefined : elementParser(taker);
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      const text = decoder.decode(chunk, { stream: !isLast });
      if (typeof taker === "function") taker(text);
      else parser?.write(text);
      if (!isLast) return;
      parser?.end();
      open--;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += PIECE)
      unzip.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  } catch (cause) {
    if (cause instanceof TableError) throw cause;
    throw new TableError("is no workbook, or damaged", { cause });
  }
  if (parts === 0 || open > 0) throw new TableError("is no workbook, or damaged");
}

/** Finds the first sheet by the workbook and its relationships. */
function firstSheet(workbook: string, relationships: string): string {
  let id: string | undefined;
  eachElement(workbook, {
    open: (name, attributes) => {
      if (name === "sheet") id ??= attributes["r:id"];
    },
  });
  let target: string | undefined;
  eachElement(relationships, {
    open: (name, attributes) => {
      if (name === "Relationship" && attributes.Id === id) target = attributes.Target;
    },
  });
  if (target === undefined) throw new TableError("is a workbook without a sheet");
  return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
}

/** Counts the characters that are kept, and refuses more than {@link MAX_TEXT}. */
function textLimit(): (text: string) => string {
  let total = 0;
  return (text) => {
    total += text.length;
    if (total > MAX_TEXT) throw new TableError(`has more than ${MAX_TEXT} characters of text`);
    return text;
  };
}

/** Reads the texts that cells refer to by number, without their phonetic readings. */
class StringsReader {
  readonly strings: string[] = [];
  #text = "";
  #inText = false;
  #inReading = false;
  readonly #bounded = textLimit();

  readonly visitor: Visitor = {
    open: (name) => {
      if (name === "si") this.#text = "";
      if (name === "rPh") this.#inReading = true;
      this.#inText = name === "t" && !this.#inReading;
    },
    text: (piece) => {
      if (this.#inText) this.#text += this.#bounded(piece);
    },
    close: (name) => {
      if (name === "si") {
        if (this.strings.length >= MAX_TEXT / 8) throw new TableError("has more texts than a sheet can show");
        this.strings.push(this.#text);
      }
      if (name === "rPh") this.#inReading = false;
      this.#inText = false;
    },
  };
}

/** Reads the rows of a sheet. */
class RowsReader {
  readonly rows: Row[] = [];
  readonly #strings: readonly string[];
  readonly #bounded = textLimit();
  #count = 0;
  #number = 0;
  #cells: string[] = [];
  #column = 0;
  #type = "";
  #value = "";
  #inValue = false;

  readonly #maxRows: number;

  constructor(strings: readonly string[], maxRows: number) {
    this.#strings = strings;
    this.#maxRows = maxRows;
  }

  readonly visitor: Visitor = {
    open: (name, attributes) => {
      if (name === "row") {
        if (++this.#count > this.#maxRows) {
          throw new TableError(`has more rows than a sheet may have (${this.#maxRows})`);
        }
        this.#number = Number(attributes.r ?? this.#number + 1);
        this.#cells = [];
        this.#column = 0;
      } else if (name === "c") {
        this.#column = columnOf(attributes.r) ?? this.#column;
        if (this.#column >= MAX_COLUMNS)
          throw new TableError(`has more columns than a sheet may have (${MAX_COLUMNS})`);
        this.#type = attributes.t ?? "n";
        this.#value = "";
      }
      this.#inValue = name === "v" || name === "t";
    },
    text: (piece) => {
      if (this.#inValue) this.#value += this.#bounded(piece);
    },
    close: (name) => {
      this.#inValue = false;
      if (name === "c") {
        while (this.#cells.length < this.#column) this.#cells.push(this.#bounded(" ").trim());
        this.#cells[this.#column++] = textOf(this.#type, this.#value, this.#strings);
      } else if (name === "row" && this.#cells.some((cell) => cell.trim() !== "")) {
        this.rows.push({ number: this.#number, cells: this.#cells });
      }
    },
  };
}

function textOf(type: string, value: string, strings: readonly string[]): string {
  if (type === "s") return strings[Number(value)] ?? "";
  return type === "n" && value !== "" ? String(Number(value)) : value;
}

/** Returns the number of a column, from 0, by the address of a cell: 27 for `AB3`. */
function columnOf(address: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(address ?? "")?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

type Visitor = {
  open?: (name: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
};

/** Visits the elements of a document in order. */
function eachElement(xml: string, visitor: Visitor): void {
  elementParser(visitor).end(xml);
}

/** Returns a parser that tells a visitor of elements by their names without prefix. */
function elementParser({ open, text, close }: Visitor): Parser {
  const local = (name: string): string => name.slice(name.indexOf(":") + 1);
  return new Parser(
    {
      onopentag: (name, attributes) => open?.(local(name), attributes),
      ontext: (piece) => text?.(piece),
      onclosetag: (name) => close?.(local(name)),
    },
    { xmlMode: true },
  );
}

/** Corpora of dialects have some megabytes. */
const MAX_FILE = 256 * 1024 * 1024;

/**
 * Returns the rows of a file, the head first: a workbook, or text with commas, semicolons or tabs, in UTF-8 or UTF-16
 * with a byte order mark. What it is, is told by its bytes. Throws TableError for a file of another form or of more
 * than 256 MiB.
 */
export async function readTable(path: string): Promise<readonly Row[]> {
  const { size } = await stat(path);
  if (size > MAX_FILE) throw new TableError(`is larger than ${MAX_FILE} bytes`);
  const bytes = await readFile(path);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readXlsx(bytes);
  const text = decode(bytes);
  return new DelimitedReader(separatorOf(text)).read(text, { isLast: true });
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new TableError("is neither a workbook nor text in UTF-8; save it as UTF-8", { cause });
  }
}

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
