import { afterEach, expect, test } from "bun:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { EgressError, type EgressErrorCode } from "./error.ts";
import { createFetcher } from "./fetcher.ts";
import { type LocalSite, serveRaw, serveSite } from "./testing.ts";

const sites: LocalSite[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

async function site(handle: Parameters<typeof serveSite>[0]): Promise<LocalSite> {
  const made = await serveSite(handle);
  sites.push(made);
  return made;
}

async function raw(answer: Parameters<typeof serveRaw>[0]): Promise<LocalSite> {
  const made = await serveRaw(answer);
  sites.push(made);
  return made;
}

const open = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1" });
const closed = createFetcher({ userAgent: "test/1" });

async function codeOf(work: Promise<unknown>): Promise<EgressErrorCode | "no error"> {
  try {
    await work;
    return "no error";
  } catch (error) {
    if (error instanceof EgressError) return error.code;
    throw error;
  }
}

test("a page comes back with its text, its type and its final address", async () => {
  const { url } = await site((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end("<p>مرحبا</p>");
  });
  const answer = await open(`${url}/a`);
  expect(answer).toMatchObject({
    status: 200,
    ok: true,
    url: `${url}/a`,
    redirects: [],
    contentType: "text/html; charset=utf-8",
  });
  expect(answer.text()).toEqual({ text: "<p>مرحبا</p>", charset: "utf-8", how: "utf-8" });
});

test("an error status is an answer, not an error", async () => {
  const { url } = await site((_, response) => {
    response.writeHead(503, { "retry-after": "7" }).end("busy");
  });
  expect(await open(url)).toMatchObject({ status: 503, ok: false, retryAfterMs: 7000 });
});

test("the validators of an earlier answer make the request conditional", async () => {
  const { url } = await site((request, response) => {
    const known = request.headers["if-none-match"] === '"1"' && request.headers["if-modified-since"] === "yesterday";
    response.writeHead(known ? 304 : 200, { etag: '"1"', "last-modified": "yesterday" }).end();
  });
  const first = await open(url);
  const second = await open(url, { etag: first.etag, lastModified: first.lastModified });
  expect([first.notModified, second.notModified, second.status]).toEqual([false, true, 304]);
});

test("cookies are not kept", async () => {
  const cookies: (string | undefined)[] = [];
  const { url } = await site((request, response) => {
    cookies.push(request.headers.cookie);
    response.setHeader("set-cookie", "id=1").end();
  });
  await open(url);
  await open(url);
  expect(cookies).toEqual([undefined, undefined]);
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
])("a body in %s is inflated", async (encoding, compress) => {
  const body = "سطر من النص ".repeat(500);
  const { url } = await site((_, response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(compress(Buffer.from(body)));
  });
  expect((await open(url)).text().text).toBe(body);
});

test("a body encoded twice is inflated twice", async () => {
  const { url } = await site((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip, br" }).end(brotliCompressSync(gzipSync("twice")));
  });
  expect((await open(url)).text().text).toBe("twice");
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
])("a small body in %s that inflates beyond the limit is cut off", async (encoding, compress) => {
  const bomb = compress(Buffer.alloc(50_000_000));
  const { url } = await site((_, response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(bomb);
  });
  expect(await codeOf(open(url))).toBe("too-large");
});

test("a body without a length is cut off at the limit", async () => {
  const { url } = await site((_, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return;
      response.once("drain", more);
    };
    more();
  });
  expect(await codeOf(open(url, { maxBytes: 1_000_000 }))).toBe("too-large");
});

