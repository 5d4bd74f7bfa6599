import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const SETTLE_MS = 50;

/**
 * Appends objects as whole lines of JSON to the day's file in a folder, which is made when it is missing. All lines go
 * out in one write to a file opened for appending, so that lines of processes that write at once do not mix. A line
 * that a killed process left unfinished is closed first. Returns the file's name within the folder.
 */
export async function appendLines(folder: string, values: readonly object[], now: number): Promise<string> {
  const name = `scrape-${new Date(now).toISOString().slice(0, 10)}.jsonl`;
  await mkdir(folder, { recursive: true });
  const file = await open(join(folder, name), "a+", 0o640);
  try {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    if (lines === "") return name;
    const bytes = Buffer.from((await isTorn(file)) ? `\n${lines}` : lines);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten !== bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    return name;
  } finally {
    await file.close();
  }
}

type File = Awaited<ReturnType<typeof open>>;

/** Whether the file ends within a line and nobody is writing it. */
async function isTorn(file: File): Promise<boolean> {
  const before = await endOf(file);
  if (before.closed) return false;
  await sleep(SETTLE_MS);
  const after = await endOf(file);
  return !after.closed && after.size === before.size;
}

async function endOf(file: File): Promise<{ size: number; closed: boolean }> {
  const { size } = await file.stat();
  if (size === 0) return { size, closed: true };
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return { size, closed: last[0] === 0x0a };
}
