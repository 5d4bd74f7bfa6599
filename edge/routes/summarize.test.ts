import { afterAll, beforeAll, expect, test } from "bun:test";
import { chatStream, serveUpstream } from "@isnad/lib/answers/testing";
import { bodyOf, type TestEdge, testEdge } from "../testing/edge.ts";

let edge: TestEdge;
beforeAll(async () => {
  edge = await testEdge();
});
afterAll(() => edge.close());

const TEXT =
  "The ferry to Noma sank on Monday in calm water. All passengers were saved by fishermen. It was built in 1961.";

test("gives the sentences of the built-in summary, and the language of the text", async () => {
  const response = await edge.post("/llm/summarize", { text: TEXT, length: "short" });
  expect(response.status).toBe(200);
  const body = await bodyOf(response);
  expect(body).toMatchObject({ ok: true, model: "isnad-extractive", target_lang: "en" });
  expect(TEXT).toContain(String(Object(body.points)[0]));
});

test("another language is 503 without a model that translates, and served with one", async () => {
  const response = await edge.post("/llm/summarize", { text: TEXT, target_lang: "ar" });
  expect([response.status, (await bodyOf(response)).type]).toEqual([503, "/errors/model-not-installed"]);
  const upstream = await serveUpstream((res) => {
    res.writeHead(200, { "content-type": "text/event-stream" }).end(chatStream(["غرقت العبارة."]));
  });
  const able = await testEdge({ env: { LLM_URL: upstream.url, LLM_TRANSLATE_MODEL: "t", LLM_MODEL: "m" } });
  const body = await bodyOf(await able.post("/llm/summarize", { text: TEXT, target_lang: "ar", length: "short" }));
  expect(Object(body.points)[0]).toBe("غرقت العبارة.");
  await able.close();
  await upstream.close();
});

test("needs the key, and refuses what is no text with the field", async () => {
  expect((await edge.post("/llm/summarize", { text: TEXT }, { "x-api-key": "no" })).status).toBe(401);
  const response = await edge.post("/llm/summarize", { text: " " });
  expect([response.status, Object.keys(Object((await bodyOf(response)).errors))]).toEqual([422, ["text"]]);
});
