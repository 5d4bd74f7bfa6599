import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { type Listening, listen } from "@isnad/lib/service/http";
import { bodyOf, item, type TestApi, TOKEN, testApi } from "../testing.ts";

let api: TestApi;
let server: Listening;
beforeAll(async () => {
  api = await testApi();
  server = await listen(api.app.fetch, { host: "127.0.0.1", port: 0 });
}, 300_000);
afterAll(async () => {
  await server.stop(0);
  await api.close();
});

/** Characters of one, two, three and four bytes in UTF-8; the last is two units in UTF-16. */
const CHARACTERS = { Latin: "a", Arabic: "ع", Devanagari: "ह", emoji: "😀" };

let used = 0;
const fresh = (): string => `limit-${++used}`;
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

/** The status of the only item, or the slug of its error. */
async function verdict(over: Record<string, unknown>): Promise<string> {
  const body = await bodyOf(await api.post(item({ external_id: fresh(), ...over })));
  const [result] = Object(body).results;
  return result.error?.type ?? result.status;
}

/** A text of exactly `length` code points, different at each call. */
function text(character: string, length: number): string {
  const mark = fresh();
  return mark + character.repeat(length - mark.length);
}

describe("the limits of an item, in code points", () => {
  for (const [name, character] of Object.entries(CHARACTERS)) {
    test(`title: 1 to 512 (${name})`, async () => {
      expect(await verdict({ title: character })).toBe("accepted");
      expect(await verdict({ title: character.repeat(512) })).toBe("accepted");
      expect(await verdict({ title: character.repeat(513) })).toBe("/errors/invalid-title");
    });

    test(`content: at least 200 (${name})`, async () => {
      expect(await verdict({ content: text(character, 200) })).toBe("accepted");
      expect(await verdict({ content: text(character, 199) })).toBe("/errors/content-too-short");
    });

    test(`content: cut to 200,000 (${name})`, async () => {
      const whole = text(character, 200_000);
      for (const [content, kept] of [
        [whole, whole],
        [`${text(character, 200_000)}z`, undefined],
      ]) {
        const id = fresh();
        const body = await bodyOf(await api.post(item({ external_id: id, content })));
        const article = await api.store.articles.get(Object(body).results[0].article_id);
        expect([...(article?.content ?? "")]).toHaveLength(200_000);
        expect(article?.content.endsWith(character)).toBe(true);
        if (kept !== undefined) expect(article?.content === kept).toBe(true);
      }
    });

    test(`external_id: 1 to 255, source_id: 1 to 128 (${name})`, async () => {
      expect(await verdict({ external_id: text(character, 255) })).toBe("accepted");
      expect(await verdict({ external_id: text(character, 256) })).toBe("/errors/invalid-field");
      expect(await verdict({ source_id: text(character, 128) })).toBe("accepted");
      expect(await verdict({ source_id: text(character, 129) })).toBe("/errors/invalid-field");
    });
  }

  test("lengths count what is left of the text after cleaning", async () => {
    expect(await verdict({ title: `<h1>${"ع".repeat(512)}</h1>` })).toBe("accepted");
    expect(await verdict({ title: "&amp;".repeat(512) })).toBe("accepted");
    expect(await verdict({ title: "&amp;".repeat(513) })).toBe("/errors/invalid-title");
    expect(await verdict({ content: `<p>${text("ع", 200)}</p><script>${"x".repeat(500)}</script>` })).toBe("accepted");
    expect(await verdict({ content: `${text("ع", 100)}${" ".repeat(300)}` })).toBe("/errors/content-too-short");
  });

  test("two contents that differ beyond the cut are one", async () => {
    const start = text("ع", 200_000);
    expect(await verdict({ content: `${start} first`, title: "عنوان" })).toBe("accepted");
    expect(await verdict({ content: `${start} second`, title: "عنوان" })).toBe("duplicate");
  });

  test("authors and images: at most 25", async () => {
    const author = (n: number) => `كاتب ${n}`;
    const image = (n: number) => `https://img.test/${n}.jpg`;
    expect(await verdict({ authors: many(25, author), images: many(25, image) })).toBe("accepted");
    expect(await verdict({ authors: many(26, author) })).toBe("/errors/too-many-authors");
    expect(await verdict({ images: many(26, image) })).toBe("/errors/too-many-images");
  });

  test("an author: at most 256 characters", async () => {
    expect(await verdict({ authors: ["ع".repeat(256), "😀".repeat(256)] })).toBe("accepted");
    expect(await verdict({ authors: ["a", "ع".repeat(257)] })).toBe("/errors/invalid-field");
  });

  test("addresses: at most 2,048 characters", async () => {
    const address = (length: number) => `https://news.test/${"a".repeat(length - 18)}`;
    for (const field of ["url", "canonical_url"]) {
      expect(await verdict({ [field]: address(2048) })).toBe("accepted");
      expect(await verdict({ [field]: address(2049) })).toBe("/errors/invalid-url");
    }
    expect(await verdict({ images: [address(2048)] })).toBe("accepted");
    expect(await verdict({ images: [address(2049)] })).toBe("/errors/invalid-url");
  });

  test("category_confidence is clamped into 0 to 100", async () => {
    for (const [sent, kept] of [
      [-1, 0],
      [0, 0],
      [55.5, 55.5],
      [100, 100],
      [100.5, 100],
      [1e-46, 0],
      [-1e-320, 0],
      [1e308, 100],
    ]) {
      const body = await bodyOf(await api.post(item({ external_id: fresh(), category_confidence: sent })));
      const article = await api.store.articles.get(Object(body).results[0].article_id);
      expect(article?.categoryConfidence).toBe(kept ?? null);
    }
  });
});

