import { afterEach, expect, test } from "bun:test";
import { createServiceClient } from "../http/mod.ts";
import { testService } from "../http/testing.ts";
import { inSpan, startTracing, traceHeaders } from "./tracing.ts";

const open: { stop(force?: boolean): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop(true)));
});

type SentSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
};

/** A collector on loopback, and a process that sends to it. */
async function traced(share = 1) {
  const spans: SentSpan[] = [];
  const seen: { path: string; type: string | null; key: string | null; resource: string }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { resourceSpans } = Object(await request.json());
      for (const { resource, scopeSpans } of resourceSpans) {
        const { headers } = request;
        const path = new URL(request.url).pathname;
        const [type, key] = [headers.get("content-type"), headers.get("x-key")];
        seen.push({ path, type, key, resource: JSON.stringify(resource) });
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      return Response.json({});
    },
  });
  open.push(server);
  const endpoint = `http://127.0.0.1:${server.port}`;
  const tracing = await startTracing({ endpoint, headers: { "x-key": "k" }, share }, { name: "api", version: "1" });
  return { tracing, spans, seen };
}

const OUTSIDE = { trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331" };

test("a request goes on the trace that its client began, through the services that it asks, to the collector", async () => {
  const { tracing, spans, seen } = await traced();
  const asked: Headers[] = [];
  const other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked.push(request.headers);
      return Response.json({ ok: true });
    },
  });
  open.push(other);
  const client = createServiceClient({ name: "search service", baseUrl: other.url.href, timeoutMs: 5_000 });
  const { app, lines } = testService();
  app.get("/things/:id", async (c) => {
    await client.get("/x", { requestId: c.var.requestId, signal: c.req.raw.signal });
    return c.text("ok");
  });
  const traceparent = `00-${OUTSIDE.trace}-${OUTSIDE.span}-01`;
  await app.request("/things/7?q=secret", { headers: { traceparent, "x-request-id": "r-1" } });
  await tracing.stop();
  const server = spans.find(({ name }) => name === "GET /things/:id");
  const child = spans.find(({ name }) => name === "search service");
  expect(server).toMatchObject({ traceId: OUTSIDE.trace, parentSpanId: OUTSIDE.span, kind: 2 });
  expect(child).toMatchObject({ traceId: OUTSIDE.trace, parentSpanId: server?.spanId, kind: 3 });
  expect(asked[0]?.get("traceparent")).toBe(`00-${OUTSIDE.trace}-${child?.spanId}-01`);
  const attributes = Object.fromEntries(server?.attributes.map(({ key, value }) => [key, value]) ?? []);
  expect(attributes["isnad.request_id"]).toEqual({ stringValue: "r-1" });
  expect(attributes["http.response.status_code"]).toEqual({ intValue: 200 });
  expect(JSON.stringify(spans)).not.toContain("secret");
  expect(seen[0]).toMatchObject({ path: "/v1/traces", type: "application/json", key: "k" });
  expect(seen[0]?.resource).toContain('"service.name"');
  expect(lines.at(-1)).toMatchObject({ request_id: "r-1", trace_id: OUTSIDE.trace });
});

test("work that fails, and answers of 500 and more, are marked as failed", async () => {
  const { tracing, spans } = await traced();
  await expect(inSpan("job x", { kind: "consumer" }, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const { app } = testService();
  app.get("/boom", () => {
    throw new Error("boom");
  });
  await app.request("/boom");
  await tracing.stop();
  expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
    ["job x", 2],
    ["GET /boom", 2],
  ]);
});

test("a share of 0 keeps only what comes with a trace that is kept", async () => {
  const { tracing, spans } = await traced(0);
  const { app } = testService();
  await app.request("/livez");
  await app.request("/livez", { headers: { traceparent: `00-${OUTSIDE.trace}-${OUTSIDE.span}-01` } });
  await tracing.stop();
  expect(spans.map(({ traceId }) => traceId)).toEqual([OUTSIDE.trace]);
});

test("without a collector nothing is traced or told, and one that is away keeps nobody from stopping", async () => {
  const off = await startTracing(undefined, { name: "api", version: "1" });
  expect(await inSpan("x", { kind: "internal" }, async ({ traceId }) => [traceId, traceHeaders()])).toEqual([
    undefined,
    {},
  ]);
  await off.stop();
  const config = { endpoint: "http://127.0.0.1:1", headers: {}, share: 1 };
  const away = await startTracing(config, { name: "api", version: "1" });
  expect(await inSpan("x", { kind: "internal" }, async () => 7)).toBe(7);
  await away.stop();
});
