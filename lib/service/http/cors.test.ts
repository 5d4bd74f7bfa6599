import { describe, expect, test } from "bun:test";
import { loadConfig } from "@isnad/lib/service/config";
import { testService } from "./testing.ts";

const ORIGIN = "https://news.example";
const config = loadConfig({ CORS_ORIGINS: `${ORIGIN},http://localhost:3000` });
const { app } = testService({ config });
app.get("/things", (c) => c.json({ ok: true }));
app.post("/things", (c) => c.json({ ok: true }));

const ask = (method: string, headers: Record<string, string>, path = "/things") =>
  app.request(path, { method, headers });
const preflight = (method: string, names = "", origin = ORIGIN) =>
  ask("OPTIONS", {
    origin,
    "access-control-request-method": method,
    ...(names !== "" && { "access-control-request-headers": names }),
  });
const allowed = (response: Response) => response.headers.get("access-control-allow-origin");

describe("a page of an origin that is named", () => {
  test("reads, also errors, and sees the headers that tell something", async () => {
    for (const path of ["/things", "/nowhere"]) {
      const response = await ask("GET", { origin: ORIGIN }, path);
      expect(allowed(response)).toBe(ORIGIN);
      expect(response.headers.get("vary")).toContain("Origin");
      const exposed = response.headers.get("access-control-expose-headers") ?? "";
      for (const name of ["X-Request-Id", "ETag", "Retry-After"]) expect(exposed).toContain(name);
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  test("may send a key, and writes with one alone", async () => {
    expect(allowed(await ask("POST", { origin: ORIGIN, "x-api-key": "k" }))).toBe(ORIGIN);
    expect(allowed(await ask("POST", { origin: ORIGIN, authorization: "Bearer k" }))).toBe(ORIGIN);
    expect(allowed(await ask("POST", { origin: ORIGIN }))).toBeNull();
  });

  test("is told beforehand what it may", async () => {
    const response = await preflight("DELETE", "content-type, X-API-Key");
    expect([response.status, allowed(response)]).toEqual([204, ORIGIN]);
    expect(response.headers.get("access-control-allow-methods")).toContain("DELETE");
    expect(response.headers.get("access-control-allow-headers")).toBe("content-type,X-API-Key");
    expect(response.headers.get("access-control-max-age")).toBe("600");
    expect(response.headers.get("vary")).toContain("Origin");
    expect(allowed(await preflight("GET", "x-request-id"))).toBe(ORIGIN);
    expect(allowed(await preflight("POST", "content-type"))).toBeNull();
  });
});

test.each(["https://evil.example", "https://news.example.evil.test", "http://news.example", "null", ""])(
  "a page of %p reads nothing",
  async (origin) => {
    const response = await ask("GET", { origin });
    expect([response.status, allowed(response)]).toEqual([200, null]);
    expect(response.headers.get("vary")).toContain("Origin");
    expect(allowed(await preflight("GET", "", origin))).toBeNull();
  },
);

test("OPTIONS that is no preflight is a method like any other", async () => {
  expect((await ask("OPTIONS", {})).status).toBe(405);
});

test("without origins there is no sign of it", async () => {
  const response = await testService().app.request("/livez", { headers: { origin: ORIGIN } });
  expect(allowed(response)).toBeNull();
  expect(response.headers.get("vary") ?? "").not.toContain("Origin");
});

test("every answer keeps browsers from guessing its type", async () => {
  for (const path of ["/things", "/nowhere", "/things?unknown=1", "/docs"]) {
    expect((await app.request(path)).headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test.each(["news.example", "https://news.example/", "https://News.example", "*", "ftp://a.example", "https://a/b"])(
  "%p is no origin",
  (origin) => {
    expect(() => loadConfig({ CORS_ORIGINS: origin })).toThrow("CORS_ORIGINS");
  },
);
