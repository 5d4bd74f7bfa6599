import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { CommandError } from "@isnad/lib/cli";
import type { PageInput } from "../extract/index.ts";
import type { ReaderPool } from "../reader/index.ts";
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
  if (!existsSync(input)) throw new CommandError(`there is no ${input}`);
  const output = createWriteStream(out);
  const closed = finished(output).catch((cause: unknown) => {
    throw new CommandError(`cannot write ${out}`, { cause });
  });
  // Awaited at the end; until then a failure must not count as unhandled.
  closed.catch(() => {});
  const source = createReadStream(input);
  let unreadable = 0;
  try {
    // The first page would pay for the start of the thread.
    await pool.extract({ html: "", url: "" });
    for await (const line of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
      signal.throwIfAborted();
      if (line.trim() === "") continue;
      const answer = await extractOne(pool, line, dirname(input), hints);
      if ("failed" in answer) unreadable++;
      const { done } = answer;
      if (!output.write(`${JSON.stringify(done)}\n`)) await drained(output);
      if (output.errored !== null) break;
    }
  } finally {
    source.destroy();
    output.end();
  }
  await closed;
  return unreadable;
}

function drained(output: ReturnType<typeof createWriteStream>): Promise<void> {
  return new Promise((proceed) => {
    output.once("drain", proceed);
    output.once("close", proceed);
  });
}

async function extractOne(
  pool: ReaderPool,
  line: string,
  folder: string,
  hints: Batch["hints"],
): Promise<{ done: ArticleLine; failed?: true }> {
  const entry = readEntry(line);
  if ("error" in entry) return { done: failedLine(idOf(line), entry.error), failed: true };
  const { id, url, path } = entry;
  try {
    const beside = resolve(folder, path);
    const html = readDocument(existsSync(path) || !existsSync(beside) ? path : beside).text;
    return { done: await articleLine(pool, id, { html, url, ...hints }) };
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
