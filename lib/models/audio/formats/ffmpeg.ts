import type { Pcm } from "../pcm.ts";
import { throughProgram } from "./program.ts";

const RATE = 16_000;

/** How ffmpeg is run. */
export type FfmpegOptions = {
  /** The program. Default `ffmpeg`, looked for in PATH. */
  program?: string | undefined;
  /** Milliseconds that it may take for the next piece of sound. Default 20,000. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
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
  { program = "ffmpeg", timeoutMs = 20_000, signal }: FfmpegOptions = {},
): AsyncGenerator<Pcm> {
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of throughProgram(bytes, { command: program, args: ARGUMENTS, timeoutMs, signal })) {
    const whole = Buffer.concat([rest, piece]);
    const samples = new Float32Array(whole.length >> 2);
    for (let i = 0; i < samples.length; i++) samples[i] = whole.readFloatLE(i * 4);
    rest = whole.subarray(samples.length * 4);
    if (samples.length > 0) yield { rate: RATE, samples };
  }
}
