import { pipeline, Readable, type Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import { createMiddleware } from "hono/factory";
import { parseAccept } from "hono/utils/accept";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import type { HttpContext, HttpEnv } from "./context.ts";

/** Characters of `Accept` that are looked at. */
const MAX_ACCEPT_LENGTH = 1_000;

/**
 * Returns the offer whose media type a request accepts most (RFC 9110, 12.5.1), the first one where it does not say or
 * accepts none of them.
 */
export function acceptedOffer<T>(
  accept: string | undefined,
  offers: readonly { types: readonly string[]; value: T }[],
): T | undefined {
  const ranges = parseAccept((accept ?? "").slice(0, MAX_ACCEPT_LENGTH));
  let best: { value: T | undefined; q: number } = { value: offers[0]?.value, q: 0 };
  for (const { types, value } of offers) {
    // What is named exactly counts more than what a range takes in: browsers accept everything a little.
    const exact = ranges.find(({ type }) => types.includes(type.toLowerCase()));
    const any = ranges.find(({ type }) => type === "*/*" || types.some((each) => type === `${each.split("/")[0]}/*`));
    const q = exact?.q ?? (value === offers[0]?.value ? (any?.q ?? 0) : 0);
    if (q > best.q) best = { value, q };
  }
  return best.value;
}

/** Bytes of a stream that are written at a time, about. */
const CHUNK_LENGTH = 32_768;

/** Returns texts as a body that is made as it is read: a client that leaves ends the work. */
export function textStream(texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let chunk = "";
      while (chunk.length < CHUNK_LENGTH) {
        const { done, value } = await texts.next();
        if (done) {
          if (chunk !== "") controller.enqueue(encoder.encode(chunk));
          controller.close();
          return;
        }
        chunk += value;
      }
      controller.enqueue(encoder.encode(chunk));
    },
    async cancel() {
      await texts.return();
    },
  });
}

/** Characters of a media type that are looked at. */
const MAX_TYPE_LENGTH = 200;

const STREAMED = /^(?:application\/(?:x-ndjson|jsonl)|text\/(?:csv|event-stream))(?:;|$)/i;

/**
 * Tells whether an answer is written as it is made: whole it may not fit into memory, or its beginning is to arrive
 * before its end is known (`X-Accel-Buffering: no`, as proxies are told).
 */
export function isStreamed(headers: Headers): boolean {
  return headers.get("X-Accel-Buffering") === "no" || STREAMED.test(mediaType(headers.get("Content-Type")));
}

/** Tells whether answers of this media type get smaller; events are not, each is to arrive when it happens. */
function isCompressible(contentType: string | null): boolean {
  const type = mediaType(contentType);
  if (type.toLowerCase().startsWith("text/event-stream")) return false;
  return STREAMED.test(type) || COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type);
}

function mediaType(contentType: string | null): string {
  return (contentType ?? "").slice(0, MAX_TYPE_LENGTH).trim();
}

/** Bytes of an answer from which compressing it is worth a client's while. */
const MIN_BYTES = 1024;

/** Characters of `Accept-Encoding` that are looked at. */
const MAX_ACCEPT_ENCODING_LENGTH = 500;

/** A quality that costs little more than gzip and gains a fifth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The level that takes three quarters of the default's time and gives bodies a twenty-fifth longer. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Bytes that zstd compresses in the event loop, in a fifth of a millisecond: the way to a thread takes longer. */
const MAX_SYNC_BYTES = 65_536;

const zstd = promisify(zstdCompress);

/**
 * A content coding: for a whole body, and for one that comes piece by piece, each piece sent on at once; both work
 * beside the event loop where that takes longer than the way there.
 */
type Coding = { name: string; whole: (body: Uint8Array) => Promise<Uint8Array>; stream?: () => Transform };

/**
 * The codings, the cheapest for its size first. A flushed stream of zstd ends a frame with each piece, and several
 * clients read the first frame alone.
 */
