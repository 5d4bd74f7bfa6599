import type { IncomingMessage } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { EgressError } from "./error.ts";

/** Bytes as they come. */
export type Bytes = AsyncIterable<Uint8Array>;

const MAX_ENCODINGS = 2;

/**
 * Inflates a body by its `Content-Encoding`, no faster than it is read: a small body that inflates to gigabytes is
 * never held. Throws EgressError `bad-encoding` for an unknown encoding, or more than two of them; reading throws what
 * zlib throws.
 */
function inflate(body: Bytes, encoding: string, address: string): Bytes {
  const names = encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_ENCODINGS)
    throw new EgressError("bad-encoding", address, "the body is encoded many times over");
  return names.reverse().reduce((bytes: Bytes, name) => {
    if (name === "gzip" || name === "x-gzip") return through(bytes, createGunzip());
    if (name === "br") return through(bytes, createBrotliDecompress());
    if (name === "deflate") return eitherDeflate(bytes);
    throw new EgressError("bad-encoding", address, `the content encoding ${name.slice(0, 40)} is unknown`);
  }, body);
}

function through(bytes: Bytes, inflater: ReturnType<typeof createGunzip>): Bytes {
  // An error at any stage ends the last one with it, and whoever stops reading stops all of them.
  return pipeline(Readable.from(bytes, { objectMode: false }), inflater, () => undefined);
}

/** `deflate` is zlib's format by the standard and the bare one by habit: the first two bytes tell. */
async function* eitherDeflate(bytes: Bytes): Bytes {
  const source = bytes[Symbol.asyncIterator]();
  let head = new Uint8Array();
  while (head.byteLength < 2) {
    const next = await source.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const [first = 0, second = 0] = head;
  const isZlib = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  yield* through(rejoin(head, source), isZlib ? createInflate() : createInflateRaw());
}

async function* rejoin(head: Uint8Array, rest: AsyncIterator<Uint8Array>): Bytes {
  yield head;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** Limits of a body. */
interface BodyLimits {
  /** Of the bytes as sent, and again of the bytes after inflating. */
  readonly maxBytes: number;
  /** `cut` gives the beginning of a larger one. Default `refuse`. */
  readonly overflow?: "refuse" | "cut" | undefined;
  readonly address: string;
}

/**
 * Reads the body of an answer and inflates it. Throws EgressError `too-large` as soon as a limit is passed;
 * `bad-encoding` for one that does not inflate; `connection-lost` for one that ends before its length.
 */
export async function readBody(message: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
  const { maxBytes, overflow = "refuse" } = limits;
  if (overflow === "refuse" && Number(message.headers["content-length"]) > maxBytes) throw tooLarge(limits);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of bodyPieces(message, limits)) {
      chunks.push(chunk);
      length += chunk.byteLength;
    }
  } catch (error) {
    if (overflow === "refuse" || !(error instanceof EgressError) || error.code !== "too-large") throw error;
    return Buffer.concat(chunks, Math.min(length, maxBytes));
  }
  return Buffer.concat(chunks);
}

/**
 * Returns the body of an answer, inflated, piece by piece as it comes; the sender waits while a piece is not taken.
 * Throws as {@link readBody} does; what passes the limit is given before that.
 */
export async function* bodyPieces(message: IncomingMessage, limits: BodyLimits): Bytes {
  const { maxBytes, address } = limits;
  const encoding = String(message.headers["content-encoding"] ?? "");
  let length = 0;
  try {
    for await (const piece of inflate(counted(message, limits), encoding, address)) {
      yield piece;
      length += piece.byteLength;
      if (length > maxBytes) throw tooLarge(limits);
    }
  } catch (error) {
    throw explain(error, address);
  }
  if (!message.complete) throw new EgressError("connection-lost", address, "the body ended early");
}

function tooLarge({ maxBytes, address }: BodyLimits): EgressError {
  return new EgressError("too-large", address, `the body is larger than ${maxBytes} bytes`);
}

/** Returns the bytes as sent, up to the limit. */
async function* counted(message: IncomingMessage, limits: BodyLimits): Bytes {
  const { maxBytes } = limits;
  let sent = 0;
  for await (const chunk of message as Bytes) {
    sent += chunk.byteLength;
    yield sent > maxBytes ? chunk.subarray(0, Math.max(0, chunk.byteLength - (sent - maxBytes))) : chunk;
    if (sent > maxBytes) throw tooLarge(limits);
  }
}

function explain(error: unknown, address: string): EgressError {
  if (error instanceof EgressError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^Z_|^ERR_(?:_)?(?:BROTLI|ZLIB|PADDING)|BROTLI/.test(code)) {
    return new EgressError("bad-encoding", address, "the body does not inflate", { cause: error });
  }
  return new EgressError("connection-lost", address, "the body ended early", { cause: error });
}
