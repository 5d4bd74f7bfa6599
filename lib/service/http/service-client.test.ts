import { afterEach, describe, expect, test } from "bun:test";
import { z } from "@hono/zod-openapi";
import { until } from "../../std/testing-until.ts";
import { AppError } from "./problem.ts";
import { createServiceClient } from "./service-client.ts";
import { testTurns } from "./testing.ts";

const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

function client(
  fetch: (request: Request) => Response | Promise<Response>,
  {
    timeoutMs = 60_000,
    silentMs = 60_000,
    probeMs = 60_000,
  }: { timeoutMs?: number; silentMs?: number; probeMs?: number } = {},
) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  servers.push(server);
  const options = { name: "test service", baseUrl: `http://127.0.0.1:${server.port}`, timeoutMs };
  return createServiceClient({ ...options, headers: { "x-api-key": "k" }, breakerTimes: { silentMs, probeMs } });
}

const on = { requestId: "r-1", signal: new AbortController().signal };
const Found = z.object({ found: z.int() });

async function problemOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof AppError) return error;
  throw error;
}

test("a request goes with its id and the service's own headers, and comes back as was agreed", async () => {
  const service = client(async (request) => {
    const { headers, method } = request;
    expect([method, headers.get("x-request-id"), headers.get("x-api-key")]).toEqual(["POST", "r-1", "k"]);
    expect(await request.json()).toEqual({ q: 1 });
    return Response.json({ found: 2, more: true });
  });
  expect(await service.post("/find", { q: 1 }, Found, on)).toEqual({ found: 2 });
});

test("answers that arrive at once are read in as many turns of the event loop as they need", async () => {
  const service = client(() => Response.json({ found: 2 }));
  const turns = testTurns();
  const Long = Found.transform(() => turns.hold());
  const read = await Promise.all(Array.from({ length: 8 }, () => service.post("/find", {}, Long, on)));
  turns.stop();
  expect(new Set(read).size).toBe(8);
});

describe("what goes wrong there becomes a problem here:", () => {
  test("a complaint about the request keeps its fields", async () => {
    const body = { type: "/errors/validation-error", detail: "Wrong.", errors: { q: ["is required"] } };
    const problem = await problemOf(client(() => Response.json(body, { status: 422 })).get("/x", on));
    expect(problem).toMatchObject({ status: 422, message: "Wrong.", errors: { q: ["is required"] } });
  });

  test("what is away keeps its slug and when to come again", async () => {
    const body = { type: "/errors/overloaded", detail: "Too much." };
    const answer = () => Response.json(body, { status: 503, headers: { "retry-after": "9" } });
    const problem = await problemOf(client(answer).get("/x", on));
    expect(problem).toMatchObject({ status: 503, slug: "overloaded", headers: { "Retry-After": "9" } });
  });

  test.each([
    ["another status", () => Response.json({ type: "/errors/unauthorized" }, { status: 401 })],
    ["a problem of an unknown kind", () => Response.json({ type: "/errors/odd" }, { status: 503 })],
    ["a page", () => new Response("<html>")],
    ["something else than was agreed", () => Response.json({ found: "two" })],
  ])("%s is 503 with its cause kept for the log", async (_, answer) => {
    const problem = await problemOf(client(answer).post("/x", {}, Found, on));
    expect(problem).toMatchObject({ status: 503, slug: "service-unavailable", message: "The test service failed." });
    expect(problem.cause).toBeInstanceOf(Error);
  });

  test("no answer in time, whether its head or its end does not come", async () => {
    const silent = () => new Promise<Response>(() => undefined);
    const endless = () => new Response(new ReadableStream({ start: (c) => c.enqueue(new Uint8Array(10)) }));
    for (const fetch of [silent, endless]) {
      const problem = await problemOf(client(fetch, { timeoutMs: 50 }).get("/x", on));
      expect(problem).toMatchObject({ status: 503, message: "The test service does not answer." });
    }
  });

  test("no service at all", async () => {
    const service = createServiceClient({ name: "test service", baseUrl: "http://127.0.0.1:1", timeoutMs: 500 });
    expect(await problemOf(service.get("/x", on))).toMatchObject({ status: 503 });
    await expect(service.ping(on.signal)).rejects.toThrow();
  });
});

