import { describe, expect, test } from "bun:test";
import { loadConfig } from "@isnad/lib/service/config";
import { testService } from "./testing.ts";

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
      service.app.request("http://api.lan/thing", { method: "POST", headers: { origin: DESK, ...CROSS, ...headers } });
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
