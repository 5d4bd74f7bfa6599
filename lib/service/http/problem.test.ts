import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openStore } from "../../store/mod.ts";
import { type TestStore, testStore } from "../../store/testing.ts";
import { allowedMethods, AppError, storeProblem } from "./problem.ts";
import { testService } from "./testing.ts";

setDefaultTimeout(300_000);

let database: TestStore;
beforeAll(async () => {
  database = await testStore({ max: 2 });
});
afterAll(() => database.close());

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("storeProblem()", () => {
  test("makes 503 with Retry-After of a database that cannot be reached", async () => {
    const away = openStore("postgres://nobody@127.0.0.1:1/nothing");
    const problem = storeProblem(await errorOf(away.ping()));
    expect(problem).toMatchObject({ slug: "service-unavailable", status: 503, headers: { "Retry-After": "5" } });
    expect(problem?.logMessage).toBe("database query exception");
    expect(problem?.message).toBe("The database cannot be reached.");
    await away.close();
  });

  test("says of a database that is there, and has no room or time for it, that it cannot do this now", async () => {
    // As when its disk is full.
    const full = database.sql`do $$ begin raise exception 'no space left' using errcode = 'disk_full'; end $$`;
    const problem = storeProblem(await errorOf(full.execute()));
    expect(problem).toMatchObject({ status: 503, message: "The database cannot do this now." });
  });

  test("makes 422 of a text that the database cannot hold", async () => {
    const error = await errorOf(database.store.scraper.runs.list({ profileId: "a\0b", limit: 1 }));
    expect(storeProblem(error)).toMatchObject({ status: 422, errors: { body: [expect.stringContaining("U+0000")] } });
  });

  test("makes 500 of a statement that the database refuses", async () => {
    const error = await errorOf(database.sql`select 1 / 0`.execute());
    expect(storeProblem(error)).toMatchObject({ status: 500, logMessage: "database query exception" });
  });

  test("says nothing of other errors", () => {
    for (const error of [new TypeError("x"), new AppError("not-found", "x"), "x", undefined]) {
      expect(storeProblem(error)).toBeUndefined();
    }
  });
});

test("every service answers so without a classifier of its own", async () => {
  const { app, lines } = testService();
  app.get("/broken", async (c) => c.json(await database.sql`select 1 / 0`));
  app.get("/text", async (c) => c.json(await database.sql`select ${"a\0"}::text`));
  expect((await app.request("/broken")).status).toBe(500);
  expect(lines.at(-1)).toMatchObject({ msg: "database query exception", level: "error" });
  const refused = await app.request("/text");
  expect([refused.status, await refused.json()]).toMatchObject([422, { type: "/errors/validation-error" }]);
});

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
