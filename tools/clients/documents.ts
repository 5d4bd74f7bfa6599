import { openTestService } from "../../nlp/linguistic/testing.ts";
import { testRetrieval } from "../../nlp/retrieval/testing.ts";
import { testApi } from "../../api/testing.ts";
import { testEdge } from "../../edge/testing/edge.ts";
import { testScraper } from "../../scraper/testing/scraper.ts";

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
