import { describe, expect, test } from "bun:test";
import { createRoute, jsonBody, problems, z } from "./mod.ts";
import { testService } from "./testing.ts";

const echo = createRoute({
  method: "post",
  path: "/echo/{name}",
  middleware: [jsonBody({ limit: 1000 })] as const,
  request: {
    params: z.object({ name: z.string() }),
    body: { required: true, content: { "application/json": { schema: z.object({ n: z.int().min(1) }) } } },
  },
  responses: {
    200: { description: "ok", content: { "application/json": { schema: z.object({ n: z.int() }) } } },
    ...problems("validation-error", "malformed-json"),
  },
});

function echoService() {
  const service = testService();
  service.app.openapi(echo, (c) => c.json(c.req.valid("json"), 200));
  return service.app;
}

const post = (body: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
  echoService().request("/echo/a", { method: "POST", body, headers });

describe("a service", () => {
  test("answers a valid request", async () => {
    const res = await post('{"n":3}');
    expect(res.status).toBe(200);
    expect(await res.json()).toEqual({ n: 3 });
  });

  test("names every wrong field of a body with the right syntax", async () => {
    const res = await post('{"n":0}');
    expect(res.status).toBe(422);
    expect(res.headers.get("content-type")).toBe("application/problem+json");
    expect(await res.json()).toMatchObject({
      type: "/errors/validation-error",
      title: "Validation Error",
      status: 422,
      instance: "/echo/a",
      errors: { n: [expect.any(String)] },
    });
  });

  test("names the path in a problem as it was sent: percent-encoded", async () => {
    for (const path of ["/nothing/%D8%A3%20b", "/echo/%00%7F"]) {
      const res = await testService().app.request(path);
      expect(await res.json()).toMatchObject({ status: 404, instance: path });
    }
  });

  test("calls broken JSON malformed", async () => {
    const res = await post('{"n":');
    expect(res.status).toBe(400);
    expect(await res.json()).toMatchObject({ type: "/errors/malformed-json" });
  });

  test("refuses another media type", async () => {
    const res = await post('{"n":3}', { "content-type": "text/plain" });
    expect(res.status).toBe(415);
    expect(await res.json()).toMatchObject({ type: "/errors/unsupported-media-type" });
  });

  test("answers 404 for an unknown path and 405 with Allow for a known one", async () => {
    const app = echoService();
    expect((await app.request("/nothing")).status).toBe(404);
    const res = await app.request("/echo/a");
    expect(res.status).toBe(405);
    expect(res.headers.get("allow")).toBe("POST");
  });

  test("serves livez, health, metrics and the OpenAPI document", async () => {
    const app = echoService();
    expect((await app.request("/livez")).status).toBe(200);
    expect(await (await app.request("/health")).json()).toMatchObject({ status: "ok", service: "test", deps: {} });
    expect(await (await app.request("/metrics")).text()).toContain("http_requests_total");
    const doc: unknown = await (await app.request("/openapi.json")).json();
    expect(doc).toMatchObject({ openapi: "3.1.0" });
    expect(doc).toHaveProperty(["paths", "/echo/{name}"]);
  });
});
