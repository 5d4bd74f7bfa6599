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
 * Reads the body of an answer and inflates it. Throws EgressError `too-large` as soon as a limit is passed; `bad-encoding` for one
 * that does not inflate; `connection-lost` for one that ends before its length.
 */
export async function readBody(message: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
  const { maxBytes, overflow = "refuse", address } = limits;
  const tooLarge = () => new EgressError("too-large", address, `the body is larger than ${maxBytes} bytes`);
  if (overflow === "refuse" && Number(message.headers["content-length"]) > maxBytes) throw tooLarge();
  const encoding = String(message.headers["content-encoding"] ?? "");
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of inflate(counted(message, maxBytes, tooLarge), encoding, address)) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length > maxBytes) throw tooLarge();
    }
  } catch (error) {
    const failure = explain(error, address);
    if (overflow === "refuse" || failure.code !== "too-large") throw failure;
    return Buffer.concat(chunks, Math.min(length, maxBytes));
  }
  if (!message.complete) throw new EgressError("connection-lost", address, "the body ended early");
  return Buffer.concat(chunks);
}

/** The bytes as sent, up to the limit. */
async function* counted(message: IncomingMessage, maxBytes: number, tooLarge: () => Error): Bytes {
  let sent = 0;
  for await (const chunk of message as Bytes) {
    sent += chunk.byteLength;
    yield sent > maxBytes ? chunk.subarray(0, Math.max(0, chunk.byteLength - (sent - maxBytes))) : chunk;
    if (sent > maxBytes) throw tooLarge();
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
