import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  type Answer,
  chatStream,
  chunkLine,
  endLine,
  serveUpstream,
  type TestUpstream,
} from "@isnad/lib/answers/testing";
import { EmbedAnswer } from "@isnad/lib/contract";
import { createMachineTranslator, openRegistry } from "@isnad/lib/models";
import { TRANSLATED, translationFolder } from "../../lib/models/tasks/translate/testing.ts";
import { bodyOf, KEY, shippedModels, type TestEdge, testEdge } from "../testing/edge.ts";

describe("translate", () => {
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
    const edge = await testEdge({ env: { LLM_URL: upstream.url, LLM_MODEL: "m", LLM_TRANSLATE_MODEL: "t" } });
    open.push(edge, upstream);
    return [edge, upstream];
  }

  const streaming =
    (text: string): Answer =>
    (response) =>
      void response.writeHead(200, { "content-type": "text/event-stream" }).end(text);

  test("a text is translated by the configured model, its language detected", async () => {
    const [edge, upstream] = await withUpstream(streaming(chatStream(["  Hello", " world "])));
    const body = await bodyOf(
      await edge.post("/llm/translate", { text: "مرحبا أيها العالم الجميل", target_lang: "en" }),
    );
    expect(body).toEqual({
      ok: true,
      model: "t",
      translated_text: "Hello world",
      source_lang: "ar",
      target_lang: "en",
    });
    const sent = JSON.parse(String(upstream.seen[0]?.body));
    expect(sent).toMatchObject({ model: "t", temperature: 0 });
    expect(sent.messages[0].content).toContain("from Arabic to English");
    expect(sent.messages[1]).toEqual({ role: "user", content: "مرحبا أيها العالم الجميل" });
  });

  test("a text that is in the language asked for comes back as it is, without any model", async () => {
    for (const [text, target_lang] of [
      ["The ship left the harbour.", "en"],
      ["The ship left the harbour.", "en-GB"],
      ["غادرت السفينة الميناء", "ar"],
    ]) {
      const body = await bodyOf(await bare.post("/llm/translate", { text, target_lang }));
      expect(body).toMatchObject({ ok: true, translated_text: text, target_lang });
    }
  });

  test("without a model it is 503, and the answer names what installs one", async () => {
    const response = await bare.post("/llm/translate", { text: "Hello", target_lang: "fr", source_lang: "en" });
    expect(response.status).toBe(503);
    const body = await bodyOf(response);
    expect(body.type).toBe("/errors/model-not-installed");
    expect(body.detail).toContain("bun run models pull opus-mt-en-ar");
    expect(body.detail).toContain("LLM_URL");
  });

  test("an answer that is cut or empty is none", async () => {
    for (const stream of [`${chunkLine({ content: "Hel" })}${endLine("length")}`, endLine()]) {
      const [edge] = await withUpstream(streaming(stream));
      expect((await edge.post("/llm/translate", { text: "مرحبا", target_lang: "en" })).status).toBe(503);
    }
  });

  describe("a bad request", () => {
    test.each([
      ["no text", { target_lang: "en" }, "text"],
      ["blank text", { text: " \n", target_lang: "en" }, "text"],
      ["50,001 characters", { text: "x".repeat(50_001), target_lang: "en" }, "text"],
      ["no language", { text: "a" }, "target_lang"],
      ["a language that is none", { text: "a", target_lang: "english language" }, "target_lang"],
      ["a source language that is none", { text: "a", target_lang: "en", source_lang: "" }, "source_lang"],
    ])("with %s is 422 and names the field", async (_, body, field) => {
      const response = await bare.post("/llm/translate", body);
      expect(response.status).toBe(422);
      expect(Object.keys(Object((await bodyOf(response)).errors))).toEqual([field]);
    });

    test("without a key is 401, of another type 415", async () => {
      const body = { text: "a", target_lang: "en" };
      expect((await bare.post("/llm/translate", body, { "x-api-key": "" })).status).toBe(401);
      expect((await bare.post("/llm/translate", "a", { "content-type": "text/plain" })).status).toBe(415);
    });
  });

  test("a model of this machine translates its pair of languages, and no other", async () => {
    const folder = translationFolder();
    const registry = openRegistry({ dirs: [folder.root] });
    const translator = await createMachineTranslator({ registry, model: "tiny" });
    const edge = await testEdge({ models: { ...(await shippedModels()), translators: [translator] } });
    const { text = "", translation = "" } = TRANSLATED.find(({ beams }) => beams === 4) ?? {};
    const body = await bodyOf(await edge.post("/llm/translate", { text, source_lang: "en-GB", target_lang: "ar" }));
    expect(body).toMatchObject({ ok: true, model: "tiny", translated_text: translation, target_lang: "ar" });
    const other = await edge.post("/llm/translate", { text, source_lang: "en", target_lang: "fr" });
    expect([other.status, (await bodyOf(other)).detail]).toEqual([503, expect.stringContaining("from en to fr")]);
    const { capabilities } = await bodyOf(await fetch(`${edge.url}/llm/health`, { headers: { "x-api-key": KEY } }));
    expect(Object(capabilities).translate).toEqual({ ready: true, model: "tiny", provider: "builtin" });
    const summary = { text: "The ferry sank. All were saved.", target_lang: "ar", length: "short" };
    expect((await edge.post("/llm/summarize", summary)).status).toBe(200);
    await edge.close();
    await translator.close();
    folder.remove();
  });
});

describe("embed", () => {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await testEdge();
  });
  afterAll(() => edge.close());

  test("each text gets a vector of unit length, in order, by the model that it names", async () => {
    const response = await edge.post("/llm/embed", {
      texts: ["أسعار الفائدة", "interest rates", "a draw"],
      kind: "passage",
    });
    const { model, vectors } = EmbedAnswer.parse(await response.json());
    expect(model).toContain("@");
    const dot = (a: number[] = [], b: number[] = []) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
    const [arabic, english, other] = vectors;
    expect(dot(arabic, arabic)).toBeCloseTo(1, 3);
    expect(dot(arabic, english)).toBeGreaterThan(dot(arabic, other));
  });

  test("needs the key, a text, and no more than it takes", async () => {
    expect((await edge.post("/llm/embed", { texts: ["a"] }, { "x-api-key": `${KEY}x` })).status).toBe(401);
    for (const body of [{ texts: [] }, { texts: ["a".repeat(100_001)] }, { texts: ["a"], kind: "title" }, {}]) {
      expect((await edge.post("/llm/embed", body)).status).toBe(422);
    }
  });
});
