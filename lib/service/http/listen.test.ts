import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { loadConfig } from "../config/mod.ts";
import { jsonBody } from "./body.ts";
import { queryOf } from "./context.ts";
import { createDrain, isHost, listen, ListenError, type Listening } from "./listen.ts";
import { clientAddress } from "./peer.ts";
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

let server: Listening;
const service = testService({ config: loadConfig({ HOST: "0.0.0.0" }) });

beforeAll(async () => {
  service.app.get("/query", (c) => c.json(Object.fromEntries(queryOf(c))));
  service.app.get("/q", (c) => c.json({ ...c.req.query(), url: c.req.url, peer: clientAddress(c, () => false) }));
  service.app.post("/length", async (c) => c.json((await c.req.text()).length));
  server = await listen(service.app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.stop(0));

/** Sends the lines as a request, as they are, and returns the whole answer. */
function send(...lines: string[]): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve({ status: Number(text.split(" ")[1]), text }));
  });
}

const get = (target: string, ...headers: string[]) =>
  send(`GET ${target} HTTP/1.1`, ...headers, "Connection: close").then(({ status }) => status);

const HOSTS = [
  "a",
  "EXAMPLE.test",
  "a.test.",
  "x:",
  "x:0",
  "x:65535",
  "127.0.0.1:8080",
  "[::1]",
  "[::1]:80",
  "api_1:80",
];
const OTHERS = [
  ...["a b", "x:99999", "x:65536", "x:8o", "", "@", "/", "a/b", "a?b", "a#b", "a\\b", "u:p@a", "a, b", ".", "a..b"],
  ...["[::1", "::1", "[::g]", "[a]", "[::ffff:1.2.3.400]", "أخبار.test", "a%2fb", "a\tb", "//a", "http://a"],
  "x".repeat(64),
  "x.".repeat(128),
];

describe("isHost()", () => {
  test("takes names, addresses and ports", () => {
    for (const host of [...HOSTS, "xn--mgbca7dzdo.test", "[::ffff:1.2.3.4]"])
      expect([host, isHost(host)]).toEqual([host, true]);
  });

  test("takes nothing else", () => {
    for (const host of OTHERS) expect([host, isHost(host)]).toEqual([host, false]);
  });
});

