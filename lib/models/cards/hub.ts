import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { VERSION } from "../../service/config/mod.ts";
import { tryExclusive } from "../../service/process/files.ts";
import { backoffMs, errorMessage } from "../../std/mod.ts";
import { createFetcher, EgressError, type Fetcher, hostWithPort } from "../../web/egress/mod.ts";
import { InferenceError } from "../runtime/errors.ts";
import known from "./hub/catalogue.json";
import { type ModelCard, modelCard, openRegistry } from "./registry.ts";

type PullOptions = {
  hub: Hub;
  /** The folder of pulled models, `DATA_DIR/models`. */
  dir: string;
  signal: AbortSignal;
  /** Told the bytes that are there, of all. */
  onProgress?(bytes: number, total: number): void;
  /** See `download`. */
  stallMs?: number;
  pauseMs?: number;
};

/** Holds what a pull did: `present` when this very revision was there, whole. */
type Pulled = { card: ModelCard; dir: string; outcome: "pulled" | "present"; bytes: number };

/**
 * Brings a model from the hub into `dir`/name: files first, each checked, then all of it under its name at once, so
 * that a model is there whole or not at all. A pull that was broken off goes on where it stopped.
 * @throws InferenceError `hub-failed`, also while another process pulls this model, `model-altered`; the signal's
 * reason
 */
export async function pullModel(entry: CatalogueEntry, options: PullOptions): Promise<Pulled> {
  const { dir } = options;
  await mkdir(dir, { recursive: true });
  // Two that wrote the same draft would spoil what the other has checked.
  const lock = tryExclusive(join(dir, `.lock-${entry.name}`));
  if (lock === undefined) throw new InferenceError("hub-failed", `${entry.name} is being pulled already`);
  try {
    return await pullAlone(entry, options);
  } finally {
    lock.release();
  }
}

async function pullAlone(entry: CatalogueEntry, options: PullOptions): Promise<Pulled> {
  const { hub, dir, signal, onProgress } = options;
  const { commit, files } = await readRepo(hub, entry.repo, signal);
  const downloads = Object.entries(entry.files).map(([name, path]): [string, HubFile] => {
    const file = files.get(path);
    if (file === undefined) throw new InferenceError("hub-failed", `${entry.repo} has no ${path} at ${commit}`);
    return [name, file];
  });
  const total = downloads.reduce((sum, [, file]) => sum + file.bytes, 0);
  const home = join(dir, entry.name);
  const revision = commit.slice(0, 12);
  const present = await wholeModel(dir, entry);
  if (present?.revision === revision) return { card: present, dir: home, outcome: "present", bytes: total };

  const draft = join(dir, `.pulling-${entry.name}-${revision}`);
  await mkdir(draft, { recursive: true });
  await removeOthers(dir, `.pulling-${entry.name}-`, draft);
  let done = 0;
  for (const [name, file] of downloads) {
    const path = join(draft, name);
    if (!(await isThere(path))) {
      await download(fileUrl(hub, entry.repo, commit, file.path), file, path, {
        ...options,
        signal,
        onProgress: (bytes) => onProgress?.(done + bytes, total),
      });
    }
    done += file.bytes;
    onProgress?.(done, total);
  }
  const { repo, files: _paths, ...facts } = entry;
  const checked: ModelCard["files"] = {};
  for (const [name, { bytes }] of downloads) checked[name] = { sha256: await sha256Of(join(draft, name)), bytes };
  const card: ModelCard = { ...facts, revision, files: checked, trained_by: repo };
  await writeFile(join(draft, "model.json"), `${JSON.stringify(card, null, 2)}\n`);
  const old = join(dir, `.old-${entry.name}-${process.pid}`);
  if (await isThere(home)) await rename(home, old);
  await rename(draft, home);
  await rm(old, { recursive: true, force: true });
  return { card, dir: home, outcome: "pulled", bytes: total };
}

/** Returns the card of the model where it is there with every file that the entry names, each as the card says. */
async function wholeModel(dir: string, { name, files }: CatalogueEntry): Promise<ModelCard | undefined> {
  const registry = openRegistry({ dirs: [dir] });
  const card = registry.list().find((found) => found.name === name)?.card;
  if (card === undefined || Object.keys(files).some((file) => card.files[file] === undefined)) return undefined;
  return registry.verify(name).then(
    () => card,
    () => undefined,
  );
}

/** Drafts of earlier revisions are of no use any more. */
async function removeOthers(dir: string, prefix: string, keep: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    // Another model's name may begin with this one's.
    const isDraft = name.startsWith(prefix) && /^[0-9a-f]+$/.test(name.slice(prefix.length));
    if (isDraft && path !== keep) await rm(path, { recursive: true });
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

const entry = modelCard
  .pick({
    name: true,
    task: true,
    languages: true,
    description: true,
    licence: true,
    architecture: true,
    dims: true,
    pooling: true,
    max_tokens: true,
    prefixes: true,
    translates: true,
  })
  .extend({
    /** `owner/name` on the hub. */
    repo: z.string().regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/),
    /** From the name of a file of the model to its path in the repository. */
    files: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/), z.string().min(1)),
  });

/** A model that can be pulled. */
export type CatalogueEntry = z.infer<typeof entry>;

/** The models that can be pulled by their names: known to be good, and of licences that allow free use. */
export const CATALOGUE: readonly CatalogueEntry[] = z.object({ models: z.array(entry) }).parse(known).models;

/** Returns the entry of this name. @throws InferenceError `model-unknown`, which names those there are */
export function catalogueEntry(name: string): CatalogueEntry {
  const match = CATALOGUE.find((each) => each.name === name);
  if (match !== undefined) return match;
  const names = CATALOGUE.map((each) => each.name).join(", ");
  throw new InferenceError("model-unknown", `no model named ${name} can be pulled; there are ${names}`, {
    model: name,
  });
}

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
type Hub = { url: string; token?: string | undefined };

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
function fileUrl({ url }: Hub, repo: string, commit: string, path: string): string {
  return `${url}/${repo}/resolve/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * Returns the newest commit of a repository and its files. @throws InferenceError `hub-failed`; the signal's reason
 */
async function readRepo(hub: Hub, repo: string, signal: AbortSignal): Promise<HubRepo> {
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