test("an announced length above the limit is refused before the body is read", async () => {
  const { url } = await raw((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\nx"));
  expect(await codeOf(open(url))).toBe("too-large");
});

test.each([
  ["broken gzip", "bad-encoding", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"],
  ["an unknown encoding", "bad-encoding", "HTTP/1.1 200 OK\r\nContent-Encoding: zip\r\nContent-Length: 5\r\n\r\nhello"],
  [
    "a body encoded many times",
    "bad-encoding",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip,gzip,gzip\r\nContent-Length: 5\r\n\r\nhello",
  ],
  ["a length longer than the body", "connection-lost", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"],
  ["chunks that stop", "connection-lost", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"],
  ["a length shorter than the body", "bad-response", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhello"],
  ["another protocol", "bad-response", "SSH-2.0-OpenSSH_9\r\n"],
  ["two lengths", "bad-response", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello12"],
  ["endless headers", "bad-response", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(2_000_000)}\r\n\r\nhello`],
  ["a redirect to nowhere", "bad-redirect", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"],
  [
    "a redirect to another scheme",
    "bad-address",
    "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
  ],
])("%s ends as %s", async (_, code, bytes) => {
  const { url } = await raw((socket) => socket.end(bytes));
  expect(await codeOf(open(url))).toBe(code as EgressErrorCode);
});

test("a connection cut at once is lost", async () => {
  const { url } = await raw((socket) => socket.destroy());
  expect(await codeOf(open(url))).toBe("connection-lost");
});

test("a closed port cannot be connected to", async () => {
  const made = await serveRaw(() => undefined);
  await made.close();
  expect(await codeOf(open(made.url))).toBe("connect-failed");
});

test.each([
  ["that never answers", () => undefined],
  [
    "that sends a byte now and then",
    (socket: { write(text: string): void; destroyed: boolean }) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write("x")), 20);
    },
  ],
  [
    "whose headers drip",
    (socket: { write(text: string): void; destroyed: boolean }) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write("A: b\r\n")), 20);
    },
  ],
])("a server %s is given up in time", async (_, answer) => {
  const { url } = await raw(answer);
  const start = performance.now();
  expect(await codeOf(open(url, { timeoutMs: 300 }))).toBe("timed-out");
  expect(performance.now() - start).toBeLessThan(2000);
});

test("the caller can give up", async () => {
  const { url } = await raw(() => undefined);
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 50);
  expect(await codeOf(open(url, { signal: abort.signal }))).toBe("aborted");
  expect(await codeOf(open(url, { signal: abort.signal }))).toBe("aborted");
});

test("redirects are followed to the end, five at most, and never in a circle", async () => {
  const local = await site((request, response) => {
    const n = Number(request.url?.slice(1));
    if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (n > 0) response.writeHead(301, { location: `/${n - 1}#part` }).end();
    else response.end("here");
  });
  const answer = await open(`${local.url}/5`);
  expect(answer.url).toBe(`${local.url}/0`);
  expect(answer.redirects).toHaveLength(5);
  expect(await codeOf(open(`${local.url}/6`))).toBe("too-many-redirects");
  expect(await codeOf(open(`${local.url}/loop`))).toBe("too-many-redirects");
});

test("another origin does not learn what the first was told in confidence", async () => {
  const told: (string | undefined)[] = [];
  const other = await site((request, response) => {
    told.push(request.headers.authorization, request.headers["user-agent"]);
    response.end();
  });
  const { url } = await site((_, response) => {
    response.writeHead(307, { location: other.url }).end();
  });
  await open(url, { headers: { Authorization: "Bearer secret" } });
  expect(told).toEqual([undefined, "test/1"]);
});

test("a redirect into a private network is refused, and nothing is asked there", async () => {
  const inside = await site((_, response) => void response.end("secret"));
  const { url, port } = await site((_, response) => {
    response.writeHead(302, { location: inside.url }).end();
  });
  const fetcher = createFetcher({ userAgent: "t", allowPrivateHosts: `127.0.0.1:${port}` });
  expect(await codeOf(fetcher(url))).toBe("private-address");
  expect(inside.seen).toEqual([]);
});

test.each([
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0177.0.0.1/",
  "http://0x7f.0.0.1/",
  "http://127.0.0.1./",
  "http://0.0.0.0/",
  "http://0/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[64:ff9b:1::a00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001:0:53aa:64c:0:0:80ff:fffe]/",
  "http://[fe80::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fc00::1]/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://168.63.129.16/",
  "http://100.64.0.1/",
  "http://100.100.100.200/",
  "http://198.18.0.1/",
  "http://192.0.2.1/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://①②⑦.⓪.⓪.①/",
])("%s is refused as private", async (address) => {
  expect(await codeOf(closed(address))).toBe("private-address");
});

test.each([
  ["ftp://example.org/", "bad-address"],
  ["file:///etc/passwd", "bad-address"],
  ["javascript:alert(1)", "bad-address"],
  ["http://user:secret@example.org/", "bad-address"],
  ["http://", "bad-address"],
  ["", "bad-address"],
])("%s is refused as %s", async (address, code) => {
  expect(await codeOf(closed(address))).toBe(code as EgressErrorCode);
});

test("credentials of an address never reach a message", async () => {
  const error = await closed("http://user:secret@example.org/x").catch((e: unknown) => e);
  expect(String(error)).not.toContain("secret");
  expect(error).toMatchObject({ address: "http://example.org/x", retryable: false });
});

test("a host that resolves to a private address is refused, even beside a public one", async () => {
  for (const addresses of [["10.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["::ffff:10.0.0.1"]]) {
    const fetcher = createFetcher({
      userAgent: "t",
      resolver: async () => addresses.map((address) => ({ address, family: 4 })),
    });
    expect(await codeOf(fetcher("http://news.example/"))).toBe("private-address");
  }
});

test("a host that changes its answer is asked once, and the address that was checked is the one that is used", async () => {
  const { port, seen } = await site((request, response) => {
    response.end(request.headers.host);
  });
  const answers = ["127.0.0.1", "10.9.9.9"];
  let asked = 0;
  const fetcher = createFetcher({
    userAgent: "t",
    allowPrivateHosts: "127.0.0.1",
    resolver: async () => [{ address: answers[asked++] ?? "10.9.9.9", family: 4 }],
  });
  const answer = await fetcher(`http://rebind.example:${port}/a`);
  expect(answer.text().text).toBe(`rebind.example:${port}`);
  expect(asked).toBe(1);
  expect(await codeOf(fetcher(`http://rebind.example:${port}/b`))).toBe("private-address");
  expect(seen).toEqual(["/a"]);
});

test("a host that cannot be resolved is named", async () => {
  const fetcher = createFetcher({
    userAgent: "t",
    resolver: () => Promise.reject(new Error("NXDOMAIN")),
  });
  expect(await codeOf(fetcher("http://nowhere.example/"))).toBe("dns-failed");
});

test("a resolver that hangs is given up in time", async () => {
  const fetcher = createFetcher({ userAgent: "t", resolver: () => new Promise(() => undefined) });
  expect(await codeOf(fetcher("http://slow.example/", { timeoutMs: 100 }))).toBe("timed-out");
});
