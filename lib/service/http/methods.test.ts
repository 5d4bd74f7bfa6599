import { expect, test } from "bun:test";
import { allowedMethods } from "./methods.ts";
import { testService } from "./testing.ts";

const routes = [
  { method: "ALL", path: "/*" },
  { method: "GET", path: "/v1/articles/:id" },
  { method: "DELETE", path: "/v1/articles/:id" },
  { method: "POST", path: "/v1/ingest/articles" },
];

test("the methods of a known path are listed, HEAD with GET", () => {
  const methodsOf = allowedMethods(routes);
  expect(methodsOf("/v1/articles/7")).toEqual(["DELETE", "GET", "HEAD"]);
  expect(methodsOf("/v1/ingest/articles")).toEqual(["POST"]);
});

test("an unknown path has none", () => {
  const methodsOf = allowedMethods(routes);
  for (const path of ["/", "/v1/articles", "/v1/articles/7/x", "/v1/ingest/articles/"])
    expect(methodsOf(path)).toEqual([]);
});

test("a wrong method is told the right ones, and a middleware does not make a path known", async () => {
  const { app } = testService();
  app.use("/guarded/*", (_c, next) => next());
  app.get("/guarded/thing", (c) => c.text("x"));
  const wrong = await app.request("/guarded/thing", { method: "PUT" });
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get("allow")).toBe("GET, HEAD");
  expect(await wrong.json()).toMatchObject({ type: "/errors/method-not-allowed", instance: "/guarded/thing" });
  const unknown = await app.request("/guarded/other");
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toMatchObject({ type: "/errors/not-found" });
  expect((await app.request("/guarded/thing", { method: "HEAD" })).status).toBe(200);
});