describe("over the wire", () => {
  test("a request is served whatever host it names, and by its own path alone", async () => {
    for (const host of HOSTS) {
      expect([host, await get("/livez", `Host: ${host}`)]).toEqual([host, 200]);
      expect([host, await get("/1234567/metrics", `Host: ${host}`)]).toEqual([host, 404]);
    }
  });

  test("a request whose Host is no host is refused, whatever its path", async () => {
    for (const host of OTHERS) {
      for (const target of ["/livez", "/1234567/metrics", "/query?q=1", "/nothing", "http://a.test/livez"]) {
        expect([host, target, await get(target, `Host: ${host}`)]).toEqual([host, target, 400]);
      }
    }
  });

  test("the refusal is a problem document with the request's id", async () => {
    const { text } = await send("GET /1234567/metrics HTTP/1.1", "Host: a b", "X-Request-Id: r-1", "Connection: close");
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head.toLowerCase()).toContain("content-type: application/problem+json");
    expect(head.toLowerCase()).toContain("x-request-id: r-1");
    expect(JSON.parse(body)).toMatchObject({ type: "/errors/bad-request", status: 400, instance: "/1234567/metrics" });
    expect(service.lines.at(-1)).toMatchObject({ path: "/1234567/metrics", status: 400, request_id: "r-1" });
  });

  test("HTTP/1.1 without a Host or with two is refused", async () => {
    expect(await get("/livez")).toBe(400);
    expect(await get("/livez", "Host: a", "Host: b")).toBe(400);
    expect(await get("/livez", "Host: a", "Host: a")).toBe(400);
  });

  test("HTTP/1.0 without a Host is served by path and query; a wrong Host is refused there too", async () => {
    const old = (target: string, ...headers: string[]) => send(`GET ${target} HTTP/1.0`, ...headers);
    expect((await old("/livez")).status).toBe(200);
    expect((await old("/livez", "Host: a")).status).toBe(200);
    expect((await old("/livez", "Host: a b")).status).toBe(400);
    expect((await old("/1234567/metrics")).status).toBe(404);
    expect((await old("/a/../livez")).status).toBe(200);
    expect((await old("//a/livez")).status).toBe(404);
    const { text } = await old("/query?q=%D8%A3&from=2026-01-01");
    expect(text).toEndWith('{"q":"أ","from":"2026-01-01"}');
  });

  test("HTTP/1.0 without a Host gives handlers an absolute URL, its query, its peer and its body", async () => {
    const { text } = await send("GET /q?q=1 HTTP/1.0");
    expect(text).toEndWith('{"q":"1","url":"http://localhost/q?q=1","peer":"127.0.0.1"}');
    const posted = await send("POST /length HTTP/1.0", "Content-Length: 3", "", "abc");
    expect([posted.status, posted.text.at(-1)]).toEqual([200, "3"]);
  });

  test("a target in absolute form is served by its path; its authority is no part of it", async () => {
    expect(await get("http://other.test/livez", "Host: a")).toBe(200);
    expect(await get("http://other.test/1234567/metrics", "Host: a")).toBe(404);
    expect(await get("http://other.test?x=/livez", "Host: a")).toBe(404);
  });

  test("a target that is no path leads nowhere", async () => {
    expect((await send("CONNECT a:80 HTTP/1.1", "Host: a", "Connection: close")).status).toBe(404);
    expect((await send("CONNECT livez:80 HTTP/1.1", "Host: a", "Connection: close")).status).toBe(404);
    expect(await get("livez", "Host: a")).toBe(400);
  });

  test("equal lengths count as one, and different ones are refused", async () => {
    const post = (...lengths: string[]) =>
      send("POST /length HTTP/1.1", "Host: a", "Connection: close", ...lengths, "", "abc");
    const twice = await post("Content-Length: 3", "Content-Length: 3");
    expect([twice.status, twice.text.at(-1)]).toEqual([200, "3"]);
    expect((await post("Content-Length: 3", "Content-Length: 2")).status).toBe(400);
  });
});

const ask = async (env: Record<string, string>, host: string) =>
  (await testService({ config: loadConfig(env) }).app.request("/livez", { headers: { host } })).status;

test.each(["localhost", "LOCALHOST:8080", "127.0.0.1:80", "127.9.9.9", "[::1]:1", "[0:0:0:0:0:0:0:1]", "localhost."])(
  "on loopback a request for %s is served",
  async (host) => expect(await ask({}, host)).toBe(200),
);

test.each([
  "evil.example",
  "evil.example:8080",
  "localhost.evil.example",
  "10.0.0.1",
  "0.0.0.0",
  "[::2]",
  "127.1.evil",
])("on loopback a request for %s is 421", async (host) => {
  for (const HOST of ["127.0.0.1", "localhost", "::1"]) expect(await ask({ HOST }, host)).toBe(421);
});

test("on loopback the host of PUBLIC_BASE_URL is served too, on any port, and no other", async () => {
  const env = { PUBLIC_BASE_URL: "https://News.example/api" };
  expect(await ask(env, "news.example:444")).toBe(200);
  expect(await ask(env, "www.news.example")).toBe(421);
});

test("a service that listens to a network is asked by any name", async () => {
  for (const HOST of ["0.0.0.0", "::", "10.1.2.3"]) expect(await ask({ HOST }, "evil.example")).toBe(200);
});

test("the refusal is a problem document", async () => {
  const response = await testService().app.request("/nothing", { headers: { host: "evil.example" } });
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.json()).toMatchObject({ type: "/errors/misdirected-request", status: 421 });
});
