import { afterEach, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { EgressErrorCode } from "./address.ts";
import { createFetcher } from "./fetcher.ts";
import { codeOf, type LocalSite, serveRaw, serveSite } from "./testing.ts";

const sites: LocalSite[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

async function site(handle: Parameters<typeof serveSite>[0]): Promise<LocalSite> {
  const made = await serveSite(handle);
  sites.push(made);
  return made;
}

/** Answers with bytes of its own, then cuts the connection when they are a text. */
async function raw(answer: string | ((socket: Socket) => void)): Promise<LocalSite> {
  const made = await serveRaw(typeof answer === "string" ? (socket) => socket.end(answer) : answer);
  sites.push(made);
  return made;
}

/** Sends a beginning, and then a text every 20 ms as long as somebody is there. */
function drip(socket: Socket, head: string, text: string): void {
  socket.write(head);
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), 20);
}

/** Sends a beginning, and then a text again and again, as fast as it is taken. */
function flood(socket: Socket, head: string, text: string): void {
  socket.write(head);
  const block = text.repeat(Math.ceil(65_536 / text.length));
  const more = () => {
    while (!socket.destroyed && socket.write(block));
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}

const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1" });
const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

describe("a small body that inflates beyond the limit is cut off", () => {
  const zeros = Buffer.alloc(50_000_000);
  test.each([
    ["gzip", () => gzipSync(zeros)],
    ["br", () => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
    ["deflate", () => deflateSync(zeros)],
    ["deflate", () => deflateRawSync(zeros)],
    ["gzip, gzip", () => gzipSync(gzipSync(zeros))],
    ["deflate, br", () => brotliCompressSync(deflateSync(zeros))],
  ])("in %s", async (encoding, bomb) => {
    const bytes = bomb();
    const { url } = await site((request, response) => {
      response.writeHead(request.url === "/404" ? 404 : 200, { "content-encoding": encoding }).end(bytes);
    });
    expect(await codeOf(fetch(url))).toBe("too-large");
    const answer = await fetch(`${url}/404`);
    expect(answer.status).toBe(404);
    expect(answer.bytes.byteLength).toBeLessThanOrEqual(65_536);
  });
});

describe("a body that does not end within the limit is cut off", () => {
  test.each([
    ["without a length", `${OK}\r\n`, "x"],
    ["in chunks", CHUNKED, "1000\r\n".concat("x".repeat(4096), "\r\n")],
  ])("%s", async (_, head, more) => {
    const { url } = await raw((socket) => flood(socket, head, more));
    expect(await codeOf(fetch(url, { maxBytes: 1_000_000 }))).toBe("too-large");
  });

  test("with a length that says so already before it is read", async () => {
    const { url } = await raw((socket) => socket.write(`${OK}Content-Length: 99999999\r\n\r\nx`));
    expect(await codeOf(fetch(url))).toBe("too-large");
  });
});

test.each([
  ["broken gzip", "bad-encoding", `${OK}Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello`],
  ["broken brotli", "bad-encoding", `${OK}Content-Encoding: br\r\nContent-Length: 5\r\n\r\nhello`],
  ["broken deflate", "bad-encoding", `${OK}Content-Encoding: deflate\r\nContent-Length: 5\r\n\r\nhello`],
  ["an unknown encoding", "bad-encoding", `${OK}Content-Encoding: zip\r\nContent-Length: 5\r\n\r\nhello`],
  ["many encodings", "bad-encoding", `${OK}Content-Encoding: gzip,gzip,gzip\r\nContent-Length: 5\r\n\r\nhello`],
  ["a length longer than the body", "connection-lost", `${OK}Content-Length: 100\r\n\r\nhello`],
  ["chunks that stop", "connection-lost", `${CHUNKED}5\r\nhello\r\n`],
  ["a chunk that stops", "connection-lost", `${CHUNKED}ff\r\nhello`],
  ["a length shorter than the body", "bad-response", `${OK}Content-Length: 3\r\n\r\nhello`],
  ["a length that is none", "bad-response", `${OK}Content-Length: many\r\n\r\nhello`],
  ["a negative length", "bad-response", `${OK}Content-Length: -5\r\n\r\nhello`],
  ["two lengths", "bad-response", `${OK}Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello12`],
  ["a chunk whose length is none", "bad-response", `${CHUNKED}xyz\r\nhello\r\n0\r\n\r\n`],
  ["another protocol", "bad-response", "SSH-2.0-OpenSSH_9\r\n"],
  ["nothing but a line", "connection-lost", "HTTP/1.1 200 OK\r\n"],
  ["endless headers", "bad-response", `${OK}X: ${"a".repeat(2_000_000)}\r\n\r\nhello`],
  ["a redirect to nowhere", "bad-redirect", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"],
  ["a redirect to no address", "bad-redirect", "HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n"],
  ["a redirect to another scheme", "bad-address", "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"],
  ["a redirect with credentials", "bad-address", "HTTP/1.1 302 Found\r\nLocation: http://a:b@example.org/\r\n\r\n"],
])("%s ends as %s", async (_, code, bytes) => {
  const { url } = await raw(bytes);
  expect(await codeOf(fetch(url))).toBe(code as EgressErrorCode);
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
])("a body in %s that was cut short before it was sent does not inflate", async (encoding, compress) => {
  const { url } = await site((_, response) => {
    const whole = compress(Buffer.from(Array.from({ length: 2000 }, (__, i) => i * 7919).join(" ")));
    response.writeHead(200, { "content-encoding": encoding }).end(whole.subarray(0, whole.length / 2));
  });
  expect(await codeOf(fetch(url))).toBe("bad-encoding");
});

test("a connection cut at once is lost, and a closed port cannot be connected to", async () => {
  const made = await raw((socket) => socket.destroy());
  expect(await codeOf(fetch(made.url))).toBe("connection-lost");
  await made.close();
  expect(await codeOf(fetch(made.url))).toBe("connect-failed");
});

describe("a server is given up in time", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["that never answers", () => undefined],
    ["whose first line drips", (socket) => drip(socket, "", "H")],
    ["whose headers drip", (socket) => drip(socket, OK, "A: b\r\n")],
    ["whose body drips", (socket) => drip(socket, `${OK}Content-Length: 1000\r\n\r\n`, "x")],
    ["whose chunks drip", (socket) => drip(socket, CHUNKED, "1\r\nx\r\n")],
    [
      "whose inflated body drips",
      (socket) => {
        socket.write(`${OK}Content-Encoding: gzip\r\n\r\n`);
        socket.write(gzipSync("x".repeat(100)).subarray(0, 15));
      },
    ],
    ["that says to go on for ever", (socket) => drip(socket, "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")],
  ])("%s", async (_, answer) => {
    const { url } = await raw(answer);
    expect(["timed-out", "bad-response"]).toContain(await codeOf(fetch(url, { timeoutMs: 250 })));
  });

  test.each([
    ["without end between its chunks", `${CHUNKED}5;`, "x=y;"],
    ["without end after its chunks", `${CHUNKED}0\r\n`, "X-A: b\r\n"],
    ["without end before its answer", "", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["without end in its headers", OK, "X-A: b\r\n"],
  ])("that sends %s", async (_, head, more) => {
    const { url } = await raw((socket) => flood(socket, head, more));
    const code = await codeOf(fetch(url, { timeoutMs: 1000 }));
    expect(["timed-out", "bad-response", "connection-lost", "too-large"]).toContain(code);
  });

  test("over all hops of a chain of redirects together", async () => {
    const { url, seen } = await site((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 150);
    });
    expect(await codeOf(fetch(`${url}/`, { timeoutMs: 400, maxRedirects: 20 }))).toBe("timed-out");
    expect(seen.length).toBeLessThan(4);
  });

  test("when it changes to another protocol unasked", async () => {
    const { url } = await raw((socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    });
    expect(await codeOf(fetch(url))).toBe("bad-response");
  });
});

test("the body of a redirect is not waited for", async () => {
  const { url: end } = await site((_, response) => void response.end("here"));
  const { url } = await raw((socket) => {
    socket.write(`HTTP/1.1 302 Found\r\nLocation: ${end}\r\nContent-Length: 1000\r\n\r\n`);
  });
  expect((await fetch(url, { timeoutMs: 5000 })).text().text).toBe("here");
});

test("an error whose body does not inflate is an answer all the same", async () => {
  const { url } = await raw("HTTP/1.1 500 Oops\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello");
  expect(await fetch(url)).toMatchObject({ status: 500, bytes: new Uint8Array() });
});
