import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, serveUpstream, type TestUpstream } from "@isnad/lib/answers/testing";
import { recording, wavFile } from "../../lib/models/audio/testing.ts";
import { openRegistry } from "../../lib/models/cards/registry.ts";
import { createMachineTranscriber } from "../../lib/models/tasks/transcribe/machine-transcriber.ts";
import { soundOf, SPEECH, speechFolder } from "../../lib/models/tasks/transcribe/testing.ts";
import { bodyOf, KEY, shippedModels, type TestEdge, testEdge } from "../testing/edge.ts";

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

const wav = wavFile([0, 0.5, -0.5]);

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

  test("goes there with the language that the client names", async () => {
    const [edge, upstream] = await withUpstream((response) => void response.end(JSON.stringify(heard)));
    const named = form("file", new Blob([wav]));
    named.set("language", "ar-EG");
    await send(edge, named);
    expect(String(upstream.seen[0]?.body)).toMatch(/name="language"\s+ar\s/);
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

describe("with a speech model of this machine", () => {
  const folder = speechFolder();
  let edge: TestEdge;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const transcriber = await createMachineTranscriber({ registry: openRegistry({ dirs: [folder.root] }), threads: 1 });
    edge = await testEdge({ models: { ...(await shippedModels()), transcriber: { model: transcriber } } });
    close = () => transcriber.close();
  });
  afterAll(async () => {
    await edge.close();
    await close();
    folder.remove();
  });

  const each = SPEECH.cases.find(({ asked, segments }) => asked === "ar" && segments.length > 2);
  const sound = wavFile(each === undefined ? [] : soundOf(each), { rate: 16_000 });

  test("a recording is answered with its text, times, language and length", async () => {
    for (const body of [sound, form("file", new Blob([sound]))]) {
      const answer = await bodyOf(await send(edge, body));
      expect(answer).toMatchObject({ ok: true, model: "tiny", duration_s: each?.seconds });
      expect(["ar", "en", "fr"]).toContain(String(answer.language));
      expect(Object.keys(answer)).toEqual(["ok", "model", "text", "language", "duration_s", "segments"]);
    }
  });

  test("a client may name the language", async () => {
    const named = form("file", new Blob([sound]));
    named.set("language", "ar");
    const raw = await fetch(`${edge.url}/llm/asr?language=ar`, {
      method: "POST",
      body: sound,
      headers: { "x-api-key": KEY },
    });
    for (const response of [raw, await send(edge, named)]) {
      expect(await bodyOf(response)).toMatchObject({ language: "ar" });
    }
    named.set("language", "not a tag");
    const response = await send(edge, named);
    expect([response.status, Object.keys(Object((await bodyOf(response)).errors))]).toEqual([422, ["language"]]);
    for (const [query, rule] of [
      ["language=ar&language=en", "must be given once"],
      ["language=%FF", "must be percent-encoded UTF-8"],
    ]) {
      const refused = await fetch(`${edge.url}/llm/asr?${query}`, {
        method: "POST",
        body: sound,
        headers: { "x-api-key": KEY },
      });
      expect((await bodyOf(refused)).errors).toEqual({ language: [rule] });
    }
  });

  test.each(["tones.flac", "tones.mp3", "tones.opus"])("%s is heard", async (name) => {
    const answer = await bodyOf(await send(edge, recording(name)));
    expect(answer).toMatchObject({ ok: true, duration_s: expect.closeTo(0.3, 1) });
  });

  test("it is ready", async () => {
    const response = await fetch(`${edge.url}/llm/health`, { headers: { "x-api-key": KEY } });
    expect(await bodyOf(response)).toMatchObject({
      capabilities: { asr: { ready: true, model: "tiny", provider: "builtin" } },
    });
  });

  test("a recording that is damaged further on is 415, and says how", async () => {
    const bytes = recording("noise.flac");
    bytes[6_000] = (bytes[6_000] ?? 0) ^ 1;
    const response = await send(edge, bytes);
    expect(response.status).toBe(415);
    expect((await bodyOf(response)).detail).toContain("damaged at byte");
  });

  test("a client that leaves takes its recording along, and the next one is heard", async () => {
    const gone = new AbortController();
    const call = fetch(`${edge.url}/llm/asr`, {
      method: "POST",
      body: wavFile(new Float32Array(1_000_000), { rate: 1_000 }),
      headers: { "x-api-key": KEY },
      signal: gone.signal,
    });
    gone.abort();
    await call.catch(() => {});
    expect((await send(edge, sound)).status).toBe(200);
  });
});

describe("what is no recording", () => {
  test.each([
    ["text", "hello", "text/plain"],
    ["text that says it is audio", "hello", "audio/wav"],
    ["JSON", "{}", "application/json"],
    ["nothing", "", "audio/wav"],
    ["a WAV file without samples", wavFile([]), "audio/wav"],
    ["a WAV file of a hundred channels", wavFile([0], { head: { 22: 100 } }), "audio/wav"],
    ["a cut head", recording("tones.flac").subarray(0, 20), "audio/flac"],
    ["a tag without sound", "ID3\x04\0\0\0\0\0\0 and text", "audio/mpeg"],
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
