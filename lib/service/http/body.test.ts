import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { readJsonText } from "./body.ts";
import { testService } from "./testing.ts";

const LIMIT = 1_000;

function sender(limit = LIMIT, values?: number) {
  const service = testService();
  service.app.post("/in", async (c) => {
    const { text, bytes } = await readJsonText(c, { limit, ...(values !== undefined && { values }) });
    return c.json({ text, bytes });
  });
  return { service, post: (init: RequestInit) => service.app.request("/in", { method: "POST", ...init }) };
}

const JSON_TYPE = { "content-type": "application/json" };

/** Sends a body in pieces, so that no length is known, and counts how many pieces were asked for. */
function pieces(piece: Uint8Array, count: number) {
  const state = { taken: 0 };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.taken === count) return controller.close();
        state.taken += 1;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, state };
}

const named = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join()}}`;
const listed = (count: number) => `[${"1,".repeat(count - 1)}1]`;
const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${"}]".repeat(depth / 2)}`;

async function send(init: RequestInit): Promise<number> {
  return (await sender().post(init)).status;
}

describe("the limit of a body", () => {
  const exact = "x".repeat(LIMIT);

  test("lets a body of exactly the limit pass, and not one byte more", async () => {
    const headers = (body: string) => ({ ...JSON_TYPE, "content-length": String(Buffer.byteLength(body)) });
    expect(await send({ body: exact, headers: headers(exact) })).toBe(200);
    expect(await send({ body: `${exact}x`, headers: headers(`${exact}x`) })).toBe(413);
  });

  test("counts bytes, not characters", async () => {
    expect(await send({ body: "ع".repeat(LIMIT / 2), headers: JSON_TYPE })).toBe(200);
    expect(await send({ body: "ع".repeat(LIMIT / 2 + 1), headers: JSON_TYPE })).toBe(413);
  });

  test("counts while streaming when no length is declared", async () => {
    expect(await send({ body: pieces(Buffer.from("x".repeat(100)), 10).stream, headers: JSON_TYPE })).toBe(200);
    expect(await send({ body: pieces(Buffer.from("x".repeat(1001)), 1).stream, headers: JSON_TYPE })).toBe(413);
  });

  test("reads no further than the limit", async () => {
    const { stream, state } = pieces(Buffer.from("x".repeat(300)), 1_000_000);
    expect(await send({ body: stream, headers: JSON_TYPE })).toBe(413);
    expect(state.taken).toBeLessThan(10);
  });

  test("does not begin to read a body that declares too much", async () => {
    const { stream, state } = pieces(Buffer.from("x"), 5);
    expect(await send({ body: stream, headers: { ...JSON_TYPE, "content-length": "1001" } })).toBe(413);
    expect(state.taken).toBeLessThan(2);
  });

  test("holds after gunzip too", async () => {
    const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
    expect(await send({ body: gzipSync(exact), headers })).toBe(200);
    expect(await send({ body: gzipSync(`${exact}x`), headers })).toBe(413);
    expect(await send({ body: pieces(gzipSync(`${exact}x`), 1).stream, headers })).toBe(413);
  });

  test("stops a gzip bomb without unpacking it", async () => {
    // 1.4 MB that unpack to 1.4 GB: gzip packs zeros about 1 : 1000, and members may follow each other.
    const member = gzipSync(Buffer.alloc(100_000_000));
    const bomb = Buffer.concat(Array.from({ length: 14 }, () => member));
    expect(bomb.byteLength).toBeLessThan(1_500_000);
    const before = process.memoryUsage.rss();
    const { post } = sender(1_500_000);
    expect((await post({ body: bomb, headers: { ...JSON_TYPE, "content-encoding": "gzip" } })).status).toBe(413);
    expect(process.memoryUsage.rss() - before).toBeLessThan(60_000_000);
  });

  test("is answered with Retry-After, the request id, and its log message", async () => {
    const { service, post } = sender();
    const res = await post({ body: `${exact}x`, headers: { ...JSON_TYPE, "x-request-id": "r-1" } });
    expect(res.headers.get("retry-after")).toBe("30");
    expect(res.headers.get("x-request-id")).toBe("r-1");
    expect(await res.json()).toMatchObject({ type: "/errors/payload-too-large", status: 413 });
    expect(service.lines.at(-1)).toMatchObject({ msg: "payload too large", request_id: "r-1" });
  });
});