describe("the limits of a batch", () => {
  const batch = (size: number) => ({ articles: many(size, () => item({ external_id: fresh() })) });

  test("100 articles pass, 101 do not", async () => {
    expect(await bodyOf(await api.post(batch(100)))).toMatchObject({ summary: { received: 100, accepted: 100 } });
    expect((await api.post(batch(101))).status).toBe(413);
  });

  test("the limits can be set", async () => {
    const small = await testApi({ INGEST_MAX_BATCH: "2", INGEST_MAX_BODY_BYTES: "5000" });
    expect((await small.post({ articles: [{}, {}] })).status).toBe(202);
    expect((await small.post({ articles: [{}, {}, {}] })).status).toBe(413);
    expect((await small.post(" ".repeat(5_001))).status).toBe(413);
    await small.close();
  });

  test("the batch of another size is documented", async () => {
    const small = await testApi({ INGEST_MAX_BATCH: "7" });
    const doc = JSON.stringify(await (await small.app.request("/openapi.json")).json());
    expect(doc).toContain('"minItems":1,"maxItems":7');
    await small.close();
  });
});

describe("the limit of the body, over the wire", () => {
  const LIMIT = 1_500_000;

  /** A body of exactly `bytes` bytes with one valid item. */
  function body(bytes: number): Buffer {
    const json = JSON.stringify(item({ external_id: fresh() }));
    return Buffer.concat([Buffer.from(json), Buffer.alloc(bytes - Buffer.byteLength(json), " ")]);
  }

  /** Sends it in pieces of 64 KB, so that no length is declared. */
  const chunked = (bytes: Uint8Array) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
        controller.close();
      },
    });

  const post = async (sent: Uint8Array | ReadableStream<Uint8Array>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}/v1/ingest/articles`, {
      method: "POST",
      body: sent,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers },
    });
    await response.text();
    return response.status;
  };

  const WAYS: Record<string, (bytes: Buffer) => Promise<number>> = {
    "with a declared length": (bytes) => post(bytes),
    "without a declared length": (bytes) => post(chunked(bytes)),
    "after gunzip": (bytes) => post(gzipSync(bytes), { "content-encoding": "gzip" }),
    "after gunzip, without a declared length": (bytes) =>
      post(chunked(gzipSync(bytes)), { "content-encoding": "gzip" }),
  };

  for (const [name, send] of Object.entries(WAYS)) {
    test(`${name}: 1,500,000 bytes pass, one more does not`, async () => {
      expect(await send(body(LIMIT))).toBe(202);
      const before = await api.snapshot();
      expect(await send(body(LIMIT + 1))).toBe(413);
      expect(await api.snapshot()).toEqual(before);
    });
  }

  test("the bytes of every body that was read are summed up", async () => {
    const sum = async (): Promise<number> => {
      const metrics = await (await api.app.request("/metrics")).text();
      return Number(/^ingest_body_bytes_total (\d+)$/m.exec(metrics)?.[1]);
    };
    const before = await sum();
    await post(body(10_000));
    await post(gzipSync(body(20_000)), { "content-encoding": "gzip" });
    await post(body(LIMIT + 1));
    expect(await sum()).toBe(before + 30_000);
  });
});
