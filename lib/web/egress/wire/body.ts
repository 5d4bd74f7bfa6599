import type { IncomingMessage } from "node:http";
import { EgressError } from "../error.ts";
import { type Bytes, inflate } from "./inflate.ts";

/** Limits of a body. */
export interface BodyLimits {
  /** Of the bytes as sent, and again of the bytes after inflating. */
  readonly maxBytes: number;
  /** What to do with a larger one: `cut` gives its beginning. Default `refuse`. */
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
 * The body of an answer, inflated, piece by piece as it comes; the sender waits while a piece is not taken. Throws as
 * {@link readBody} does; what passes the limit is given before that.
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

/** The bytes as sent, up to the limit. */
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
