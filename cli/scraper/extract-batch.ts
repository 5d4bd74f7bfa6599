import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CommandError } from "@isnad/lib/service/cli";
import { runConcurrently } from "../../scraper/crawl/visit-all.ts";
import type { PageInput } from "../../lib/extraction/mod.ts";
import type { ReaderPool } from "../../lib/extraction/reader/mod.ts";
import { type ArticleLine, articleLine, failedLine } from "./article-line.ts";
import { readDocument } from "./pages.ts";

/** A batch to extract. */
export interface Batch {
  /** File with a line `{id, url, html_path}` a page. */
  readonly input: string;
  /** Where the lines go, one for each line of the input that is not blank, in its order. */
  readonly out: string;
  readonly hints: Pick<PageInput, "selectors" | "otherSelectors" | "zone">;
  /** Pages that are extracted at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
}

/**
 * Extracts the pages of a list, as many at once as `jobs` says; memory does not grow with the list. A line that cannot
 * be read, or whose page cannot, gives a line with an `error`. A relative `html_path` is below the working directory,
 * else beside the list. Returns how many could not be tried. Throws CommandError when one of the two files cannot be
 * opened.
 */
export async function extractBatch(pool: ReaderPool, { input, out, hints, jobs, signal }: Batch): Promise<number> {
  await using source = await opened(input, "r");
  await using output = await opened(out, "w");
  // The first pages would pay for the start of the threads.
  await Promise.all(Array.from({ length: jobs }, () => pool.extract({ html: "", url: "" })));
  const lines = source.readLines({ autoClose: false })[Symbol.asyncIterator]();
  const write = inOrder((text) => output.write(text));
  let unreadable = 0;
  let taken = 0;
  await runConcurrently(jobs, async () => {
    signal.throwIfAborted();
    const { value: line = "", done: isEnd } = await lines.next();
    if (isEnd === true) return false;
    if (line.trim() === "") return true;
    const place = taken++;
    const { done, failed } = await extractOne(pool, line, dirname(input), hints);
    if (failed) unreadable++;
    await write(place, `${JSON.stringify(done)}\n`);
    return true;
  });
  return unreadable;
}

/** Makes a writer of texts that come in any order, each with its place from 0 on: they go out in that order. */
function inOrder(write: (text: string) => Promise<unknown>): (place: number, text: string) => Promise<unknown> {
  const waiting = new Map<number, string>();
  let next = 0;
  let writing: Promise<unknown> = Promise.resolve();
  return (place, text) => {
    waiting.set(place, text);
    let due = "";
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next++);
      due += ready;
    }
    if (due !== "") writing = writing.then(() => write(due));
    return writing;
  };
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
