import { afterEach, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { EgressError } from "./address.ts";
import { createFetcher, type FetchOptions } from "./fetcher.ts";
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

const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1" });

/** Fetches with a taker of the body; what it took, and how the request ended. */
async function taken(url: string, options: FetchOptions = {}) {
  const heads: number[] = [];
  const chunks: Uint8Array[] = [];
  const onBody: FetchOptions["onBody"] = async ({ status }, pieces) => {
    heads.push(status);
    for await (const piece of pieces) chunks.push(piece);
  };
  const end = await fetch(url, { ...options, onBody }).catch((error: unknown) => error);
  return { heads, body: Buffer.concat(chunks), end };
}

const big = Buffer.alloc(3_000_000, "0123456789");

test("a body is taken piece by piece, after redirects, and the answer keeps none of it", async () => {
  const { url } = await site((request, response) => {
    if (request.url === "/a") response.writeHead(302, { location: "/b" }).end("elsewhere");
    else response.end(big);
  });
  const { heads, body, end } = await taken(`${url}/a`);
  expect(heads).toEqual([200]);
  expect(body.equals(big)).toBe(true);
  expect(end).toMatchObject({ status: 200, url: `${url}/b`, bytes: new Uint8Array() });
});

test("a part of a file is taken as a part", async () => {
  const { url } = await site((request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1]);
    response.writeHead(206, { "content-range": `bytes ${from}-99/100` }).end(big.subarray(from, 100));
  });
  const { heads, body } = await taken(url, { headers: { range: "bytes=90-" } });
  expect([heads, String(body)]).toEqual([[206], "0123456789"]);
});

test("what was encoded on the way is taken as it was before", async () => {
  const { url } = await site((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(big));
  });
  expect((await taken(url)).body.equals(big)).toBe(true);
});

test("the body of an error is not taken, and is there with the answer", async () => {
  const { url } = await site((_, response) => void response.writeHead(404).end("nothing here"));
  const { heads, end } = await taken(url);
  expect(heads).toEqual([]);
  expect(end).toMatchObject({ status: 404, bytes: Buffer.from("nothing here") });
});

test("a body beyond the limit, and one that ends early, end the request", async () => {
  const { url } = await site((_, response) => void response.end(big));
  expect((await taken(url, { maxBytes: 1_000 })).end).toMatchObject({ code: "too-large" });
  const short = await serveRaw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc"));
  sites.push(short);
  const { body, end } = await taken(short.url);
  expect([String(body), end]).toMatchObject(["abc", { code: "connection-lost" }]);
});

test("what the taker throws ends the request, and is its cause", async () => {
  const { url } = await site((_, response) => void response.end(big));
  const full = new Error("the disk is full");
  const failed = await fetch(url, { onBody: () => Promise.reject(full) }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(EgressError);
  expect(failed).toMatchObject({ code: "connection-lost", cause: full });
});
