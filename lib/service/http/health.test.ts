import { describe, expect, test } from "bun:test";
import { createHealth } from "./health.ts";
import { listen } from "./listen.ts";
import { testService } from "./testing.ts";

const up = { check: async () => undefined, critical: true };
const down = (critical: boolean) => ({
  check: async () => {
    throw new Error("refused");
  },
  critical,
});

describe("the health route", () => {
  test("is ok when every dependency answers", async () => {
    const { app } = testService({ deps: { store: up, queue: up } });
    const res = await app.request("/health");
    expect(res.status).toBe(200);
    expect(await res.json()).toEqual({
      status: "ok",
      service: "test",
      version: "1.2.3",
      uptime_s: expect.any(Number),
      deps: { store: "ok", queue: "ok" },
    });
  });

  test("is degraded with 200 when a dependency fails that not every request needs", async () => {
    const res = await testService({ deps: { store: up, retrieval: down(false) } }).app.request("/health");
    expect(res.status).toBe(200);
    expect(await res.json()).toMatchObject({ status: "degraded", deps: { store: "ok", retrieval: "fail" } });
  });

  test("is degraded with 503 when a critical one fails", async () => {
    const res = await testService({ deps: { store: down(true) } }).app.request("/health");
    expect(res.status).toBe(503);
    expect(await res.json()).toMatchObject({ status: "degraded", deps: { store: "fail" } });
  });

  test("shows a group's members under its name, and one that fails as degraded with 200", async () => {
    const providers = async () => ({ alpha: { ok: true }, beta: { ok: false, reason: "timed out" } });
    const { app, lines } = testService({ deps: { api: up }, depGroups: { providers } });
    const res = await app.request("/health");
    expect(res.status).toBe(200);
    expect(await res.json()).toMatchObject({
      status: "degraded",
      deps: { api: "ok", providers: { alpha: "ok", beta: "fail" } },
    });
    expect(lines).toContainEqual(expect.objectContaining({ failures: { "providers.beta": "timed out" } }));
  });

  test("a group that cannot be looked up is empty, and the service degraded", async () => {
    const { app } = testService({ depGroups: { providers: async () => Promise.reject(new Error("no database")) } });
    expect(await (await app.request("/health")).json()).toMatchObject({ status: "degraded", deps: { providers: {} } });
  });

  test("counts a dependency that throws at once, or does not answer, as failed", async () => {
    const check = createHealth({
      service: "s",
      version: "1",
      deadlineMs: 20,
      deps: {
        throws: {
          check: () => {
            throw new Error("at once");
          },
          critical: false,
        },
        hangs: { check: () => new Promise(() => undefined), critical: true },
      },
    });
    const { status, body, failures } = await check();
    expect(status).toBe(503);
    expect(body.deps).toEqual({ throws: "fail", hangs: "fail" });
    expect(failures).toEqual({ throws: "at once", hangs: "no answer within 20 ms" });
  });

  test("asks a dependency once for calls that come together, and again for later ones", async () => {
    let calls = 0;
    const check = createHealth({
      service: "s",
      version: "1",
      deps: {
        slow: {
          check: async () => {
            calls += 1;
            await Bun.sleep(5);
          },
          critical: true,
        },
      },
    });
    await Promise.all([check(), check(), check()]);
    expect(calls).toBe(1);
    await check();
    expect(calls).toBe(2);
  });

  test("is served at every path of the service, and logs what failed", async () => {
    const service = testService({ healthPaths: ["/health", "/api/v1/health"], deps: { store: down(true) } });
    expect((await service.app.request("/api/v1/health")).status).toBe(503);
    expect(service.lines.at(-1)).toMatchObject({ failures: { store: "refused" } });
  });
});

test("livez touches no dependency", async () => {
  const { app } = testService({ deps: { store: down(true) } });
  const res = await app.request("/livez");
  expect(res.status).toBe(200);
  expect(await res.json()).toEqual({ status: "ok" });
});

describe("the readiness route", () => {
  test("answers 503 while one fails that it is not ready without, and names it, though health is only degraded", async () => {
    const index = { ...down(false), readiness: true };
    const { app } = testService({ deps: { store: up, index, other: down(false) } });
    const failing = await app.request("/readyz");
    expect([failing.status, await failing.json()]).toEqual([
      503,
      { status: "failing", deps: { store: "ok", index: "fail", other: "fail" } },
    ]);
    expect((await app.request("/health")).status).toBe(200);
    const optional = testService({ deps: { store: up, other: down(false) } });
    expect((await optional.app.request("/readyz")).status).toBe(200);
  });

  test("answers 200 where requests can be served, 503 where a critical dependency fails", async () => {
    expect((await testService({ deps: { store: up } }).app.request("/readyz")).status).toBe(200);
    const failing = await testService({ deps: { store: down(true) } }).app.request("/readyz");
    expect([failing.status, await failing.json()]).toEqual([503, { status: "failing", deps: { store: "fail" } }]);
  });

  test("says that the service stops, while it still serves, for as long as it drains", async () => {
    const { app } = testService();
    const server = await listen(app.fetch, { host: "127.0.0.1", port: 0, drainMs: 1_500 });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const stopped = server.stop();
    const during = await fetch(`${server.url}/readyz`);
    expect([during.status, await during.json()]).toEqual([503, { status: "stopping" }]);
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    await stopped;
    await expect(fetch(`${server.url}/livez`)).rejects.toThrow();
  });
});
