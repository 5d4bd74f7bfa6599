import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CommandError } from "@isnad/lib/cli";
import type { PageInput } from "../../scraper/extract/index.ts";
import type { ReaderPool } from "../../scraper/reader/index.ts";
import { type ArticleLine, articleLine, failedLine } from "./article-line.ts";
import { readDocument } from "./pages.ts";

/** A batch to extract. */
export interface Batch {
  /** File with a line `{id, url, html_path}` a page. */
  readonly input: string;
  /** Where the lines go, one for each line of the input that is not blank, in its order. */
  readonly out: string;
  readonly hints: Pick<PageInput, "selectors" | "zone">;
  readonly signal: AbortSignal;
}

/**
 * Extracts the pages of a list one after the other; memory does not grow with it. A line that cannot be read, or whose page
 * cannot, gives a line with an `error`. A relative `html_path` is below the working directory, else beside the list. Returns
 * how many could not be tried. Throws CommandError when one of the two files cannot be opened.
 */
export async function extractBatch(pool: ReaderPool, { input, out, hints, signal }: Batch): Promise<number> {
  await using source = await opened(input, "r");
  await using output = await opened(out, "w");
  // The first page would pay for the start of the thread.
  await pool.extract({ html: "", url: "" });
  let unreadable = 0;
  for await (const line of source.readLines({ autoClose: false })) {
    signal.throwIfAborted();
    if (line.trim() === "") continue;
    const { done, failed } = await extractOne(pool, line, dirname(input), hints);
    if (failed) unreadable++;
    await output.write(`${JSON.stringify(done)}\n`);
  }
  return unreadable;
}

async function opened(path: string, flags: "r" | "w"): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (cause) {
    throw new CommandError(`cannot ${flags === "r" ? "read" : "write"} ${path}`, { cause });
  }
}

async function extractOne(
  pool: ReaderPool,
  line: string,
  folder: string,
  hints: Batch["hints"],
): Promise<{ done: ArticleLine; failed: boolean }> {
  const entry = readEntry(line);
  if ("error" in entry) return { done: failedLine(idOf(line), entry.error), failed: true };
  const { id, url, path } = entry;
  try {
    const beside = resolve(folder, path);
    const html = readDocument(existsSync(path) || !existsSync(beside) ? path : beside).text;
    return { done: await articleLine(pool, id, { html, url, ...hints }), failed: false };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { done: failedLine(id, error.message), failed: true };
  }
}

function readEntry(line: string): { id: unknown; url: string; path: string } | { error: string } {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return { error: "the line is not JSON" };
  }
  if (typeof entry !== "object" || entry === null) return { error: "the line is not a JSON object" };
  const { id = null, url = "", html_path: path }: { id?: unknown; url?: unknown; html_path?: unknown } = entry;
  if (typeof path !== "string" || path === "") return { error: "html_path is missing" };
  return typeof url === "string" || url === null ? { id, url: url ?? "", path } : { error: "url is not a text" };
}

/** The id of a line that is not JSON, where one can be made out. */
function idOf(line: string): unknown {
  const written = /"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,15})/.exec(line)?.[1];
  return written === undefined ? null : JSON.parse(written.replace(/\\(?!["\\/bfnrtu])/g, "\\\\"));
}
