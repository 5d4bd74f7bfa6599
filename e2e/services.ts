import { createClassifier, createReranker, NOT_LOADED, openRegistry } from "@isnad/lib/models";
import { listen, type Service } from "@isnad/lib/service/http";
import type { Config } from "@isnad/lib/service/config";
import { readNewsroom } from "../cli/demo/site.ts";
import { item, testApi, TOKEN as INGEST_TOKEN } from "../api/testing.ts";
import { KEY as EDGE_KEY, testEdge } from "../edge/testing/edge.ts";
import { openTestService } from "../nlp/linguistic/testing.ts";
import { testRetrieval } from "../nlp/retrieval/testing.ts";
import { testScraper, TOKEN as SCRAPER_TOKEN } from "../scraper/testing/scraper.ts";

/** The services that answer over HTTP. */
type ServiceName = keyof Config["ports"];

/** A service in this process, over a database and a data folder of its own. */
type ServiceHere = { app: Pick<Service["app"], "fetch" | "request" | "routes">; close(): Promise<void> };

/** A service that holds an archive: the headers of its clients, and how long those wait for a route. */
export type FilledService = ServiceHere & {
  name: string;
  headers: Record<string, string>;
  deadlineMs(path: string): number;
};

/** Opens each service without articles, and without those models that its routes can do without. */
export const EMPTY_SERVICES: Readonly<Record<ServiceName, () => Promise<ServiceHere>>> = {
  api: testApi,
  scraper: testScraper,
  retrieval: () => testRetrieval([]),
  edge: () => testEdge({ models: { embedder: NOT_LOADED, reader: NOT_LOADED, reranker: NOT_LOADED, translators: [] } }),
  nlp: openTestService,
};

/** Limits of the API for a search or an analysis, for the beginning of an answer, and for a statement. */
const SEARCH_MS = 10_000;
const ANSWER_MS = 30_000;
const STATEMENT_MS = 3_000;
/** Articles of the archive. */
const ARTICLES = 60;

/** Credential of services among each other. */
const INTERNAL_TOKEN = "internal-token";

/** Opens each service with an archive and the models that ship, before the services that it asks. */
export const FILLED_SERVICES: Readonly<Record<ServiceName, () => Promise<FilledService>>> = {
  scraper: openScraper,
  retrieval: openRetrieval,
  nlp: openLinguistic,
  edge: openEdge,
  api: openApi,
};

/** Returns the OpenAPI documents of all services by their names, as the services serve them. */
export async function serviceDocuments(): Promise<Map<string, unknown>> {
  const documents = new Map<string, unknown>();
  for (const [name, open] of Object.entries(EMPTY_SERVICES)) {
    const service = await open();
    documents.set(name, await (await service.app.request("/openapi.json")).json());
    await service.close();
  }
  return documents;
}

async function openRetrieval(): Promise<FilledService> {
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

async function openLinguistic(): Promise<FilledService> {
  const service = await openTestService();
  return { ...service, name: "nlp", headers: {}, deadlineMs: () => SEARCH_MS };
}

/** Stands for a transcript of any recording. */
const TRANSCRIPT = { text: "…", language: "arabic", duration: 1, segments: [{ id: 0, start: 0, end: 1, text: "…" }] };

/** The edge before the search service, both in this process: its figures hold those. */
async function openEdge(): Promise<FilledService> {
  const retrieval = await openRetrieval();
  const headers = { "content-type": "application/json" };
  const search = ({ path, body }: { path: string; body: unknown }) =>
    retrieval.app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
  const speech = await listen(() => Response.json(TRANSCRIPT), { host: "127.0.0.1", port: 0 });
  const service = await testEdge({ search, env: { LLM_ASR_URL: speech.url, LLM_ASR_MODEL: "none" } });
  return {
    ...{ name: "edge", app: service.app, deadlineMs: () => ANSWER_MS },
    headers: { "x-api-key": EDGE_KEY, "x-dev-key": "local-dev" },
    close: async () => {
      await service.close();
      await speech.stop(0);
      await retrieval.close();
    },
  };
}

/** The API before the search service and the edge, all in this process: its figures hold theirs. */
async function openApi(): Promise<FilledService> {
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

async function openScraper(): Promise<FilledService> {
  const service = await testScraper();
  const headers = { authorization: `Bearer ${SCRAPER_TOKEN}` };
  return { ...service, name: "scraper", headers, deadlineMs: () => STATEMENT_MS };
}
