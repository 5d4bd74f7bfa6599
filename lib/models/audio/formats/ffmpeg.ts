import { spawn } from "node:child_process";
import { AudioError } from "../error.ts";
import type { Pcm } from "../pcm.ts";

const RATE = 16_000;
/** Characters of what ffmpeg complains that are kept. */
const COMPLAINT = 300;

/** How ffmpeg is run. */
export type FfmpegOptions = {
  /** The program. Default `ffmpeg`, looked for in PATH. */
  program?: string | undefined;
  /** Milliseconds that it may take for the next piece of sound. Default 20,000. */
  timeoutMs?: number | undefined;
};

const ARGUMENTS = [
  ...["-nostdin", "-hide_banner", "-v", "error", "-threads", "1"],
  // It may open nothing but the pipes, neither files nor addresses.
  ...["-protocol_whitelist", "pipe", "-i", "pipe:0"],
  ...["-map", "0:a:0", "-vn", "-ac", "1", "-ar", String(RATE), "-f", "f32le", "pipe:1"],
];

/**
 * The samples of any recording that ffmpeg reads. It gets the bytes through a pipe and may open nothing else.
 * @throws AudioError `unsupported` where there is no ffmpeg, `damaged` when it can do nothing with the bytes or gives
 * nothing in time
 */
export async function* decodeWithFfmpeg(
  bytes: Uint8Array,
  { program = "ffmpeg", timeoutMs = 20_000 }: FfmpegOptions = {},
): AsyncGenerator<Pcm> {
  const child = spawn(program, ARGUMENTS, { stdio: "pipe" });
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
      child.kill("SIGKILL");
    }, timeoutMs);
  let timer = limit();
  let given = 0;
  let rest: Uint8Array = new Uint8Array();
  try {
    for await (const piece of child.stdout) {
      clearTimeout(timer);
      const whole = Buffer.concat([rest, piece]);
      const samples = new Float32Array(whole.length >> 2);
      for (let i = 0; i < samples.length; i++) samples[i] = whole.readFloatLE(i * 4);
      rest = whole.subarray(samples.length * 4);
      given += samples.length;
      if (samples.length > 0) yield { rate: RATE, samples };
      timer = limit();
    }
  } catch (error) {
    const cause = (await ended) ?? error;
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") throw noFfmpeg(cause);
    if (!late) throw new AudioError("damaged", "No sound of the recording can be decoded.", { cause });
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
  const cause = await ended;
  if (late) throw new AudioError("damaged", `The recording gave no sound within ${timeoutMs} ms.`);
  if (cause !== undefined && "code" in cause && cause.code === "ENOENT") throw noFfmpeg(cause);
  if (given === 0) throw new AudioError("damaged", "No sound of the recording can be decoded.", { cause });
}

function noFfmpeg(cause: Error): AudioError {
  return new AudioError("unsupported", "Recordings of this kind are read by ffmpeg, which is not installed here.", {
    cause,
  });
}