const CODINGS: readonly Coding[] = [
  {
    name: "zstd",
    whole: async (body) => (body.byteLength <= MAX_SYNC_BYTES ? zstdCompressSync(body, ZSTD) : await zstd(body, ZSTD)),
  },
  {
    name: "br",
    whole: (body) => promisify(brotliCompress)(body, BROTLI),
    stream: () => createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  { name: "gzip", whole: promisify(gzip), stream: () => createGzip({ flush: constants.Z_SYNC_FLUSH }) },
];

/**
 * Compresses answers of 1 KB and more as the client accepts. Left as they are: events, what is compressed already, and
 * what must not be transformed on its way. A strong `ETag` becomes a weak one: the bytes are others.
 */
export const compress = createMiddleware<HttpEnv>(async function compress(c, next) {
  await next();
  const { status, headers, body } = c.res;
  if (status === 304) varyByCoding(c);
  const type = headers.get("Content-Type");
  if (body === null || status === 206 || headers.has("Content-Encoding") || !isCompressible(type)) return;
  if (/\bno-transform\b/i.test(headers.get("Cache-Control") ?? "")) return;
  const accepted = c.req.header("Accept-Encoding");
  if (isStreamed(headers)) {
    varyByCoding(c);
    const coding = acceptedCoding(
      accepted,
      CODINGS.filter(({ stream }) => stream !== undefined),
    );
    if (coding?.stream === undefined) return;
    return sendEncoded(c, coding, through(coding.stream(), body));
  }
  const coding = acceptedCoding(accepted);
  if (coding === undefined) return varyByCoding(c);
  const whole = new Uint8Array(await c.res.arrayBuffer());
  if (whole.byteLength < MIN_BYTES) return replaceBody(c, whole);
  varyByCoding(c);
  sendEncoded(c, coding, new Uint8Array(await coding.whole(whole)));
});

/** Says that the answer is another one for other codings, where it does not yet. */
function varyByCoding(c: HttpContext): void {
  const varies = c.res.headers.get("Vary")?.toLowerCase().includes("accept-encoding") === true;
  if (!varies) c.header("Vary", "Accept-Encoding", { append: true });
}

/** Replaces the body of the answer; its head stays. */
export function replaceBody(c: HttpContext, body: ConstructorParameters<typeof Response>[0]): void {
  const { res } = c;
  // Hono would make one more of two answers, header by header.
  c.res = undefined;
  c.res = new Response(body, res);
}

/** Returns what `coder` makes of a body, as it comes; the body is cancelled where nobody reads on. */
function through(coder: Transform, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  pipeline(Readable.from(chunksOf(body)), coder, () => {
    // Whoever reads the coder learns of its end and of its failure.
  });
  const chunks: AsyncIterator<Uint8Array> = coder[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** Sends `body` in place of the answer's. */
function sendEncoded(
  c: HttpContext,
  { name }: Coding,
  body: ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>,
): void {
  replaceBody(c, body);
  const { headers } = c.res;
  headers.delete("Content-Length");
  headers.set("Content-Encoding", name);
  const tag = headers.get("ETag");
  if (tag?.startsWith('"')) headers.set("ETag", `W/${tag}`);
}

/** Returns the coding that a client likes best (RFC 9110, 12.5.3); undefined where it is to get the bytes alone. */
export function acceptedCoding(header: string | undefined, codings = CODINGS): Coding | undefined {
  const accepted = parseAccept((header ?? "").slice(0, MAX_ACCEPT_ENCODING_LENGTH));
  const quality = (name: string): number | undefined =>
    accepted.find(({ type }) => type.toLowerCase() === name || (name === "gzip" && type.toLowerCase() === "x-gzip"))?.q;
  const others = quality("*") ?? 0;
  const [best] = codings
    .map((coding) => ({ coding, q: quality(coding.name) ?? others }))
    .filter(({ q }) => q > 0 && q >= (quality("identity") ?? 0))
    .toSorted((a, b) => b.q - a.q);
  return best?.coding;
}
