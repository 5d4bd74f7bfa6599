import { createServer, type IncomingMessage } from "node:http";
import { REVISIONS } from "./post.ts";

/** A request that a {@link startIngestStub} saw. */
export type SeenRequest = { path: string; key: string; token: string; requestId: string; bytes: number; ids: string[] };

/**
 * Describes what the stub does with a request: a bare status, a dropped connection, or (undefined) the usual answer.
 */
export type Fault = { status: number; headers?: Record<string, string>; body?: unknown } | "drop" | undefined;

/** The stub, and what it holds. */
export type IngestStub = {
  url: string;
  seen: SeenRequest[];
  /** The content of each article by source and external id. */
  stored: Map<string, string>;
  /** Says what was reported of each since, in turn: a text, or null for a deletion. */
  revisions: Map<string, (string | null)[]>;
  stop(): Promise<void>;
};

/**
 * A loopback server with the status tables of the ingest route and of the one of revisions, and nothing behind it, for
 * what the real one cannot be made to do: `fault` is asked before every request. Items whose content is "bad" fail.
 */
export async function startIngestStub(
  fault: (nth: number, seen: SeenRequest) => Fault = () => undefined,
): Promise<IngestStub> {
  const seen: SeenRequest[] = [];
  const stored = new Map<string, string>();
  const revisions = new Map<string, (string | null)[]>();
  const answers = new Map<string, { status: number; body: unknown }>();
  let ids = 0;
  const server = createServer(async (request, response) => {
    const text = await readBody(request);
    const { articles } = JSON.parse(text) as {
      articles: { source_id: string; external_id: string; content?: string }[];
    };
    const key = String(request.headers["idempotency-key"]);
    const record: SeenRequest = {
      path: request.url ?? "",
      key,
      token: String(request.headers.authorization),
      requestId: String(request.headers["x-request-id"]),
      bytes: Buffer.byteLength(text),
      ids: articles.map((article) => article.external_id),
    };
    seen.push(record);
    const wrong = fault(seen.length, record);
    if (wrong === "drop") return void request.socket.destroy();
    if (wrong !== undefined) {
      response.writeHead(wrong.status, { "content-type": "application/problem+json", ...wrong.headers });
      return void response.end(JSON.stringify(wrong.body ?? { title: "Wrong", detail: "as told" }));
    }
    const answer = answers.get(key) ?? (request.url === REVISIONS.path ? takeReports() : decide());
    answers.set(key, answer);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));

    function takeReports() {
      const results = articles.map(({ source_id, external_id, content = null }) => {
        const pair = `${source_id}/${external_id}`;
        const original = stored.get(pair);
        if (original === undefined) {
          const error = { type: "/errors/unknown-article", title: "Invalid Payload", detail: "there is none" };
          return { external_id, status: "failed", error };
        }
        const texts = revisions.get(pair) ?? [];
        if ((texts.length === 0 ? original : texts.at(-1)) === content) return { external_id, status: "known" };
        revisions.set(pair, [...texts, content]);
        return { external_id, status: "recorded" };
      });
      return { status: 200, body: { results } };
    }

    function decide() {
      const after = new Map(stored);
      const results = articles.map(({ source_id, external_id, content = "" }) => {
        if (content === "bad") {
          const error = { type: "/errors/content-too-short", title: "Invalid Payload", detail: "content is too short" };
          return { external_id, status: "failed", error };
        }
        const pair = `${source_id}/${external_id}`;
        const earlier = after.get(pair);
        after.set(pair, earlier ?? content);
        return {
          external_id,
          status: earlier === undefined ? "accepted" : earlier === content ? "duplicate" : "conflict",
        };
      });
      if (results.some((result) => result.status === "conflict")) return { status: 409, body: { results } };
      for (const [pair, content] of after) stored.set(pair, content);
      return {
        status: 202,
        body: { results: results.map((r) => (r.status === "failed" ? r : { ...r, article_id: ++ids })) },
      };
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    stored,
    revisions,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
