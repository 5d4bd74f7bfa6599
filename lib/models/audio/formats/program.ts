import { spawn } from "node:child_process";
import { AudioError } from "../error.ts";

/** Characters of what a program complains that are kept. */
const COMPLAINT = 300;

/** A program that decodes recordings. */
export type Program = {
  command: string;
  args: readonly string[];
  /** Milliseconds that it may take for the next piece of sound. */
  timeoutMs: number;
  /** Ends it. */
  signal?: AbortSignal | undefined;
};

/**
 * What a program writes of a recording that it gets through a pipe. Being a process, it can be ended wherever it hangs:
 * when it writes nothing in time, when the signal aborts, and when no more is read.
 * @throws AudioError `unsupported` where there is no such program, `damaged` when it can do nothing with the bytes;
 * the signal's reason
 */
export async function* throughProgram(bytes: Uint8Array, program: Program): AsyncGenerator<Uint8Array> {
  const { command, args, timeoutMs, signal } = program;
  signal?.throwIfAborted();
  const child = spawn(command, args, { stdio: "pipe" });
  const kill = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", kill);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, COMPLAINT);
  });
  const ended = new Promise<Error | undefined>((resolve) => {
    child.on("error", resolve);
    child.on("close", (code) => resolve(code === 0 ? undefined : new Error(complaint.trim() || `code ${code}`)));
  });
  // It may end before it has read everything; how it ended says why.
  child.stdin.on("error", () => {}).end(bytes);
  let late = false;
  const limit = () =>
    setTimeout(() => {
      late = true;
      kill();
    }, timeoutMs);
  let timer = limit();
  let isSilent = true;
  try {
    for await (const piece of child.stdout) {
      clearTimeout(timer);
      isSilent = false;
      yield piece;
      timer = limit();
    }
  } catch (error) {
    if (error instanceof AudioError) throw error;
    const cause = (await ended) ?? error;
    signal?.throwIfAborted();
    if (isMissing(cause)) throw missing(cause);
    if (!late) throw new AudioError("damaged", "No sound of the recording can be decoded.", { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", kill);
    kill();
  }
  const cause = await ended;
  signal?.throwIfAborted();
  if (late) throw new AudioError("damaged", `The recording gave no sound within ${timeoutMs} ms.`);
  if (isMissing(cause)) throw missing(cause);
  if (isSilent) throw new AudioError("damaged", "No sound of the recording can be decoded.", { cause });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function missing(cause: unknown): AudioError {
  return new AudioError("unsupported", "Recordings of this kind are read by ffmpeg, which is not installed here.", {
    cause,
  });
}