test("a signal that aborts is thrown as it is", async () => {
  const abort = new AbortController();
  const service = client(() => new Promise<Response>(() => undefined));
  const asked = service.get("/x", { ...on, signal: abort.signal }).catch((reason: unknown) => reason);
  const reason = new Error("the client left");
  abort.abort(reason);
  expect(await asked).toBe(reason);
});

test("an opened answer may go on for longer than its head may take", async () => {
  const late = Promise.withResolvers<void>();
  const answer = () =>
    new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode("a"));
          await late.promise;
          controller.enqueue(new TextEncoder().encode("b"));
          controller.close();
        },
      }),
    );
  const timeoutMs = 1_000;
  const response = await client(answer, { timeoutMs }).open("/x", {}, on);
  setTimeout(late.resolve, timeoutMs + 10);
  expect(await response.text()).toBe("ab");
});

describe("while the service is away", () => {
  const breakerTimes = { silentMs: 50, probeMs: 50, retryMs: 10 };
  /** Resolves once the service answers: on a busy machine it is taken for one that is away now and then. */
  const untilAnswered = (service: ReturnType<typeof createServiceClient>) =>
    until("it answers", () =>
      service.get("/x", on).then(
        () => true,
        () => false,
      ),
    );

  /** A service that can be frozen: connections are made, and nothing is answered. */
  function freezable() {
    const state = { frozen: false, asked: 0 };
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        if (!request.url.endsWith("/livez")) state.asked += 1;
        return state.frozen ? new Promise<Response>(() => undefined) : Response.json({ found: 1 });
      },
    });
    servers.push(server);
    const baseUrl = `http://127.0.0.1:${server.port}`;
    return { state, service: createServiceClient({ name: "test service", baseUrl, timeoutMs: 60_000, breakerTimes }) };
  }

  test("a request ends long before its limit, those in flight with it, and the next ones are not even sent", async () => {
    const { state, service } = freezable();
    await untilAnswered(service);
    state.frozen = true;
    const problems = await Promise.all([problemOf(service.get("/x", on)), problemOf(service.open("/y", {}, on))]);
    for (const problem of problems) expect(problem).toMatchObject({ status: 503, slug: "service-unavailable" });
    const sent = state.asked;
    expect(await problemOf(service.get("/x", on))).toMatchObject({ message: "The test service does not answer." });
    expect(state.asked).toBe(sent);
  });

  test("what health has found out is known to requests, and so is that it is there again", async () => {
    const { state, service } = freezable();
    state.frozen = true;
    await expect(service.ping(AbortSignal.timeout(20))).rejects.toThrow();
    await problemOf(service.get("/x", on));
    expect(state.asked).toBe(0);
    state.frozen = false;
    await untilAnswered(service);
  });

  test("a service that leaves one probe without an answer is no more away than one that is slow", async () => {
    const probed = Promise.withResolvers<void>();
    let probes = 0;
    const slow = client(
      async (request) => {
        if (!request.url.endsWith("/livez")) await probed.promise;
        else if (++probes === 1) await new Promise(() => undefined);
        else probed.resolve();
        return Response.json({ found: 1 });
      },
      { silentMs: 10, probeMs: 100 },
    );
    expect(await slow.post("/x", {}, Found, on)).toEqual({ found: 1 });
    expect(probes).toBeGreaterThan(1);
  });

  test("a service that is there and slow is waited for", async () => {
    const slow = client(
      async (request) => {
        if (!request.url.endsWith("/livez")) await Bun.sleep(400);
        return Response.json({ found: 1 });
      },
      { silentMs: 100 },
    );
    expect(await slow.post("/x", {}, Found, on)).toEqual({ found: 1 });
  });

  test("a request that fails by itself cuts no other", async () => {
    const held = Promise.withResolvers<void>();
    const service = client(async (request) => {
      if (request.url.endsWith("/odd")) return new Response("x", { headers: { "content-encoding": "gzip" } });
      if (request.url.endsWith("/held")) await held.promise;
      return Response.json({ found: 1 });
    });
    const other = service.post("/held", {}, Found, on);
    await problemOf(service.get("/odd", on));
    held.resolve();
    expect(await other).toEqual({ found: 1 });
  });
});
