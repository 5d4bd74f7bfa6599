import { openTestService } from "../../nlp/linguistic/testing.ts";
import { testRetrieval } from "../../nlp/retrieval/testing.ts";
import { item, testApi, TOKEN as INGEST_TOKEN } from "../../api/testing.ts";
import { KEY as EDGE_KEY, testEdge } from "../../edge/testing/edge.ts";
import { testScraper, TOKEN as SCRAPER_TOKEN } from "../../scraper/testing/scraper.ts";

// What opens the services for the programs around them, in one place.
export { EDGE_KEY, INGEST_TOKEN, item, openTestService, SCRAPER_TOKEN, testApi, testEdge, testRetrieval, testScraper };

/** Returns the OpenAPI documents of all services by their names, as the services serve them. */
export async function serviceDocuments(): Promise<Map<string, unknown>> {
  const documents = new Map<string, unknown>();
  const services = { api: testApi, scraper: testScraper, retrieval: () => testRetrieval([]), edge: testEdge };
  for (const [name, open] of Object.entries(services)) {
    const service = await open();
    documents.set(name, await (await service.app.request("/openapi.json")).json());
    await service.close();
  }
  const nlp = await openTestService();
  documents.set("nlp", await (await fetch(`${nlp.url}/openapi.json`)).json());
  await nlp.close();
  return documents;
}
