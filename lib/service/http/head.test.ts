import { afterAll, beforeAll, expect, test } from "bun:test";
import { request } from "node:http";
import { type Listening, listen } from "./listen.ts";
import { testService } from "./testing.ts";

let server: Listening;

beforeAll(async () => {
  const { app } = testService();
  app.get("/text", (c) => c.text("السلام", 200, { "X-Own": "1" }));
  app.get("/empty", (c) => c.body(null, 204));
  app.get("/none", (c) => c.text(""));
  app.get("/stream", () => {
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(": hello\n\n")) });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  });
  server = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.stop(0));

/** Status, headers but those that differ from answer to answer, and size of the body. */
function ask(method: string, path: string): Promise<{ status: number | undefined; headers: object; size: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { method, agent: false }, (response) => {
      const { date: _date, "x-request-id": _id, ...headers } = response.headers;
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.byteLength;
      });
      response.on("end", () => resolve({ status: response.statusCode, headers, size }));
    });
    sent.on("error", reject).end();
  });
}

test("HEAD has the status and the headers of GET, and no body", async () => {
  for (const path of ["/text", "/empty", "/none", "/livez", "/openapi.json", "/docs", "/nothing"]) {
    const get = await ask("GET", path);
    expect([path, await ask("HEAD", path)]).toEqual([path, { ...get, size: 0 }]);
  }
});

test("HEAD says how long the body is that GET has", async () => {
  expect((await ask("HEAD", "/text")).headers).toMatchObject({ "content-length": "12", "x-own": "1" });
});

test("HEAD of a stream is answered at once", async () => {
  const { status, headers } = await ask("HEAD", "/stream");
  expect(status).toBe(200);
  expect(headers).toMatchObject({ "content-type": "text/event-stream" });
});
