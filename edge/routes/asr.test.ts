import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, serveUpstream, type TestUpstream } from "@isnad/lib/llm/testing";
import { bodyOf, KEY, type TestEdge, testEdge } from "../testing/edge.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

let bare: TestEdge;
beforeAll(async () => {
  bare = await testEdge();
});
afterAll(() => bare.close());

async function withUpstream(answer: Answer): Promise<[TestEdge, TestUpstream]> {
  const upstream = await serveUpstream(answer);
  const edge = await testEdge({ env: { LLM_ASR_URL: upstream.url, LLM_ASR_API_KEY: "ask", LLM_ASR_MODEL: "w" } });
  open.push(edge, upstream);
  return [edge, upstream];
}

const wav = Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt "), Buffer.alloc(64)]);

const send = (edge: TestEdge, body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = {}) =>
  fetch(`${edge.url}/llm/asr`, { method: "POST", body, headers: { "x-api-key": KEY, ...headers } });

const form = (name: string, value: Blob | string): FormData => {
  const made = new FormData();
  made.set(name, value);
  return made;
};

const heard = {
  text: " مرحبا ",
  language: "arabic",
  duration: 1.5,
  segments: [{ id: 0, start: 0, end: 1.5, text: " مرحبا" }],
};
const transcript = {
  ok: true,
  model: "w",
  text: "مرحبا",
  language: "ar",
  duration_s: 1.5,
  segments: [{ start: 0, end: 1.5, text: "مرحبا" }],
};

describe("a recording", () => {
  test("is transcribed by the configured server, sent raw or as a form's file", async () => {
    const [edge, upstream] = await withUpstream((response) => void response.end(JSON.stringify(heard)));
    expect(await bodyOf(await send(edge, wav, { "content-type": "audio/wav" }))).toEqual(transcript);
    expect(await bodyOf(await send(edge, form("file", new Blob([wav]))))).toEqual(transcript);
    for (const { path, headers, body } of upstream.seen) {
      expect(path).toBe("/v1/audio/transcriptions");
      expect(headers.authorization).toBe("Bearer ask");
      const sent = await new Response(body, { headers: { "content-type": headers["content-type"] ?? "" } }).formData();
      expect([sent.get("model"), sent.get("response_format")]).toEqual(["w", "verbose_json"]);
      const file = sent.get("file");
      if (!(file instanceof File)) throw new Error("there is no file");
      expect([file.name, Buffer.from(await file.arrayBuffer()).equals(wav)]).toEqual(["audio.wav", true]);
    }
  });

  test("is asked for without times where a server has none", async () => {
    const [edge, upstream] = await withUpstream((response, { body }) => {
      if (String(body).includes("verbose_json")) response.writeHead(400).end('{"error":{"message":"no such format"}}');
      else response.end('{"text":"hello"}');
    });
    expect(await bodyOf(await send(edge, wav))).toEqual({
      ...{ ok: true, model: "w", text: "hello", language: null, duration_s: null, segments: [] },
    });
    expect(upstream.seen).toHaveLength(2);
  });

  test("that the server does not answer for is 503", async () => {
    const [edge] = await withUpstream((response) => void response.end('{"error":"no"}'));
    expect((await send(edge, wav)).status).toBe(503);
  });

  test("is 503 without a model, and the answer names what installs one", async () => {
    const response = await send(bare, wav);
    expect(response.status).toBe(503);
    const body = await bodyOf(response);
    expect(body.type).toBe("/errors/model-not-installed");
    expect(body.detail).toContain("bun run models pull whisper-base");
  });
});

describe("what is no recording", () => {
  test.each([
    ["text", "hello", "text/plain"],
    ["text that says it is audio", "hello", "audio/wav"],
    ["JSON", "{}", "application/json"],
    ["nothing", "", "audio/wav"],
  ])("%s is 415, with a model or without", async (_, body, type) => {
    const [edge] = await withUpstream((response) => void response.end(JSON.stringify(heard)));
    for (const each of [bare, edge]) {
      const response = await send(each, body, { "content-type": type });
      expect(response.status).toBe(415);
      expect(await bodyOf(response)).toMatchObject({ type: "/errors/unsupported-media-type" });
    }
  });

  test("a form's file that is none is 415", async () => {
    expect((await send(bare, form("file", new Blob(["hello"])))).status).toBe(415);
  });

  test("a form without a file is 422 and names it, one that cannot be read 400", async () => {
    for (const body of [form("audio", new Blob([wav])), form("file", "hello")]) {
      const response = await send(bare, body);
      expect([response.status, Object.keys(Object((await bodyOf(response)).errors))]).toEqual([422, ["file"]]);
    }
    expect((await send(bare, "--x", { "content-type": "multipart/form-data; boundary=y" })).status).toBe(400);
    expect((await send(bare, "--x", { "content-type": "multipart/form-data" })).status).toBe(400);
  });

  test("more than 25 MB is 413, raw or as a file, before anything else; 25 MB is not", async () => {
    const large = Buffer.alloc(25_000_001);
    expect((await send(bare, large)).status).toBe(413);
    expect((await send(bare, form("file", new Blob([large])))).status).toBe(413);
    wav.copy(large);
    expect((await send(bare, large.subarray(0, 25_000_000))).status).toBe(503);
    expect((await send(bare, form("file", new Blob([large.subarray(0, 25_000_000)])))).status).toBe(503);
  });

  test("without a key is 401 whatever it is", async () => {
    expect((await send(bare, wav, { "x-api-key": "wrong" })).status).toBe(401);
  });
});
