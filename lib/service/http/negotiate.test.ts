import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { listen, type Listening } from "./listen.ts";
import { acceptedCoding, acceptedOffer, textStream } from "./negotiate.ts";
import { testService } from "./testing.ts";

const OFFERS = [
  { types: ["application/json"], value: "json" },
  { types: ["text/csv"], value: "csv" },
  { types: ["application/jsonl", "application/x-ndjson"], value: "jsonl" },
];

test("the media type that is accepted most is taken, the first where that does not decide", () => {
  const taken: Record<string, string> = {
    "": "json",
    "*/*": "json",
    "image/png": "json",
    "text/csv": "csv",
    "Text/CSV; charset=utf-8": "csv",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": "json",
    "text/csv;q=0.5, application/x-ndjson": "jsonl",
    "application/json;q=0.9, text/csv;q=0.8": "json",
    "text/csv;q=0": "json",
    "*/*;q=0.1, text/csv;q=0.2": "csv",
  };
  for (const [accept, value] of Object.entries(taken))
    expect([accept, acceptedOffer(accept, OFFERS)]).toEqual([accept, value]);
  expect(acceptedOffer(undefined, OFFERS)).toBe("json");
});

test("a stream is made as it is read, and ends when nobody reads on", async () => {
  let made = 0;
  let ended = false;
  async function* texts(): AsyncGenerator<string, void> {
    try {
      for (;;) {
        made++;
        yield "x".repeat(10_000);
      }
    } finally {
      ended = true;
    }
  }
  const reader = textStream(texts()).getReader();
  const { value } = await reader.read();
  expect(value?.byteLength).toBe(40_000);
  await reader.cancel();
  expect(made).toBeLessThanOrEqual(8);
  expect(ended).toBe(true);
});

const LONG = { text: "وصل القطار إلى المدينة. ".repeat(200) };
const { app } = testService();
app.get("/long", (c) => c.json(LONG));
app.get("/short", (c) => c.json({ text: "x".repeat(900) }));
app.get("/tagged", (c) => c.json(LONG, 200, { ETag: '"a"', Vary: "Accept" }));
app.get("/kept", (c) => c.json(LONG, 200, { "Cache-Control": "no-transform" }));
app.get("/done", (c) => c.body("x".repeat(2000), 200, { "Content-Type": "text/plain", "Content-Encoding": "br" }));
app.get("/picture", (c) => c.body("x".repeat(2000), 200, { "Content-Type": "image/webp" }));
app.get("/events", (c) => c.body("data: x\n\n".repeat(500), 200, { "Content-Type": "text/event-stream" }));
app.get("/lines", (c) =>
  c.body(
    new ReadableStream({
      start(controller) {
        for (let n = 0; n < 1000; n++) controller.enqueue(new TextEncoder().encode(`{"n":${n}}\n`));
        controller.close();
      },
    }),
    200,
    { "Content-Type": "application/x-ndjson" },
  ),
);

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
const ask = (path: string, accept?: string, method = "GET") =>
  app.request(path, { method, headers: accept === undefined ? {} : { "accept-encoding": accept } });

test.each(Object.entries(DECODERS))("a client that accepts %s alone gets it", async (name, decode) => {
  for (const [path, start] of [
    ["/long", '{"text":"وصل'],
    ["/lines", '{"n":0}\n'],
  ] as const) {
    if (name === "zstd" && path === "/lines") continue;
    const response = await ask(path, name);
    expect(response.headers.get("content-encoding")).toBe(name);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(decode(await response.arrayBuffer()).toString()).toStartWith(start);
  }
});

test("a stream is never zstd, of which clients read the first piece alone", async () => {
  const coding = async (accept: string) => (await ask("/lines", accept)).headers.get("content-encoding");
  expect(await coding("gzip, deflate, br, zstd")).toBe("br");
  expect(await coding("zstd")).toBeNull();
});

test.each([
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["deflate", undefined],
  ["gzip;q=0", undefined],
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "br"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["gzip;q=1, br;q=0.5", "gzip"],
  ["zstd;q=0.1, br;q=0.2, gzip;q=0.3", "gzip"],
  ["*", "zstd"],
  ["zstd;q=0, *;q=0.5", "br"],
  ["*;q=0", undefined],
  ["identity, gzip;q=0.5", undefined],
  ["identity;q=0.5, gzip", "gzip"],
  [", ".repeat(100_000), undefined],
])("of %p the coding %p is chosen", (header, name) => {
  expect(acceptedCoding(header)?.name).toBe(name);
});

describe("an answer stays as it is", () => {
  test.each(["/short", "/kept", "/picture", "/events"])("%s", async (path) => {
    const response = await ask(path, "gzip");
    expect(response.headers.get("content-encoding")).toBeNull();
    expect((await response.text()).length).toBeGreaterThan(900);
  });

  test("where something compressed it already", async () => {
    const response = await ask("/done", "gzip");
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(await response.text()).toBe("x".repeat(2000));
  });

  test("where the client asks for nothing, and caches are told that it depends", async () => {
    const response = await ask("/long");
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(await response.json()).toEqual(LONG);
  });
});

test("a strong tag becomes a weak one, and Vary keeps what it had", async () => {
  const { headers } = await ask("/tagged", "br");
  expect(headers.get("etag")).toBe('W/"a"');
  expect(headers.get("vary")).toBe("Accept, Accept-Encoding");
  expect((await ask("/tagged")).headers.get("etag")).toBe('"a"');
});

test("HEAD has the headers of GET", async () => {
  const get = await ask("/long", "gzip");
  const head = await ask("/long", "gzip", "HEAD");
  expect(await head.text()).toBe("");
  for (const name of ["content-encoding", "vary", "content-type"]) {
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
  expect(Number(head.headers.get("content-length"))).toBe((await get.arrayBuffer()).byteLength);
});

test.each(["gzip", "br"])("the beginning of a streamed answer arrives in %s before its end", async (coding) => {
  const end = Promise.withResolvers<void>();
  const { app: slow } = testService({ entityTags: true });
  slow.get("/", (c) => {
    const source = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("<p>beginning</p>"));
        await end.promise;
        controller.enqueue(new TextEncoder().encode("<p>end</p>"));
        controller.close();
      },
    });
    return c.body(source, 200, { "Content-Type": "text/html", "X-Accel-Buffering": "no" });
  });
  const server: Listening = await listen(slow.fetch, { host: "127.0.0.1", port: 0 });
  const response = await fetch(server.url, { headers: { "accept-encoding": coding } });
  expect(response.headers.get("content-encoding")).toBe(coding);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("<p>beginning</p>");
  end.resolve();
  expect((await reader?.read())?.value).toBe("<p>end</p>");
  await server.stop(0);
});

test("a client that leaves a stream ends it", async () => {
  const cancelled = Promise.withResolvers<void>();
  const { app: endless } = testService();
  endless.get("/", (c) => {
    const source = new ReadableStream({
      pull: (controller) => controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536))),
      cancel: () => cancelled.resolve(),
    });
    return c.body(source, 200, { "Content-Type": "application/x-ndjson" });
  });
  const server: Listening = await listen(endless.fetch, { host: "127.0.0.1", port: 0 });
  const response = await fetch(server.url, { headers: { "accept-encoding": "gzip" }, decompress: false });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await cancelled.promise;
  await server.stop(0);
});
