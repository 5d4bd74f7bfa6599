import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { VERSION } from "../../../service/config/mod.ts";
import { backoffMs, errorMessage } from "../../../std/mod.ts";
import { createFetcher, EgressError, type Fetcher, hostWithPort } from "../../../web/egress/mod.ts";
import { InferenceError } from "../../runtime/errors.ts";

/**
 * Fetches from the hub at `url`. The hub's own host, which the operator named, may be a private one; what it redirects
 * to may not.
 */
function hubFetcher(url: string): Fetcher {
  return createFetcher({ userAgent: `isnad/${VERSION}`, allowPrivateHosts: hostWithPort(url) });
}

/** A file of a repository on the hub: its size in bytes, and a checksum of its content. */
export type HubFile = { path: string; bytes: number; checksum: { algorithm: "sha256" | "git-sha1"; hex: string } };

/** A repository at one commit. */
type HubRepo = { commit: string; files: Map<string, HubFile> };

/** A hub of models: where it is, and a token for what is not public. */
export type Hub = { url: string; token?: string | undefined };

const revision = z.object({ sha: z.string().regex(/^[0-9a-f]{7,64}$/) });
const tree = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    size: z.number().int().min(0),
    oid: z.string().optional(),
    lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().min(0) }).optional(),
  }),
);

const TIMEOUT_MS = 30_000;

/** Bytes of the longest list of files that is read. */
const MAX_LIST = 50_000_000;

/** Returns the headers of a request to the hub. */
function hubHeaders({ token }: Hub): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Tells where a file is downloaded from. */
export function fileUrl({ url }: Hub, repo: string, commit: string, path: string): string {
  return `${url}/${repo}/resolve/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * Returns the newest commit of a repository and its files. @throws InferenceError `hub-failed`; the signal's reason
 */
export async function readRepo(hub: Hub, repo: string, signal: AbortSignal): Promise<HubRepo> {
  const { sha: commit } = await getJson(hub, `/api/models/${repo}/revision/main`, revision, signal);
  const listed = await getJson(hub, `/api/models/${repo}/tree/${commit}?recursive=1`, tree, signal);
  const files = new Map<string, HubFile>();
  for (const { type, path, size, oid, lfs } of listed) {
    if (type !== "file") continue;
    if (lfs !== undefined) files.set(path, { path, bytes: lfs.size, checksum: { algorithm: "sha256", hex: lfs.oid } });
    else if (oid !== undefined) files.set(path, { path, bytes: size, checksum: { algorithm: "git-sha1", hex: oid } });
  }
  return { commit, files };
}

async function getJson<T>(hub: Hub, path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  const failed = (what: string, cause?: unknown) =>
    new InferenceError("hub-failed", `${hub.url}${path}: ${what}`, { cause });
  const headers = { ...hubHeaders(hub), accept: "application/json" };
  const answer = await hubFetcher(hub.url)(hub.url + path, {
    headers,
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_LIST,
  }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw failed("the hub does not answer", cause);
  });
  if (!answer.ok) throw failed(`the hub answered ${answer.status}`);
  let body: unknown;
  try {
    body = JSON.parse(answer.text().text);
  } catch (cause) {
    throw failed("no JSON", cause);
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw failed("not what a hub answers", parsed.error);
  return parsed.data;
}

/** Holds what a download is told and tells. */
type DownloadOptions = {
  hub: Hub;
  signal: AbortSignal;
  /** Told the bytes that are there, of this file. */
  onProgress?(bytes: number): void;
  /** Without a byte for this long the connection is abandoned. Default 30,000 ms. */
  stallMs?: number;
  /** The first pause after a broken connection; doubled each time. Default 1,000 ms. */
  pauseMs?: number;
};

/** Connections that may break one after the other without a byte between them. */
const TRIES = 5;

/** The longest that one connection may send, in milliseconds. */
const CONNECTION_TIMEOUT_MS = 86_400_000;

/** A break that another try may get over. */
class Broken extends Error {}

/**
 * Downloads a file to `path`, going on where an earlier download stopped (`path` + `.part`), and again after broken
 * connections. The file appears under its name only with the size and checksum that the hub states.
 * @throws InferenceError `hub-failed`; `model-altered` when the content is not what the hub states; the signal's reason
 */
export async function download(url: string, file: HubFile, path: string, options: DownloadOptions): Promise<void> {
  const { signal, pauseMs = 1_000 } = options;
  const part = `${path}.part`;
  for (let tries = 1; ; ) {
    const before = await sizeOf(part);
    if (before > file.bytes) await rm(part);
    if (before === file.bytes) break;
    try {
      await append(url, file, part, before > file.bytes ? 0 : before, options);
      if ((await sizeOf(part)) < file.bytes) throw new Broken("the connection ended early");
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Broken)) throw error;
      if ((await sizeOf(part)) > before) tries = 1;
      else if (++tries > TRIES) throw new InferenceError("hub-failed", `${url}: ${error.message}`, { cause: error });
      await sleep(backoffMs(tries - 1, { baseMs: pauseMs, maxMs: 60_000 }), undefined, { signal });
    }
  }
  if ((await checksumOf(part, file)) !== file.checksum.hex) {
    await rm(part);
    throw new InferenceError("model-altered", `${url}: the content does not have the checksum that the hub states`);
  }
  await rename(part, path);
}

/** Appends what the hub sends from byte `from` on; starts over when the hub sends the whole. */
async function append(url: string, file: HubFile, part: string, from: number, options: DownloadOptions): Promise<void> {
  const { hub, signal, onProgress, stallMs = 30_000 } = options;
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Broken("nothing came")), stallMs);
  try {
    // not encoded on the way: a part of what is encoded is no part of the file
    const headers = {
      ...hubHeaders(hub),
      accept: "*/*",
      "accept-encoding": "identity",
      ...(from > 0 && { range: `bytes=${from}-` }),
    };
    const { status, ok } = await hubFetcher(hub.url)(url, {
      headers,
      signal: AbortSignal.any([signal, stalled.signal]),
      timeoutMs: CONNECTION_TIMEOUT_MS,
      maxBytes: file.bytes,
      async onBody(head, pieces) {
        const goesOn = head.status === 206 && head.headers["content-range"]?.startsWith(`bytes ${from}-`) === true;
        let bytes = goesOn ? from : 0;
        const out = await open(part, goesOn ? "a" : "w");
        try {
          for await (const piece of pieces) {
            await out.write(piece);
            bytes += piece.length;
            onProgress?.(bytes);
            timer.refresh();
          }
          await out.sync();
        } finally {
          await out.close();
        }
      },
    });
    if (status === 408 || status === 429 || status >= 500) throw new Broken(`the hub answered ${status}`);
    if (!ok) throw new InferenceError("hub-failed", `${url}: the hub answered ${status}`);
  } catch (error) {
    if (error instanceof InferenceError || error instanceof Broken || signal.aborted) throw error;
    if (stalled.signal.aborted) throw stalled.signal.reason;
    if (!(error instanceof EgressError) || error.retryable) {
      throw new Broken(errorMessage(error));
    }
    const code = error.code === "too-large" ? "model-altered" : "hub-failed";
    throw new InferenceError(code, error.message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/**
 * Returns the checksum of a file as the hub counts it: SHA-256 of the content, or git's SHA-1 of the content after its
 * header.
 */
async function checksumOf(path: string, { bytes, checksum }: HubFile): Promise<string> {
  const hash: Hash =
    checksum.algorithm === "sha256" ? createHash("sha256") : createHash("sha1").update(`blob ${bytes}\0`);
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}
