import { afterEach, describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { createCookieJar, createFetcher } from "./fetcher.ts";
import { codeOf, type LocalSite, serveRaw, serveSite } from "./testing.ts";

describe("fetcher", () => {
  const sites: LocalSite[] = [];
  afterEach(async () => {
    await Promise.all(sites.splice(0).map((site) => site.close()));
  });

  async function site(handle: Parameters<typeof serveSite>[0]): Promise<LocalSite> {
    const made = await serveSite(handle);
    sites.push(made);
    return made;
  }

  const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.0/8" });

  describe("a page that has itself replaced", () => {
    const fast = '<html><head><meta http-equiv="Refresh" content="0; URL=/b?x=1#top"></head><body>moved</body>';
    const at = async (body: string, headers: Record<string, string> = {}) =>
      await site((request, response) => {
        response.setHeader("content-type", "text/html; charset=utf-8").setHeader("etag", '"1"');
        if (request.url === "/a") {
          for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
          response.end(body);
        } else response.end(`<p>at ${request.url}</p>`);
      });

    test.each([
      [fast, {}],
      ["<META CONTENT=' 5 , url = \"/b?x=1\" ' HTTP-EQUIV=refresh>", {}],
      ["<title>x</title><meta http-equiv=refresh content='0;b?x=1'>", {}],
      ["<p>moved</p>", { refresh: "0; url=/b?x=1" }],
    ])("is followed as a redirect is, and its answer bears no validators: %j %j", async (body, headers) => {
      const { url } = await at(body, headers);
      const hops: string[] = [];
      const beforeHop = async ({ pathname }: URL) => {
        hops.push(pathname);
        return async () => undefined;
      };
      const answer = await fetch(`${url}/a`, { followRefresh: true, beforeHop });
      expect(answer).toMatchObject({ url: `${url}/b?x=1`, redirects: [`${url}/a`], etag: undefined });
      expect(answer.text().text).toBe("<p>at /b?x=1</p>");
      expect(hops).toEqual(["/a", "/b"]);
    });

    test.each([
      '<meta http-equiv="refresh" content="6; url=/b">',
      '<meta http-equiv="refresh" content="0">',
      '<meta http-equiv="refresh" content="0; url=/a#again">',
      '<meta http-equiv="refresh" content="0; url=javascript:alert(1)">',
      '<noscript><meta http-equiv="refresh" content="0; url=/b"></noscript>',
      '<!--[if lt IE 9]><meta http-equiv="refresh" content="0; url=/b"><![endif]-->',
      '<script>\'<meta http-equiv="refresh" content="0; url=/b">\'</script>',
      '<body><p>Write <meta http-equiv="refresh" content="0; url=/b"></p>',
      '<meta name="refresh" content="0; url=/b">',
    ])("is read itself where it only seems to: %s", async (body) => {
      const { url } = await at(body);
      expect(await fetch(`${url}/a`, { followRefresh: true })).toMatchObject({ url: `${url}/a`, etag: '"1"' });
    });

    test("is read itself by whoever does not ask for more, and where it is no page or no success", async () => {
      const { url } = await at(fast);
      expect(await fetch(`${url}/a`)).toMatchObject({ url: `${url}/a` });
      for (const [status, type] of [
        [404, "text/html"],
        [200, "application/xml"],
      ] as const) {
        const other = await site((_, response) => void response.writeHead(status, { "content-type": type }).end(fast));
        expect(await fetch(`${other.url}/a`, { followRefresh: true })).toMatchObject({ url: `${other.url}/a`, status });
      }
    });

    test("is no way to a private address, nor around the limit of redirects", async () => {
      const { url } = await at('<meta http-equiv="refresh" content="0; url=http://169.254.169.254/latest">');
      expect(await codeOf(fetch(`${url}/a`, { followRefresh: true }))).toBe("private-address");
      const endless = await site((request, response) => {
        const next = Number(request.url?.slice(1)) + 1;
        response.setHeader("content-type", "text/html").end(`<meta http-equiv="refresh" content="1; url=/${next}">`);
      });
      expect(await codeOf(fetch(`${endless.url}/1`, { followRefresh: true }))).toBe("too-many-redirects");
      expect(endless.seen).toHaveLength(6);
    });
  });

  describe("an answer", () => {
    test("comes back with its text, its type and its final address", async () => {
      const { url } = await site((_, response) => {
        response.setHeader("content-type", "text/html; charset=utf-8").end("<p>مرحبا</p>");
      });
      const answer = await fetch(`${url}/a`);
      expect(answer).toMatchObject({
        status: 200,
        ok: true,
        url: `${url}/a`,
        redirects: [],
        contentType: "text/html; charset=utf-8",
      });
      expect(answer.text()).toEqual({ text: "<p>مرحبا</p>", charset: "utf-8", how: "utf-8" });
    });

    test("with an error status is no error", async () => {
      const { url } = await site((_, response) => {
        response.writeHead(503, { "retry-after": "7" }).end("busy");
      });
      const answer = await fetch(url);
      expect(answer).toMatchObject({ status: 503, ok: false, retryAfterMs: 7000 });
      expect(answer.text().text).toBe("busy");
    });

    test("to a HEAD request has the headers and no body", async () => {
      const { url } = await site((request, response) => {
        response.writeHead(200, { "content-length": "99999999", "x-method": request.method ?? "" }).end();
      });
      const answer = await fetch(url, { method: "HEAD" });
      expect(answer).toMatchObject({ status: 200, bytes: new Uint8Array() });
      expect(answer.headers["x-method"]).toBe("HEAD");
    });

    test.each([
      ["windows-1256, as its header says", "text/html; charset=windows-1256", ""],
      ["windows-1256, as its document says", "text/html", '<meta charset="windows-1256">'],
      ["windows-1256, though its header says UTF-8", "text/html; charset=utf-8", '<meta charset="windows-1256">'],
      ["iso-8859-6, as its header says", "text/html; charset=ISO-8859-6", ""],
    ])("in %s is read", async (name, contentType, meta) => {
      const arabic = name.startsWith("iso") ? [0xd3, 0xe4, 0xc7, 0xe5] : [0xd3, 0xe1, 0xc7, 0xe3];
      const { url } = await site((_, response) => {
        response.setHeader("content-type", contentType).end(Buffer.concat([Buffer.from(meta), Buffer.from(arabic)]));
      });
      expect((await fetch(url)).text().text).toBe(`${meta}سلام`);
    });
  });

  describe("a body", () => {
    test.each([
      ["gzip", gzipSync],
      ["x-gzip", gzipSync],
      ["br", brotliCompressSync],
      ["deflate", deflateSync],
      ["deflate", deflateRawSync],
      ["GZIP, identity", gzipSync],
    ])("in %s is inflated", async (encoding, compress) => {
      const body = "سطر من النص ".repeat(5000);
      const { url } = await site((_, response) => {
        const bytes = compress(Buffer.from(body));
        response.writeHead(200, { "content-encoding": encoding });
        // In small pieces: the first one does not hold the whole head of the format.
        for (let at = 0; at < bytes.length; at += at < 8 ? 1 : 100)
          response.write(bytes.subarray(at, at + (at < 8 ? 1 : 100)));
        response.end();
      });
      expect((await fetch(url)).text().text).toBe(body);
    });

    test("encoded twice is inflated twice", async () => {
      const { url } = await site((_, response) => {
        response.writeHead(200, { "content-encoding": "gzip, br" }).end(brotliCompressSync(gzipSync("twice")));
      });
      expect((await fetch(url)).text().text).toBe("twice");
    });

    test.each(["gzip", "br", "deflate"])(
      "that is empty inflates from %s to nothing or is refused",
      async (encoding) => {
        const { url } = await site((_, response) => {
          response.writeHead(200, { "content-encoding": encoding }).end();
        });
        const outcome = await fetch(url).then(
          ({ bytes }) => bytes.byteLength,
          (error: unknown) => codeOf(Promise.reject(error)),
        );
        expect([0, "bad-encoding"]).toContain(await outcome);
      },
    );

    test("that nobody asks for is not waited for", async () => {
      const made = await serveRaw((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"));
      sites.push(made);
      expect(await fetch(made.url, { maxBytes: 0 })).toMatchObject({ status: 200, bytes: new Uint8Array() });
    });

    test("larger than asked for can be had in its beginning", async () => {
      const { url } = await site((request, response) => {
        const text = Buffer.from("0123456789".repeat(1000));
        if (request.url === "/plain") response.end(text);
        else response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text));
      });
      for (const path of ["/plain", "/gzip"]) {
        expect((await fetch(url + path, { maxBytes: 25, overflow: "cut" })).bytes.byteLength).toBeLessThanOrEqual(25);
        expect(await codeOf(fetch(url + path, { maxBytes: 25 }))).toBe("too-large");
        expect((await fetch(url + path, { maxBytes: 10_000 })).bytes.byteLength).toBe(10_000);
      }
      expect((await fetch(`${url}/plain`, { maxBytes: 25, overflow: "cut" })).text().text).toBe(
        "0123456789012345678901234",
      );
    });
  });

  describe("a request", () => {
    test("is conditional on the validators of an earlier answer", async () => {
      const { url } = await site((request, response) => {
        const known =
          request.headers["if-none-match"] === '"1"' && request.headers["if-modified-since"] === "yesterday";
        response.writeHead(known ? 304 : 200, { etag: '"1"', "last-modified": "yesterday" }).end();
      });
      const first = await fetch(url);
      const second = await fetch(url, { etag: first.etag, lastModified: first.lastModified });
      expect([first.notModified, second.notModified, second.status]).toEqual([false, true, 304]);
    });

    test("carries no cookie, neither of an earlier answer nor of a redirect", async () => {
      const cookies: (string | undefined)[] = [];
      const { url } = await site((request, response) => {
        cookies.push(request.headers.cookie);
        response.setHeader("set-cookie", "id=1");
        if (request.url === "/a") response.writeHead(302, { location: "/b" });
        response.end();
      });
      await fetch(`${url}/a`);
      await fetch(`${url}/a`);
      expect(cookies).toEqual([undefined, undefined, undefined, undefined]);
    });

    test.each([
      ["a line break in a value", { "x-a": "1\r\nx-b: 2" }],
      ["a bare line feed in a value", { "x-a": "1\nx-b: 2" }],
      ["a line break in a name", { "x-a: 1\r\nx-b": "2" }],
      ["a NUL in a value", { "x-a": "1\u00002" }],
      ["a value beyond Latin 1", { "x-a": "سلام" }],
      ["a host of its own", { Host: "intranet.example" }],
      ["a framing of its own", { "Transfer-Encoding": "chunked" }],
      ["a length of its own", { "content-length": "0" }],
    ])("with %s is not sent", async (_, headers: Record<string, string>) => {
      const { url, seen } = await site((__, response) => void response.end());
      expect(await codeOf(fetch(url, { headers }))).toBe("bad-header");
      expect(seen).toEqual([]);
    });

    test("leaves out a validator that no server can have meant, and encodes what would break its first line", async () => {
      const { url, seen } = await site((request, response) => {
        response.end(String(request.headers["if-none-match"]));
      });
      expect((await fetch(`${url}/a b\r\nx: y`, { etag: '"1"\r\nx: y' })).text().text).toBe("undefined");
      expect(seen).toEqual(["/a%20bx:%20y"]);
    });

    test("goes to the next address of its host when the first cannot be connected to", async () => {
      const { port } = await site((request, response) => void response.end(request.headers.host));
      const at = (...addresses: string[]) =>
        createFetcher({
          userAgent: "t",
          allowPrivateHosts: "127.0.0.0/8",
          resolver: async () => addresses.map((address) => ({ address, family: 4 })),
        });
      const address = `http://two.example:${port}/`;
      expect((await at("127.0.0.2", "127.0.0.3", "127.0.0.1")(address)).text().text).toBe(`two.example:${port}`);
      expect(await codeOf(at("127.0.0.2", "127.0.0.3")(address))).toBe("connect-failed");
    });

    test("is given up when its caller says so", async () => {
      const made = await serveRaw(() => undefined);
      sites.push(made);
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 50);
      expect(await codeOf(fetch(made.url, { signal: abort.signal }))).toBe("aborted");
      expect(await codeOf(fetch(made.url, { signal: abort.signal }))).toBe("aborted");
    });
  });

  test("of a request that nobody waits for any more, a refusal is no unhandled error", async () => {
    const unhandled: unknown[] = [];
    const hear = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", hear);
    const strict = createFetcher({ userAgent: "t", allowPrivateHosts: "" });
    const signal = AbortSignal.abort(new Error("enough"));
    expect(await codeOf(strict("http://127.0.0.1:9/hook", { signal }))).toBe("aborted");
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("unhandledRejection", hear);
    expect(unhandled).toEqual([]);
  });

  describe("redirects", () => {
    test("are followed to the end, five at most, and never in a circle", async () => {
      const local = await site((request, response) => {
        const n = Number(request.url?.slice(1));
        if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
        else if (request.url === "/to") response.writeHead(302, { location: "/fro" }).end();
        else if (request.url === "/fro") response.writeHead(302, { location: "/to" }).end();
        else if (n > 0) response.writeHead(301, { location: `/${n - 1}#part` }).end();
        else response.end("here");
      });
      const answer = await fetch(`${local.url}/5`);
      expect(answer.url).toBe(`${local.url}/0`);
      expect(answer.redirects).toHaveLength(5);
      for (const path of ["/6", "/loop", "/to"]) {
        expect(await codeOf(fetch(local.url + path))).toBe("too-many-redirects");
      }
      expect(local.seen.filter((path) => path === "/to")).toHaveLength(1);
    });

    test("are the answer when none is to be followed", async () => {
      const { url, seen } = await site((_, response) => {
        response.writeHead(302, { location: "/b" }).end();
      });
      const answer = await fetch(`${url}/a`, { maxRedirects: 0 });
      expect(answer).toMatchObject({ status: 302, url: `${url}/a`, redirects: [] });
      expect(answer.headers.location).toBe("/b");
      expect(seen).toEqual(["/a"]);
    });

    test("tell another host nothing of what was meant for the first", async () => {
      const told: Record<string, unknown>[] = [];
      const other = await site((request, response) => {
        told.push(request.headers);
        response.end();
      });
      const { url } = await site((_, response) => {
        response.writeHead(307, { location: other.url }).end();
      });
      await fetch(url, {
        headers: {
          Authorization: "Bearer secret",
          Cookie: "a=b",
          "X-Api-Key": "k",
          "X-Site": "s",
          Accept: "text/plain",
        },
      });
      expect(told).toHaveLength(1);
      expect(told[0]).toMatchObject({ accept: "text/plain", "user-agent": "test/1" });
      for (const name of ["authorization", "cookie", "x-api-key", "x-site"]) expect(told[0]).not.toHaveProperty(name);
    });

    test("keep method and body where their status says so", async () => {
      const asked: string[] = [];
      const { url } = await site(async (request, response) => {
        const body = await new Response(request).text();
        asked.push(`${request.method} ${request.url} ${body}`);
        const status = Number(request.url?.slice(1));
        if (status > 0) response.writeHead(status, { location: "/end" });
        response.end();
      });
      for (const status of [301, 302, 303, 307, 308]) await fetch(`${url}/${status}`, { method: "POST", body: "x" });
      expect(asked.filter((line) => line.includes("/end"))).toEqual([
        "GET /end ",
        "GET /end ",
        "GET /end ",
        "POST /end x",
        "POST /end x",
      ]);
    });
  });

  test.each([
    ["ftp://example.org/", "bad-address"],
    ["file:///etc/passwd", "bad-address"],
    ["javascript:alert(1)", "bad-address"],
    ["http://user:secret@example.org/", "bad-address"],
    ["http://[fe80::1%25eth0]/", "bad-address"],
    ["http://[fe80::1%eth0]/", "bad-address"],
    ["http://1.2.3.4.5/", "bad-address"],
    ["http://0x100000000/", "bad-address"],
    ["http://exa mple.org/", "bad-address"],
    ["http://", "bad-address"],
    ["", "bad-address"],
  ] as const)("%s is refused as %s", async (address, code) => {
    expect(await codeOf(fetch(address))).toBe(code);
  });

  test("neither credentials of an address nor a key in its query reach a message", async () => {
    for (const address of ["http://user:hush@example.org/x", "ftp://example.org/?q=1&apikey=hush&Access_Token=hush"]) {
      const error = await fetch(address).catch((e: unknown) => e);
      expect(error).toMatchObject({ retryable: false });
      expect(JSON.stringify(error) + String(error)).not.toContain("hush");
    }
  });
});

