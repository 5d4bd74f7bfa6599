import { loadConfig } from "@isnad/lib/service/config";
import { createServiceClient, listen, type Listening, type Service } from "@isnad/lib/service/http";
import { createEmbedder, createReader, createReranker, openRegistry } from "@isnad/lib/models";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { createApp } from "../app.ts";
import { chooseCapabilities, type OwnModels } from "../capabilities.ts";

/** The `x-api-key` of {@link testEdge}. */
export const KEY = "edge-key";

/** A request as the retrieval service of a test saw it. */
type SeenSearch = { path: string; requestId: string | null; body: Record<string, unknown> };

/** The edge worker behind a port of its own, over a retrieval service that answers what the test says. */
export type TestEdge = Service & {
  url: string;
  lines: Record<string, unknown>[];
  searches: SeenSearch[];
  /** Posts JSON with the key; `headers` come on top. */
  post(path: string, body: unknown, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  close(): Promise<void>;
};

/** How the retrieval service of a test answers a path. */
type Answers = (search: SeenSearch) => unknown;

let own: Promise<OwnModels> | undefined;

/** The models that ship with the platform, loaded once for all tests of a file. */
export function shippedModels(): Promise<OwnModels> {
  own ??= (async () => {
    const registry = openRegistry();
    const [embedder, reranker, reader] = await Promise.all([
      createEmbedder({ registry }),
      createReranker({ registry }),
      createReader({ registry }),
    ]);
    return { embedder: { model: embedder }, reader: { model: reader }, reranker: { model: reranker }, translators: [] };
  })();
  return own;
}

/** Starts it. `search` makes the body that a search is answered with; a Response goes as it is. */
export async function testEdge({
  env = {},
  search = () => ({ results: [], diagnostics: { embed_ms: 0, search_ms: 0 } }),
  models,
}: {
  env?: Record<string, string>;
  search?: Answers;
  models?: OwnModels;
} = {}): Promise<TestEdge> {
  const searches: SeenSearch[] = [];
  const retrieval = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/livez") return Response.json({ status: "ok" });
      const seen = {
        path: pathname,
        requestId: request.headers.get("x-request-id"),
        body: Object(await request.json()),
      };
      searches.push(seen);
      const answer = await search(seen);
      return answer instanceof Response ? answer : Response.json(answer);
    },
  });
  const config = loadConfig({ EDGE_API_KEY: `${KEY},next-key`, ...env }, { service: "edge" });
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const service = createApp({
    config,
    logger: createLogger({ service: "edge", level: "debug", stream }),
    metrics: createMetrics(),
    retrieval: createServiceClient({
      name: "search service",
      baseUrl: `http://127.0.0.1:${retrieval.port}`,
      timeoutMs: 30_000,
    }),
    capabilities: chooseCapabilities(config, models ?? (await shippedModels())),
  });
  const server: Listening = await listen(service.app.fetch, { host: "127.0.0.1", port: 0 });
  return {
    ...service,
    url: server.url,
    lines,
    searches,
    post: (path, body, headers = {}, signal = new AbortController().signal) =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": KEY, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
        signal,
      }),
    async close() {
      await server.stop(0);
      await retrieval.stop(true);
    },
  };
}

/** A body as plain data. */
export async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  return Object(await response.json());
}

/** A hit of `POST /retrieve` for tests. */
export function hit(articleId: number, title: string, passage: string, rerankScore = 3) {
  const url = `https://news.test/${articleId}`;
  const passages = [{ text: passage, offsets: { start: 0, end: [...passage].length } }];
  const published_at = "2024-05-06T07:08:09.000Z";
  return { article_id: articleId, title, url, published_at, passages, rerank_score: rerankScore };
}

/** Two articles, one in each language. */
export const HITS = [
  hit(
    11,
    "Rail line opens in the north",
    "The new rail line between Sahlan and Noma opened on Monday. It cost 410 million dinars and took six years to build. Ministers posed for photographs on the platform.",
  ),
  hit(
    12,
    "افتتاح محطة تحلية المياه",
    "افتتح الوزير محطة تحلية المياه في وادي سنا يوم الثلاثاء. وبلغت كلفة المحطة 90 مليون دينار. وحضر الافتتاح عدد من السكان.",
  ),
];

/** A chunk as `POST /passages` gives it. */
export function passage(no: number, over: Record<string, unknown> = {}) {
  return {
    doc_id: `00000000-0000-7000-8000-${String(no).padStart(12, "0")}`,
    article_id: no,
    chunk_no: 0,
    title: `Title ${no}`,
    text: `Text number ${no} of the harbour.`,
    url: `https://news.test/${no}`,
    lang: "en",
    source: "demo",
    published_at: "2024-05-06T07:08:09.000Z",
    score: 1 - no / 10,
    ...over,
  };
}