describe("the values of a body", () => {
  const post = (body: string) => sender(1_000_000, 2_000).post({ body, headers: JSON_TYPE });

  test("are counted, named or in a list, and at most so many", async () => {
    for (const body of [named(1_999), listed(1_999)]) expect((await post(body)).status).toBe(200);
    for (const body of [named(2_001), listed(2_001), `{"raw":${named(1_500)},"raw_meta":${listed(1_500)}}`]) {
      const res = await post(body);
      expect(res.status).toBe(413);
      expect(await res.json()).toMatchObject({
        type: "/errors/payload-too-large",
        detail: "The body has more than 2000 values; names and entries of lists count.",
      });
    }
  });

  test("are not what stands in texts", async () => {
    for (const text of [",".repeat(5_000), '",['.repeat(2_000), "\\".repeat(3_001), '\\"[{'.repeat(2_000)]) {
      expect((await post(JSON.stringify({ [text]: text }))).status).toBe(200);
    }
  });

  test("are nested at most 1,000 deep", async () => {
    expect((await post(nested(1_000))).status).toBe(200);
    const res = await post(nested(1_002));
    expect(res.status).toBe(422);
    expect(await res.json()).toMatchObject({ errors: { body: ["must be nested at most 1000 levels deep"] } });
  });

  test("stay 50,000 where a route does not say", async () => {
    const { post } = sender(1_000_000);
    expect((await post({ body: listed(50_001), headers: JSON_TYPE })).status).toBe(413);
    expect((await post({ body: listed(49_999), headers: JSON_TYPE })).status).toBe(200);
  });
});

describe("the form of a body", () => {
  test("must be application/json, with or without parameters", async () => {
    for (const type of ["application/json", "Application/JSON; charset=utf-8"]) {
      expect(await send({ body: "{}", headers: { "content-type": type } })).toBe(200);
    }
    for (const type of ["text/plain", "application/jsonl", "application/x-www-form-urlencoded", "json", ""]) {
      expect(await send({ body: "{}", headers: { "content-type": type } })).toBe(415);
    }
  });

  test("may be gzip or identity, and nothing else", async () => {
    const encoded = (encoding: string, body: string | Uint8Array) =>
      send({ body, headers: { ...JSON_TYPE, "content-encoding": encoding } });
    expect(await encoded("identity", "{}")).toBe(200);
    expect(await encoded("GZIP", gzipSync("{}"))).toBe(200);
    expect(await encoded("br", "{}")).toBe(415);
    expect(await encoded("gzip, gzip", gzipSync(gzipSync("{}")))).toBe(415);
  });

  test("is malformed when it calls itself gzip and is not, or is cut short", async () => {
    const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
    expect(await send({ body: "{}", headers })).toBe(400);
    expect(await send({ body: gzipSync('{"a":1}').subarray(0, 12), headers })).toBe(400);
    expect(await send({ body: "", headers })).toBe(400);
  });

  test("is malformed when it is no UTF-8, rather than silently altered", async () => {
    const windows1256 = Uint8Array.from([0x22, 0xc7, 0xe1, 0x22]);
    const { post } = sender();
    const res = await post({ body: windows1256, headers: JSON_TYPE });
    expect(res.status).toBe(400);
    expect(await res.json()).toMatchObject({ type: "/errors/malformed-json", detail: "The body is not valid UTF-8." });
  });

  test("loses a byte order mark", async () => {
    const res = await sender().post({ body: '\ufeff{"a":1}', headers: JSON_TYPE });
    expect(await res.json()).toEqual({ text: '{"a":1}', bytes: 10 });
  });
});