describe("headers", () => {
  const sites: LocalSite[] = [];
  afterEach(async () => {
    await Promise.all(sites.splice(0).map((site) => site.close()));
  });

  const after = (from: string, set: readonly string[], to: string): string | undefined => {
    const jar = createCookieJar();
    jar.take(new URL(from), set);
    return jar.headerFor(new URL(to));
  };

  test.each([
    ["https://a.example/", "id=1", "https://a.example/news/1", "id=1"],
    ["https://a.example/", "id=1", "https://www.a.example/", undefined],
    ["https://www.a.example/", "id=1; Domain=.a.example", "https://a.example/", "id=1"],
    ["https://www.a.example/", "id=1; Domain=a.example", "https://b.a.example/", "id=1"],
    ["https://www.a.example/", "id=1; Domain=b.example", "https://b.example/", undefined],
    ["https://a.example/", "id=1; Domain=example", "https://b.example/", undefined],
    ["https://a.example/", "id=1; Path=/consent", "https://a.example/consent/2", "id=1"],
    ["https://a.example/", "id=1; Path=/consent", "https://a.example/consents", undefined],
    ["https://a.example/x/y", "id=1", "https://a.example/x/z", "id=1"],
    ["https://a.example/x/y", "id=1", "https://a.example/z", undefined],
    ["https://a.example/", "id=1; Secure", "https://a.example/", "id=1"],
    ["https://a.example/", "id=1; Secure", "http://a.example/", undefined],
    ["http://a.example/", "id=1; Secure", "https://a.example/", undefined],
    ["https://a.example/", "id=1; Max-Age=0", "https://a.example/", undefined],
    ["https://a.example/", "id=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://a.example/", undefined],
    ["https://a.example/", "id=a b", "https://a.example/", undefined],
    ["https://a.example/", "=1", "https://a.example/", undefined],
    ["https://a.example/", "nothing", "https://a.example/", undefined],
  ])("from %s, %p goes to %s as %p", (from, set, to, header) => {
    expect(after(from, [set], to)).toBe(header);
  });

  test("the longer path comes first, and a value that is set again takes the place of the former", () => {
    const set = ["a=1", "b=2; Path=/news", "a=3"];
    expect(after("https://a.example/", set, "https://a.example/news/1")).toBe("b=2; a=3");
  });

  test("a cookie that a redirect sets opens the consent gate, in that fetch alone", async () => {
    const gate = await serveSite((request, response) => {
      const { cookie } = request.headers;
      if (request.url === "/consent")
        response.writeHead(302, { location: "/a", "set-cookie": "consent=yes; Path=/" }).end();
      else if (cookie === "consent=yes") response.end("the article");
      else response.writeHead(302, { location: "/consent" }).end();
    });
    sites.push(gate);
    const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1" });
    for (const _ of ["first", "second"]) {
      const answer = await fetch(`${gate.url}/a`, { cookies: true });
      expect(answer.text().text).toBe("the article");
      expect(answer.redirects).toHaveLength(2);
    }
    expect(gate.seen).toEqual(["/a", "/consent", "/a", "/a", "/consent", "/a"]);
    expect(await codeOf(fetch(`${gate.url}/a`))).toBe("too-many-redirects");
  });

  test("a cookie of one host is never sent to another", async () => {
    let sent: string | undefined = "unasked";
    const other = await serveSite((request, response) => {
      sent = request.headers.cookie;
      response.end();
    });
    const first = await serveSite((_, response) => {
      const location = other.url.replace("127.0.0.1", "localhost");
      response.writeHead(302, { location, "set-cookie": "id=1" }).end();
    });
    sites.push(other, first);
    const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1, localhost" });
    await fetch(first.url, { cookies: true });
    expect(sent).toBeUndefined();
  });

  test("a site that sets another cookie at every turn of a circle is given up", async () => {
    let turn = 0;
    const site = await serveSite((_, response) => {
      response.writeHead(302, { location: "/a", "set-cookie": `turn=${turn++}` }).end();
    });
    sites.push(site);
    const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1" });
    expect(await codeOf(fetch(`${site.url}/a`, { cookies: true }))).toBe("too-many-redirects");
    expect(site.seen).toHaveLength(6);
  });
});
