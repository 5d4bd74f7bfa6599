import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { EgressError } from "../error.ts";

/** Bytes as they come. */
export type Bytes = AsyncIterable<Uint8Array>;

const MAX_ENCODINGS = 2;

/**
 * Inflates a body by its `Content-Encoding`, no faster than it is read: a small body that inflates to gigabytes is
 * never held. Throws EgressError `bad-encoding` for an unknown encoding, or more than two of them; reading throws what
 * zlib throws.
 */
export function inflate(body: Bytes, encoding: string, address: string): Bytes {
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
