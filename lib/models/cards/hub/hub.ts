import { z } from "zod";
import { InferenceError } from "../../runtime/errors.ts";
import { hubFetcher } from "./hub-fetcher.ts";

/** A file of a repository on the hub: its size in bytes, and a checksum of its content. */
export type HubFile = { path: string; bytes: number; checksum: { algorithm: "sha256" | "git-sha1"; hex: string } };

/** A repository at one commit. */
export type HubRepo = { commit: string; files: Map<string, HubFile> };

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

/** The headers of a request to the hub. */
export function hubHeaders({ token }: Hub): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Where a file is downloaded from. */
export function fileUrl({ url }: Hub, repo: string, commit: string, path: string): string {
  return `${url}/${repo}/resolve/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The newest commit of a repository and its files. @throws InferenceError `hub-failed`; the signal's reason */
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
