import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { createMiddleware } from "hono/factory";
import { type HttpContext, type HttpEnv, note } from "./context.ts";
import { AppError } from "./problem.ts";
import { invalidFields } from "./validation.ts";

/** Largest body of a route that sets no limit of its own, in bytes. */
const DEFAULT_BODY_LIMIT = 1_500_000;

/** Most values, named or in a list, of a body: what is parsed and validated costs up to 1 µs a value. */
export const MAX_BODY_VALUES = 50_000;
/** Most levels of lists and objects within each other in a body. */
const MAX_BODY_DEPTH = 1_000;

/** Bounds a body: bytes after decompression, and values, named or in a list. */
export type BodyLimits = { limit?: number; values?: number };

const inflate = promisify<Buffer | Uint8Array, { maxOutputLength: number }, Buffer<ArrayBuffer>>(gunzip);

/** Text of a body, and its size in bytes after decompression. */
type BodyText = { text: string; bytes: number };

/**
 * Reads a JSON request's body as text. Throws an {@link AppError}: 415 for another media type or encoding, 413 when the
 * body as sent or after gunzip is over `limit` bytes or holds more than `values` values, 422 when it is nested too
 * deeply, 400 when it is no UTF-8. Reads no further than the limit.
 */
export async function readJsonText(
  c: HttpContext,
  { limit = DEFAULT_BODY_LIMIT, values = MAX_BODY_VALUES }: BodyLimits = {},
): Promise<BodyText> {
  requireJson(c.req.header("content-type"));
  const zipped = isZipped(c.req.header("content-encoding"));
  const sent = await readBytes(c.req.raw, limit);
  const plain = zipped ? await unzip(sent, limit) : sent;
  note(c, { body_bytes: plain.byteLength });
  requireBounded(plain, values);
  return { text: decode(plain), bytes: plain.byteLength };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Throws an {@link AppError} when a JSON text, in UTF-8, has more than `maxValues` values, or is nested too deeply: a
 * comma or an opening bracket comes before each value within another. Takes half a nanosecond a byte.
 */
function requireBounded(bytes: Uint8Array, maxValues: number): void {
  if (bytes.length <= Math.min(maxValues, MAX_BODY_DEPTH)) return;
  let values = 0;
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (byte === COMMA) values++;
    else if (byte === LIST || byte === OBJECT) {
      values++;
      if (++depth > MAX_BODY_DEPTH) {
        throw invalidFields({ body: [`must be nested at most ${MAX_BODY_DEPTH} levels deep`] });
      }
    } else if (byte === LIST_END || byte === OBJECT_END) depth--;
  }
  if (values > maxValues) {
    throw new AppError(
      "payload-too-large",
      `The body has more than ${maxValues} values; names and entries of lists count.`,
    );
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new AppError("malformed-json", "The body is not valid UTF-8.", { cause });
  }
}

/** Reads the body for the validators that follow: they find it in the request's cache. See {@link readJsonText}. */
export function jsonBody(limits: BodyLimits = {}) {
  return createMiddleware<HttpEnv>(async function readBody(c, next) {
    const { text } = await readJsonText(c, limits);
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
    await next();
  });
}

function requireJson(contentType: string | undefined): void {
  const essence = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (essence === "application/json") return;
  throw new AppError("unsupported-media-type", "The body must be sent as application/json.", {
    headers: { Accept: "application/json" },
  });
}

function isZipped(encoding: string | undefined): boolean {
  const name = encoding?.trim().toLowerCase() ?? "identity";
  if (name === "identity") return false;
  if (name === "gzip" || name === "x-gzip") return true;
  throw new AppError("unsupported-media-type", "The content encoding must be gzip or identity.", {
    headers: { "Accept-Encoding": "gzip, identity" },
  });
}

/** Reads a body whole. Throws an {@link AppError}, 413, when it is over `limit` bytes; reads no further than that. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > limit) throw tooLarge(limit);
    const whole = new Uint8Array(await request.arrayBuffer());
    if (whole.byteLength > limit) throw tooLarge(limit);
    return whole;
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

async function unzip(bytes: Uint8Array, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await inflate(bytes, { maxOutputLength: limit });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limit);
    throw new AppError("malformed-json", "The body is not valid gzip.", { cause });
  }
}

function tooLarge(limit: number): AppError {
  return new AppError("payload-too-large", `The body is over the limit of ${limit} bytes.`);
}
