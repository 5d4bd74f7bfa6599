import { spawn } from "node:child_process";
import { execPath } from "node:process";
import { fileURLToPath, URL } from "node:url";
import { AudioError, type Pcm } from "../pcm.ts";

/** Characters of what a program complains that are kept. */
const COMPLAINT = 300;

/** A program that decodes recordings. */
type Program = {
  command: string;
  args: readonly string[];
  /** Milliseconds that it may take for the next piece of sound. */
  timeoutMs: number;
  /** Ends it. */
  signal?: AbortSignal | undefined;
};

/**
 * Returns what a program writes of a recording that it gets through a pipe. Being a process, it can be ended wherever
 * it hangs: when it writes nothing in time, when the signal aborts, and when no more is read.
 * @throws AudioError `unsupported` where there is no such program, `damaged` when it can do nothing with the bytes; the
 * signal's reason
 */
async function* throughProgram(bytes: Uint8Array, program: Program): AsyncGenerator<Uint8Array> {
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

const RATE = 16_000;

/** Time that it may take for the next piece of sound, in milliseconds. */
const PIECE_MS = 20_000;

/** Says how ffmpeg is run. */
export type FfmpegOptions = {
  /** The program. Default `ffmpeg`, looked for in PATH. */
  program?: string | undefined;
  signal?: AbortSignal | undefined;
};

const ARGUMENTS = [
  ...["-nostdin", "-hide_banner", "-v", "error", "-threads", "1"],
  // It may open nothing but the pipes, neither files nor addresses.
  ...["-protocol_whitelist", "pipe", "-i", "pipe:0"],
  ...["-map", "0:a:0", "-vn", "-ac", "1", "-ar", String(RATE), "-f", "f32le", "pipe:1"],
];

/**
 * Returns the samples of any recording that ffmpeg reads. It gets the bytes through a pipe and may open nothing else.
 * @throws AudioError `unsupported` where there is no ffmpeg, `damaged` when it can do nothing with the bytes or gives
 * nothing in time
 */
export async function* decodeWithFfmpeg(
  bytes: Uint8Array,
  { program = "ffmpeg", signal }: FfmpegOptions = {},
): AsyncGenerator<Pcm> {
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of throughProgram(bytes, { command: program, args: ARGUMENTS, timeoutMs: PIECE_MS, signal })) {
    const whole = Buffer.concat([rest, piece]);
    const samples = new Float32Array(whole.length >> 2);
    for (let i = 0; i < samples.length; i++) samples[i] = whole.readFloatLE(i * 4);
    rest = whole.subarray(samples.length * 4);
    if (samples.length > 0) yield { rate: RATE, samples };
  }
}

const PROGRAM = fileURLToPath(new URL("./mp3-program.ts", import.meta.url));
/** Milliseconds for a stretch of five seconds of sound, some hundred times as long as it takes. */
const TIMEOUT_MS = 10_000;
/** Seconds of processor time after which it ends by itself, should nobody be left to end it. */
const CPU_SECONDS = 300;
const LIMITED = ["-c", `ulimit -t ${CPU_SECONDS}; exec "$0" "$1"`, execPath, PROGRAM];
/** Bytes before the samples of a stretch. */
const HEAD_BYTES = 8;
/** Bytes behind a tag in which a frame has to begin. */
const WITHIN = 65_536;

/** Checks that a frame of MPEG sound stands where the sound should begin. @throws AudioError `no-audio` */
export function checkMp3(bytes: Uint8Array): object {
  const from = Math.min(afterTag(bytes), bytes.length);
  for (let at = from; at < Math.min(from + WITHIN, bytes.length - 3); at++) {
    const length = frameLength(bytes, at);
    if (length === undefined) continue;
    // The next frame follows at once, unless this one is the last.
    if (at + length + 3 >= bytes.length || frameLength(bytes, at + length) !== undefined) return {};
  }
  throw new AudioError("no-audio", "No frame of MPEG sound is in the bytes.");
}

/**
 * Returns the samples of an MP3 file; one that is cut gives what is whole. They are decoded in a process of its own, as
 * there are files that its decoder never comes back from, and a thread cannot be ended within WebAssembly.
 * @throws AudioError `damaged`, also where the next stretch does not come in time
 */
export async function* decodeMp3(
  bytes: Uint8Array,
  { timeoutMs = TIMEOUT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Pcm> {
  const program = { command: "sh", args: LIMITED, timeoutMs, signal };
  let rest = Buffer.alloc(0);
  for await (const piece of throughProgram(bytes.subarray(afterTag(bytes)), program)) {
    rest = Buffer.concat([rest, piece]);
    for (;;) {
      if (rest.length < HEAD_BYTES) break;
      const rate = rest.readUInt32LE(0);
      const end = HEAD_BYTES + rest.readUInt32LE(4) * Float32Array.BYTES_PER_ELEMENT;
      if (rest.length < end) break;
      yield { rate, samples: new Float32Array(Uint8Array.from(rest.subarray(HEAD_BYTES, end)).buffer) };
      rest = rest.subarray(end);
    }
  }
}

/** Tells where an ID3v2 tag ends; its length is coded in seven bits a byte. */
function afterTag(bytes: Uint8Array): number {
  if (bytes[0] !== 0x49 || bytes[1] !== 0x44 || bytes[2] !== 0x33) return 0;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  return 10 + (((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (d & 127));
}

/** kbit/s by layer (III, II) for MPEG-1, then for MPEG-2 and 2.5. */
const KILOBITS: readonly (readonly (readonly number[])[])[] = [
  [
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  ],
  [
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
];
const RATES = [44_100, 48_000, 32_000];

/** Bytes of the frame of layer II or III whose head stands here; undefined when none does. */
function frameLength(bytes: Uint8Array, at: number): number | undefined {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  if (version === 1 || layer === 0 || layer === 3) return undefined;
  const isFirst = version === 3;
  const kilobits = KILOBITS[isFirst ? 0 : 1]?.[layer - 1]?.[(third >> 4) - 1];
  const rate = RATES[(third >> 2) & 3];
  if (kilobits === undefined || rate === undefined) return undefined;
  const samples = layer === 1 && !isFirst ? 72 : 144;
  const halved = version === 3 ? 1 : version === 2 ? 2 : 4;
  return Math.floor((samples * kilobits * 1000) / (rate / halved)) + ((third >> 1) & 1);
}
