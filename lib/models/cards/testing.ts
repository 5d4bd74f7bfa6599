import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createServer, type Socket } from "node:net";
import { fileURLToPath, URL } from "node:url";
import type { ModelCard } from "./registry.ts";

/** What a card says of these files of a folder as they are. */
export function filesOfCard(dir: string, names: readonly string[]): ModelCard["files"] {
  return Object.fromEntries(
    names.map((name) => {
      const bytes = readFileSync(join(dir, name));
      return [name, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }];
    }),
  );
}

/** Says how the imitated hub misbehaves. */
type HubFaults = {
  /**
   * Sends this many bytes of a download and no more, as often as given; then closes the connection, or stays silent.
   */
  breakAfter?: number;
  breaks?: number;
  closes?: boolean;
  /** Sends bytes other than those it states the checksum of. */
  alters?: boolean;
  /** Answers a request for a part with the whole. */
  ignoresRange?: boolean;
  /** Sends nothing after the headers. */
  stalls?: boolean;
};

/** A hub on loopback with one repository of a tiny model; `requests` are the downloads, with their ranges. */
export type HubImitation = {
  url: string;
  requests: { path: string; range: string | undefined; authorization: string | undefined }[];
  faults: HubFaults;
  /** Publishes a new commit. */
  commit(sha: string): void;
  close(): Promise<void>;
};

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));

/**
 * Starts a hub that answers as hubs do: the commit of a revision, the tree of a commit (large files with the SHA-256 of
 * their content, small ones with git's SHA-1), and files by range, large ones through a redirect. `graph` names the
 * fixture that the model is.
 */
export async function imitateHub(
  repo: string,
  paths: { model: string; tokenizer: string },
  { graph = "tiny-encoder" }: { graph?: "tiny-encoder" | "cross-encoder-unigram" | "cross-encoder-unknown-input" } = {},
): Promise<HubImitation> {
  const { tokenizer } = JSON.parse(readFileSync(join(FIXTURES, "unigram.json"), "utf8"));
  const content = new Map<string, Uint8Array>([
    [paths.model, readFileSync(join(FIXTURES, `${graph}.onnx`))],
    [paths.tokenizer, new TextEncoder().encode(JSON.stringify(tokenizer))],
  ]);
  let sha = "1f".repeat(20);
  const requests: HubImitation["requests"] = [];
  const faults: HubFaults = {};

  const tree = () =>
    [...content].map(([path, bytes]) => {
      const oid = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
      const large = { oid: createHash("sha256").update(bytes).digest("hex"), size: bytes.length, pointerSize: 130 };
      return { type: "file", path, size: bytes.length, oid, ...(path === paths.model && { lfs: large }) };
    });

  const send = (socket: Socket, bytes: Uint8Array, range: string | undefined): void => {
    const from = faults.ignoresRange ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const rest = bytes.slice(from);
    if (faults.alters) rest.set([(rest[0] ?? 0) ^ 1]);
    const head = {
      "content-length": String(rest.length),
      "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
    };
    const breaks = faults.breakAfter !== undefined && (faults.breaks ?? 0) > 0;
    if (breaks) faults.breaks = (faults.breaks ?? 0) - 1;
    const body = faults.stalls ? new Uint8Array() : breaks ? rest.slice(0, faults.breakAfter) : rest;
    answer(socket, from > 0 ? 206 : 200, head, body, !faults.stalls && (!breaks || faults.closes === true));
  };

  const serve = (socket: Socket, target: string, headers: ReadonlyMap<string, string>): void => {
    const { pathname } = new URL(target, "http://hub");
    const json = (body: unknown) => answer(socket, 200, {}, new TextEncoder().encode(JSON.stringify(body)));
    const path = decodeURIComponent(pathname.replace(`/${repo}/resolve/${sha}/`, "").replace("/cdn/", ""));
    const bytes = content.get(path);
    if (pathname === `/api/models/${repo}/revision/main`) json({ sha, id: repo });
    else if (pathname === `/api/models/${repo}/tree/${sha}`)
      json([{ type: "directory", path: "onnx", size: 0 }, ...tree()]);
    else if (bytes === undefined) answer(socket, 404, {});
    else if (path === paths.model && !pathname.startsWith("/cdn/")) answer(socket, 302, { location: `/cdn/${path}` });
    else {
      requests.push({ path, range: headers.get("range"), authorization: headers.get("authorization") });
      send(socket, bytes, headers.get("range"));
    }
  };

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    let head = "";
    socket.on("data", (piece) => {
      head += String(piece);
      if (!head.endsWith("\r\n\r\n")) return;
      const [first = "", ...lines] = head.trim().split("\r\n");
      head = "";
      const headers = lines.map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      });
      serve(socket, first.split(" ")[1] ?? "/", new Map(headers));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    requests,
    faults,
    commit: (next) => {
      sha = next;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Writes an answer and ends the connection, unless it is to stay silent. */
function answer(
  socket: Socket,
  status: number,
  headers: Record<string, string>,
  body: Uint8Array = new Uint8Array(),
  end = true,
): void {
  const lines = Object.entries({ "content-length": String(body.length), connection: "close", ...headers });
  socket.write(`HTTP/1.1 ${status} Answer\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  if (body.length > 0) socket.write(body);
  if (end) socket.end();
}
