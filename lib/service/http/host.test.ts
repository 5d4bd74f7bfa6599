import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { loadConfig } from "../config/mod.ts";
import { queryOf } from "./context.ts";
import { isHost } from "./host.ts";
import { type Listening, listen } from "./listen.ts";
import { clientAddress } from "./peer.ts";
import { testService } from "./testing.ts";

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
