import { describe, expect, test } from "bun:test";
import { loadConfig } from "../config/mod.ts";
import { testService } from "./testing.ts";

describe("cors", () => {
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
});

describe("cross site", () => {
  const DESK = "https://desk.example";
  const service = testService({ config: loadConfig({ PUBLIC_BASE_URL: "http://news.lan", CORS_ORIGINS: DESK }) });
  service.app.all("/thing", (c) => c.text("done"));

  const ask = async (method: string, headers: Record<string, string>) =>
    (await service.app.request("http://api.lan/thing", { method, headers })).status;

  describe("a request of another site's page", () => {
    const CROSS = { "sec-fetch-site": "cross-site" };

    test("is refused where it may write and carries no credential", async () => {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) expect(await ask(method, CROSS)).toBe(403);
    });

    test("is served where it only reads, or with a credential", async () => {
      for (const method of ["GET", "HEAD", "OPTIONS"]) expect(await ask(method, CROSS)).toBe(200);
      expect(await ask("POST", { ...CROSS, authorization: "Bearer t" })).toBe(200);
      expect(await ask("POST", { ...CROSS, "x-api-key": "k" })).toBe(200);
    });

    test("counts as without a credential where the browser would add it by itself, or where everybody knows it", async () => {
      expect(await ask("POST", { ...CROSS, authorization: "Basic dTpw" })).toBe(403);
      expect(await ask("POST", { ...CROSS, cookie: "desk=1" })).toBe(403);
      expect(await ask("POST", { ...CROSS, "x-dev-key": "local-dev" })).toBe(403);
    });

    test("of an origin that CORS_ORIGINS names is served with a key alone, and may read the answer", async () => {
      const post = (headers: Record<string, string>) =>
        service.app.request("http://api.lan/thing", {
          method: "POST",
          headers: { origin: DESK, ...CROSS, ...headers },
        });
      expect((await post({})).status).toBe(403);
      for (const key of [{ "x-api-key": "k" }, { authorization: "Bearer k" }]) {
        const response = await post(key);
        expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, DESK]);
      }
    });

    test("is known by its origin where the browser says no more", async () => {
      for (const origin of ["https://evil.example", "null", "http://api.lan.evil.example"])
        expect(await ask("POST", { origin })).toBe(403);
      for (const origin of ["http://api.lan:3000", "http://news.lan"]) expect(await ask("POST", { origin })).toBe(200);
    });
  });

  test("pages of the same site and programs are served", async () => {
    for (const site of ["same-origin", "same-site", "none"])
      expect(await ask("POST", { "sec-fetch-site": site })).toBe(200);
    expect(await ask("POST", {})).toBe(200);
  });
});
