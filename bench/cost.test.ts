import { expect, setDefaultTimeout, test } from "bun:test";
import { testService } from "../lib/service/http/testing.ts";
import { NOT_LOADED } from "@isnad/lib/models";
import { z } from "@isnad/lib/service/http";
import { testApi } from "../api/testing.ts";
import { testEdge } from "../edge/testing/edge.ts";
import { openTestService } from "../nlp/linguistic/testing.ts";
import { testRetrieval } from "../nlp/retrieval/testing.ts";
import { testScraper } from "../scraper/testing/scraper.ts";
import { unlistedOf } from "./cost.ts";
import { type HostileRequest, hostileRequests, TEXTS } from "./cost-requests.ts";
import { type CostedService, routesOf, type SERVICES } from "./cost-services.ts";

setDefaultTimeout(60_000);

/** The services with the models that their routes can do without left out. */
const LIGHT: Record<keyof typeof SERVICES, () => Promise<Pick<CostedService, "app" | "close">>> = {
  scraper: testScraper,
  retrieval: () => testRetrieval([]),
  nlp: openTestService,
  edge: () => testEdge({ models: { embedder: NOT_LOADED, reranker: NOT_LOADED, translators: [] } }),
  api: testApi,
};

test.each(Object.entries(LIGHT))("the table has every route of %s, each with its fields", async (_, open) => {
  const service = await open();
  try {
    const { routes, document } = await routesOf(service.app);
    expect(unlistedOf(routes)).toEqual([]);
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(expect.arrayContaining(documented));
  } finally {
    await service.close();
  }
});

test("a route that no document lists is named", async () => {
  const { app } = testService();
  app.get("/hidden/:name", (c) => c.text("here"));
  expect(unlistedOf((await routesOf(app)).routes)).toEqual(["GET /hidden/{name}"]);
});

test("each field of a route gets every hostile text, at its limit", async () => {
  const { app } = testService();
  const note = z.object({ note: z.string().max(300), tags: z.array(z.string().max(20)).max(7) });
  const query = z.object({ name: z.string().max(30) });
  const body = { content: { "application/json": { schema: note } } };
  app.openAPIRegistry.registerPath({ method: "post", path: "/notes", request: { query, body }, responses: {} });
  app.post("/notes", (c) => c.text(""));
  const { routes, document } = await routesOf(app);
  const route = routes.find(({ path }) => path === "/notes");
  const requests = route === undefined ? [] : [...hostileRequests(route, document, {})];
  const bodies = requests.map(({ init }: HostileRequest) => String(init.body));
  for (const [what, text] of Object.entries(TEXTS)) {
    expect(requests.map((request) => request.path)).toContain(`/notes?${new URLSearchParams({ name: text(30) })}`);
    expect(
      bodies.some((sent) => sent.includes(JSON.stringify(text(300)))),
      what,
    ).toBe(true);
    expect(bodies.some((sent) => sent.includes(JSON.stringify(new Array(7).fill(text(20)))))).toBe(true);
  }
});
