import { KeysRequest } from "@isnad/lib/contract";
import { createClassifier, createReranker, openRegistry } from "@isnad/lib/models";
import { KEYS_PATH, listen, type Service, z } from "@isnad/lib/service/http";
import type { Config } from "@isnad/lib/service/config";
import { readNewsroom } from "../cli/demo/newsroom.ts";
import {
  EDGE_KEY,
  INGEST_TOKEN,
  item,
  openTestService,
  SCRAPER_TOKEN,
  testApi,
  testEdge,
  testRetrieval,
  testScraper,
} from "../tools/clients/documents.ts";
import type { Document, Route } from "./cost-requests.ts";

/** A service in this process: what a client sends with each request, and how long those who ask it wait. */
export type CostedService = {
  name: string;
  app: Pick<Service["app"], "fetch" | "request" | "routes">;
  headers: Record<string, string>;
  deadlineMs(path: string): number;
  close(): Promise<void>;
};

/** Says how long the API waits for a search or an analysis, for the beginning of an answer, and for a statement. */
const SEARCH_MS = 10_000;
const ANSWER_MS = 30_000;
const STATEMENT_MS = 3_000;
/** Articles of the archive. */
const ARTICLES = 60;

/** Credential of services among each other. */
const INTERNAL_TOKEN = "internal-token";

/** Opens the services that answer over HTTP, by name. */
export const SERVICES: Readonly<Record<keyof Config["ports"], () => Promise<CostedService>>> = {
  scraper: openScraper,
  retrieval: openRetrieval,
  nlp: openLinguistic,
  edge: openEdge,
  api: openApi,
};

/** Routes that are in no document because services ask them of each other. */
const HIDDEN: Document["paths"] = {
  [KEYS_PATH]: {
    post: { requestBody: { content: { "application/json": { schema: Object(z.toJSONSchema(KeysRequest)) } } } },
  },
};

/** The routes of a service, with what its document says of each; those of services among each other, too. */
export async function routesOf(app: CostedService["app"]): Promise<{ routes: Route[]; document: Document }> {
  const document: Document = Object(await (await app.request("/openapi.json")).json());
  const routes = new Map<string, Route>();
  for (const { method, path } of app.routes) {
    const documented = path.replace(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");
    const operation = (document.paths[documented] ?? HIDDEN[documented])?.[method.toLowerCase()];
    if (method !== "ALL") routes.set(`${method} ${documented}`, { method, path: documented, operation });
  }
  return { routes: [...routes.values()], document };
}

async function openRetrieval(): Promise<CostedService> {
  const registry = openRegistry();
  const [classifier, reranker] = await Promise.all([createClassifier({ registry }), createReranker({ registry })]);
  const articles = readNewsroom().map(({ title, content, lang }, axis) => ({ title, content, lang, axis: axis % 8 }));
  const service = await testRetrieval(articles.slice(0, ARTICLES), {
    classifier: { model: classifier },
    reranker: { model: reranker },
    env: { DATABASE_TIMEOUT_MS: String(STATEMENT_MS) },
  });
  return {
    ...{ name: "retrieval", app: service.app, headers: {}, deadlineMs: () => SEARCH_MS },
    close: async () => {
      await service.close();
      await Promise.all([classifier.close(), reranker.close()]);
    },
  };
}

async function openLinguistic(): Promise<CostedService> {
  const service = await openTestService();
  return { ...service, name: "nlp", headers: {}, deadlineMs: () => SEARCH_MS };
}

/** The edge before the search service, both in this process: its figures hold those. */
async function openEdge(): Promise<CostedService> {
  const retrieval = await openRetrieval();
  const headers = { "content-type": "application/json" };
  const search = ({ path, body }: { path: string; body: unknown }) =>
    retrieval.app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
  const service = await testEdge({ search });
  return {
    ...{ name: "edge", app: service.app, headers: { "x-api-key": EDGE_KEY }, deadlineMs: () => ANSWER_MS },
    close: async () => {
      await service.close();
      await retrieval.close();
    },
  };
}

/** The API before the search service and the edge, all in this process: its figures hold theirs. */
async function openApi(): Promise<CostedService> {
  const [retrieval, edge] = await Promise.all([openRetrieval(), openEdge()]);
  const search = await listen(retrieval.app.fetch, { host: "127.0.0.1", port: 0 });
  const answers = await listen(edge.app.fetch, { host: "127.0.0.1", port: 0 });
  const api = await testApi({
    ...{ RETRIEVAL_URL: search.url, EDGE_URL: answers.url, EDGE_API_KEY: EDGE_KEY, INTERNAL_TOKEN },
    ...{ SUMMARIZE_RATE_PER_MIN: "1000000", LOG_LEVEL: "fatal" },
  });
  await api.post({ articles: Array.from({ length: ARTICLES }, (_, i) => item({ external_id: `cost-${i}` })) });
  const deadlineMs = (path: string) =>
    /chat|summarize/.test(path) ? ANSWER_MS : path === "/v1/search" ? SEARCH_MS : STATEMENT_MS;
  return {
    ...{ name: "api", app: api.app, deadlineMs },
    headers: { authorization: `Bearer ${INGEST_TOKEN}`, "x-internal-token": INTERNAL_TOKEN },
    close: async () => {
      await api.close();
      await Promise.all([search.stop(0), answers.stop(0)]);
      await Promise.all([retrieval.close(), edge.close()]);
    },
  };
}

async function openScraper(): Promise<CostedService> {
  const service = await testScraper();
  const headers = { authorization: `Bearer ${SCRAPER_TOKEN}` };
  return { ...service, name: "scraper", headers, deadlineMs: () => STATEMENT_MS };
}
