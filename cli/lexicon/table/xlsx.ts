import { strFromU8, unzipSync } from "fflate";
import { Parser } from "htmlparser2";
import { type Row, TableError } from "./table.ts";

/** Bytes of a part of a workbook, inflated, at most. */
const MAX_PART = 1 << 30;

/**
 * The rows of the first sheet of a workbook (Office Open XML). Numbers are given as JavaScript writes them, errors as
 * the sheet shows them (`#N/A`), empty rows are left out. Throws TableError for a file of another form.
 */
export function readXlsx(bytes: Uint8Array): Row[] {
  const parts = unzip(bytes);
  const part = (name: string): string => {
    const content = parts[name];
    if (content === undefined) throw new TableError(`is no workbook: it has no ${name}`);
    return strFromU8(content);
  };
  const sheet = firstSheet(part("xl/workbook.xml"), part("xl/_rels/workbook.xml.rels"));
  const shared = parts["xl/sharedStrings.xml"];
  return rowsOf(part(sheet), shared === undefined ? [] : stringsOf(strFromU8(shared)));
}

function unzip(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (originalSize > MAX_PART) throw new TableError(`${name} is larger than ${MAX_PART} bytes`);
        return /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml)$/.test(name);
      },
    });
  } catch (cause) {
    if (cause instanceof TableError) throw cause;
    throw new TableError("is no workbook, or damaged", { cause });
  }
}

/** Where the first sheet is, by the workbook and its relationships. */
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

/** The texts that cells refer to by number, without their phonetic readings. */
function stringsOf(xml: string): string[] {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let inReading = false;
  eachElement(xml, {
    open: (name) => {
      if (name === "si") text = "";
      if (name === "rPh") inReading = true;
      inText = name === "t" && !inReading;
    },
    text: (piece) => {
      if (inText) text += piece;
    },
    close: (name) => {
      if (name === "si") strings.push(text);
      if (name === "rPh") inReading = false;
      inText = false;
    },
  });
  return strings;
}

function rowsOf(xml: string, strings: readonly string[]): Row[] {
  const rows: Row[] = [];
  let number = 0;
  let cells: string[] = [];
  let column = 0;
  let type = "";
  let value = "";
  let inValue = false;
  eachElement(xml, {
    open: (name, attributes) => {
      if (name === "row") {
        number = Number(attributes.r ?? number + 1);
        cells = [];
        column = 0;
      } else if (name === "c") {
        column = columnOf(attributes.r) ?? column;
        type = attributes.t ?? "n";
        value = "";
      }
      inValue = name === "v" || name === "t";
    },
    text: (piece) => {
      if (inValue) value += piece;
    },
    close: (name) => {
      inValue = false;
      if (name === "c") {
        while (cells.length < column) cells.push("");
        cells[column++] = textOf(type, value, strings);
      } else if (name === "row" && cells.some((cell) => cell.trim() !== "")) rows.push({ number, cells });
    },
  });
  return rows;
}

function textOf(type: string, value: string, strings: readonly string[]): string {
  if (type === "s") return strings[Number(value)] ?? "";
  return type === "n" && value !== "" ? String(Number(value)) : value;
}

/** The number of a column, from 0, by the address of a cell: 27 for `AB3`. */
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

/** Visits the elements of a document in order, by their names without prefix. */
function eachElement(xml: string, { open, text, close }: Visitor): void {
  const local = (name: string): string => name.slice(name.indexOf(":") + 1);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(local(name), attributes),
      ontext: (piece) => text?.(piece),
      onclosetag: (name) => close?.(local(name)),
    },
    { xmlMode: true },
  );
  parser.end(xml);
}
