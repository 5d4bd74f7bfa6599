import { CommandError } from "@isnad/lib/service/cli";
import { isObject, parseJson } from "@isnad/lib/std";
import { DelimitedReader, separatorOf } from "../../table/delimited.ts";
import { TableError } from "../../table/table.ts";
import { readLines, readPieces } from "./lines.ts";
import type { Row } from "./mapping.ts";

/**
 * A line of JSON or a row of a table: its number from 1 (the head of a table is row 1), how many bytes of the file had
 * been read by then, and what it holds or why that is unusable; neither for a blank one.
 */
export type Reading = {
  number: number;
  bytesRead: number;
  row?: Row;
  error?: { type: string; detail: string };
};

const TABLE = /\.(?:csv|tsv)(?:\.gz)?$/i;

/** Streams the rows of a file: comma- or tab-separated by its name, else JSON lines. Throws CommandError. */
export function readRows(path: string): AsyncGenerator<Reading> {
  return TABLE.test(path) ? tableRows(path) : jsonRows(path);
}

async function* jsonRows(path: string): AsyncGenerator<Reading> {
  for await (const { number, text, bytesRead } of readLines(path)) {
    const place = { number, bytesRead };
    const row = text.trim() === "" ? {} : parseJson(text);
    if (text.trim() === "") yield place;
    else if (row === undefined) yield { ...place, error: problem("/errors/malformed-json", "the line is no JSON") };
    else if (isObject(row)) yield { ...place, row };
    else yield { ...place, error: problem("/errors/invalid-field", "the line is no JSON object") };
  }
}

async function* tableRows(path: string): AsyncGenerator<Reading> {
  let reader: DelimitedReader | undefined;
  let head: readonly string[] | undefined;
  let number = 0;
  let bytesRead = 0;
  const take = function* (piece: string, isLast: boolean): Generator<Reading> {
    reader ??= new DelimitedReader(separatorOf(piece));
    for (const row of reader.read(piece, { isLast })) {
      ({ number } = row);
      if (head !== undefined) yield { number, bytesRead, ...named(head, row.cells) };
      else head = columnsOf(row.cells);
    }
  };
  try {
    for await (const piece of readPieces(path, () => `row ${number}`)) {
      ({ bytesRead } = piece);
      if (piece.text !== "") yield* take(piece.text, false);
    }
    yield* take("", true);
  } catch (cause) {
    throw cause instanceof TableError ? new CommandError(`${path}: ${cause.message}`, { cause }) : cause;
  }
}

function columnsOf(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const twice = names.find((name, i) => name !== "" && names.indexOf(name) !== i);
  if (twice !== undefined) throw new TableError(`row 1: two columns are called ${twice}`);
  return names;
}

function named(head: readonly string[], cells: readonly string[]): Pick<Reading, "row" | "error"> {
  if (cells.length > head.length && cells.slice(head.length).some((cell) => cell.trim() !== "")) {
    return { error: problem("/errors/invalid-field", `the row has ${cells.length} cells, the head ${head.length}`) };
  }
  return { row: Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ""])) };
}

function problem(type: string, detail: string): { type: string; detail: string } {
  return { type, detail };
}
