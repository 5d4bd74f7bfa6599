import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { createMiddleware } from "hono/factory";
import { type HttpContext, type HttpEnv, note } from "./context.ts";
import { AppError } from "./problem.ts";

/** Largest body of a route that sets no limit of its own, in bytes. */
const DEFAULT_BODY_LIMIT = 1_500_000;

const inflate = promisify<Buffer | Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);

/** Text of a body, and its size in bytes after decompression. */
export type BodyText = { text: string; bytes: number };

/**
 * Reads a JSON request's body as text. Throws an {@link AppError}: 415 for another media type or encoding, 413 when the
 * body as sent or after gunzip is over `limit` bytes, 400 when it is no UTF-8. Reads no further than the limit.
 */
export async function readJsonText(c: HttpContext, limit: number = DEFAULT_BODY_LIMIT): Promise<BodyText> {
  requireJson(c.req.header("content-type"));
  const zipped = isZipped(c.req.header("content-encoding"));
  const sent = await readBytes(c.req.raw, limit);
  const plain = zipped ? await unzip(sent, limit) : sent;
  note(c, { body_bytes: plain.byteLength });
  return { text: decode(plain), bytes: plain.byteLength };
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
export function jsonBody({ limit = DEFAULT_BODY_LIMIT }: { limit?: number } = {}) {
  return createMiddleware<HttpEnv>(async function readBody(c, next) {
    const { text } = await readJsonText(c, limit);
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
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > limit) throw tooLarge(limit);
    const whole = await request.bytes();
    if (whole.byteLength > limit) throw tooLarge(limit);
    return whole;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

async function unzip(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
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
