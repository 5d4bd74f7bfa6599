import type { IncomingMessage } from "node:http";
import { pipeline, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { EgressError } from "../error.ts";

/** Limits of a body. */
export interface BodyLimits {
  /** Of the bytes as sent, and again of the bytes after inflating. */
  readonly maxBytes: number;
  readonly address: string;
}

const MAX_ENCODINGS = 2;

/**
 * Reads the body of an answer whole and inflates it. Throws EgressError `too-large` as soon as a limit is passed, so that a
 * small file that inflates to gigabytes is never held; `bad-encoding` for one that does not inflate; `connection-lost` for
 * one that ends before its length.
 */
export async function readBody(message: IncomingMessage, { maxBytes, address }: BodyLimits): Promise<Uint8Array> {
  const tooLarge = () => new EgressError("too-large", address, `the body is larger than ${maxBytes} bytes`);
  const announced = Number(message.headers["content-length"]);
  if (announced > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let sent = 0;
  const count = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      sent += chunk.byteLength;
      done(sent > maxBytes ? tooLarge() : null, chunk);
    },
  });
  const stages: Transform[] = [count, ...inflatersFor(String(message.headers["content-encoding"] ?? ""), address)];
  // An error at any stage ends the last one with it.
  pipeline([message, ...stages], () => undefined);
  let inflated = 0;
  try {
    for await (const chunk of (stages.at(-1) ?? count) as AsyncIterable<Uint8Array>) {
      inflated += chunk.byteLength;
      if (inflated > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof EgressError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (/^Z_|^ERR_(?:_)?(?:BROTLI|ZLIB|PADDING)|BROTLI/.test(code)) {
      throw new EgressError("bad-encoding", address, "the body does not inflate", { cause: error });
    }
    throw new EgressError("connection-lost", address, "the body ended early", { cause: error });
  }
  if (!message.complete) throw new EgressError("connection-lost", address, "the body ended early");
  return Buffer.concat(chunks);
}

function inflatersFor(encoding: string, address: string): Transform[] {
  const names = encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_ENCODINGS)
    throw new EgressError("bad-encoding", address, "the body is encoded many times over");
  return names.reverse().map((name) => {
    if (name === "gzip" || name === "x-gzip") return createGunzip();
    if (name === "br") return createBrotliDecompress();
    if (name === "deflate") return eitherDeflate();
    throw new EgressError("bad-encoding", address, `the content encoding ${name} is unknown`);
  });
}

/** `deflate` is zlib's format by the standard and the bare one by habit: the first byte tells. */
function eitherDeflate(): Transform {
  let inner: Transform | undefined;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      if (inner === undefined) {
        inner = ((chunk[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
        inner.on("data", (out: Uint8Array) => this.push(out));
        inner.on("error", (error) => this.destroy(error));
      }
      inner.write(chunk, done);
    },
    flush(done) {
      if (inner === undefined) return done();
      inner.once("end", () => done());
      inner.end();
    },
  });
}
