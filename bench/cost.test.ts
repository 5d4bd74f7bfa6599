import { expect, setDefaultTimeout, test } from "bun:test";
import { testService } from "../lib/service/http/testing.ts";
import { z } from "@isnad/lib/service/http";
import { EMPTY_SERVICES } from "../e2e/services.ts";
import { routesOf, spread, unlistedOf } from "./cost.ts";
import { type HostileRequest, hostileRequests, TEXTS } from "./cost-requests.ts";

setDefaultTimeout(300_000);

test.each(Object.entries(EMPTY_SERVICES))("the table has every route of %s, each with its fields", async (_, open) => {
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

test("of a route with many fields each is hostile at least once, in different ways", () => {
  const whats = Array.from({ length: 40 }, (_, field) => Object.keys(TEXTS).map((text) => `f${field}: ${text}`)).flat();
  const requests = ["as documented", ...whats, "many names", "all fields: dots × 9", "x: deep JSON"].map((what) => ({
    what,
    path: "/",
    init: {},
  }));
  const chosen = spread(requests, 100).map(({ what }) => what);
  expect(chosen.slice(0, 4)).toEqual(["as documented", "many names", "all fields: dots × 9", "x: deep JSON"]);
  expect(new Set(chosen).size).toBe(100);
  const partsOf = (part: 0 | 1) => new Set(chosen.slice(4).map((what) => what.split(": ")[part]));
  expect(partsOf(0).size).toBe(40);
  expect(partsOf(1).size).toBe(Object.keys(TEXTS).length);
  expect(spread(requests, 10_000)).toHaveLength(requests.length);
});
