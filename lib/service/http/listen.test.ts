import { afterEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { jsonBody } from "./body.ts";
import { createDrain, ListenError, type Listening, listen } from "./listen.ts";
import { testService } from "./testing.ts";

const open: Listening[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop(0);
});

async function serve(over = {}) {
  const service = testService();
  service.app.post("/in", jsonBody({ limit: 100_000 }), async (c) => c.json({ length: (await c.req.text()).length }));
  const server = await listen(service.app.fetch, { host: "127.0.0.1", port: 0, ...over });
  open.push(server);
  return { ...service, server };
}

/** Speaks raw HTTP: sends `head`, then `chunk` again and again until an answer comes. */
function speak(port: number, head: string, chunk?: string): Promise<{ answer: string; sent: number }> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(head);
      pump();
    });
    const pump = (): void => {
      if (chunk === undefined || socket.destroyed) return;
      sent += chunk.length;
      socket.write(chunk, () => setTimeout(pump, 1));
    };
    socket.on("data", (data) => {
      resolve({ answer: data.toString(), sent });
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

const head = (...lines: string[]) =>
  ["POST /in HTTP/1.1", "Host: localhost", "Content-Type: application/json", ...lines, "", ""].join("\r\n");

describe("listen()", () => {
  test("tells the address of a free port", async () => {
    const { server } = await serve();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  });

  test("explains why it cannot listen", async () => {
    const { server } = await serve();
    const again = listen(() => new Response(""), { host: "127.0.0.1", port: server.port });
    await expect(again).rejects.toThrow(ListenError);
    await expect(again).rejects.toThrow(`port ${server.port} on 127.0.0.1 is in use`);
    await expect(listen(() => new Response(""), { host: "192.0.2.1", port: 0 })).rejects.toThrow("cannot listen");
  });
});

describe("over the wire", () => {
  test("a URL with 20,000 characters of four bytes reaches its route", async () => {
    const { app, server } = await serve();
    app.get("/length", (c) => c.text(String(c.req.query("text")?.length)));
    const text = encodeURIComponent("😀".repeat(20_000));
    const response = await fetch(`${server.url}/length?text=${text}`);
    expect([response.status, await response.text()]).toEqual([200, "40000"]);
  });

  test("a declared length over the limit is answered before the body comes", async () => {
    const { server } = await serve();
    const { answer } = await speak(server.port, head("Content-Length: 99999999999"));
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(answer.toLowerCase()).toContain("content-type: application/problem+json");
    expect(answer.toLowerCase()).toContain("x-request-id: ");
  });

  test("an endless body without a length is answered soon after the limit", async () => {
    const { server } = await serve();
    const chunk = `2710\r\n${"x".repeat(10_000)}\r\n`;
    const { answer, sent } = await speak(server.port, head("Transfer-Encoding: chunked"), chunk);
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(sent).toBeLessThan(1_000_000);
  });

  test("a connection goes on after a refused body", async () => {
    const { server } = await serve();
    for (let round = 0; round < 3; round++) {
      const body = "x".repeat(150_000);
      const refused = await fetch(`${server.url}/in`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      expect(refused.status).toBe(413);
      await refused.text();
      expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    }
  });

  test("a client that goes away in the middle of its body is no server error", async () => {
    const { server, lines } = await serve();
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () => {
        socket.write(`${head("Content-Length: 5000")}{"a":`);
        setTimeout(() => socket.destroy(), 50);
      });
      socket.on("close", () => resolve());
    });
    const deadline = Date.now() + 30_000;
    while (lines.length === 0 && Date.now() < deadline) await Bun.sleep(10);
    expect(lines).toMatchObject([{ status: 400, level: "info", path: "/in" }]);
  });

  test("what is sent behind a request in work ends the connection, and reaches no handler", async () => {
    const { app, server } = await serve();
    const begun: string[] = [];
    const held = Promise.withResolvers<void>();
    app.get("/held/:name", async (c) => {
      begun.push(c.req.param("name"));
      await held.promise;
      return c.text("");
    });
    const ask = (name: string) => `GET /held/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const received = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(server.port, "127.0.0.1", () => socket.write(ask("first") + ask("second")));
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("close", () => resolve(text));
    });
    held.resolve();
    expect([received, begun]).toEqual(["", ["first"]]);
    expect((await fetch(`${server.url}/held/third`)).status).toBe(200);
  });
});

/** A measure over a clock that the test moves. */
function setUp() {
  let time = 0;
  const drain = createDrain(() => time);
  return {
    drain,
    /** `ms` later, `cost` units are done. */
    done(ms: number, { cost = 1, waiting = true } = {}) {
      time += ms;
      drain.done(cost, { waiting });
    },
  };
}

test("nothing is known before some is done while some waits, however long that took", () => {
  const { drain, done } = setUp();
  done(50);
  expect(drain.msPerUnit()).toBe(0);
  drain.busy(4);
  done(5_000);
  done(10);
  expect(drain.msPerUnit()).toBe(0);
  done(10);
  expect(drain.msPerUnit()).toBeGreaterThan(0);
});

test("the fewer are done, the more it may be faster than it looks", () => {
  const { drain, done } = setUp();
  drain.busy(4);
  done(0);
  const seen = Array.from({ length: 400 }, () => {
    done(10);
    return drain.msPerUnit();
  });
  expect(seen[3]).toBeCloseTo(5, 1);
  expect(seen[7]).toBeCloseTo(10 / 1.5, 1);
  expect(seen[399]).toBeCloseTo(10, 0);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test("it does not matter how many are done at a time, nor how many units one is", () => {
  const { drain, done } = setUp();
  drain.busy(4);
  done(0);
  for (let round = 0; round < 100; round++) for (const ms of [80, 0, 0, 0]) done(ms, { cost: 2 });
  expect(drain.msPerUnit()).toBeGreaterThan(8.5);
  expect(drain.msPerUnit()).toBeLessThan(11);
});

test("what is done now counts more than what was done long ago", () => {
  const { drain, done } = setUp();
  drain.busy(2);
  for (let n = 0; n < 100; n++) done(10);
  for (let n = 0; n < 200; n++) done(40);
  expect(drain.msPerUnit()).toBeGreaterThan(38);
});

test("time that something else took does not count", () => {
  const { drain, done } = setUp();
  drain.busy(2);
  for (let n = 0; n < 100; n++) done(10);
  drain.skip();
  done(3_000);
  expect(drain.msPerUnit()).toBeLessThan(10);
});

test("the next time begins anew, with half of what was known until more is", () => {
  const { drain, done } = setUp();
  drain.busy(2);
  for (let n = 0; n < 200; n++) done(10, { waiting: n < 199 });
  expect(drain.msPerUnit()).toBeGreaterThan(9.5);
  done(60_000);
  drain.busy(2);
  expect(drain.msPerUnit()).toBeCloseTo(5, 5);
  done(1_000);
  for (let n = 0; n < 200; n++) done(30);
  expect(drain.msPerUnit()).toBeCloseTo(30, 0);
});
