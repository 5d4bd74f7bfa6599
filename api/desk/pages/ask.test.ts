import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestDesk, testDesk } from "../testing/desk.ts";

/** The edge worker, which answers every question alike. */
let edge: ReturnType<typeof Bun.serve>;
let asked: Record<string, unknown> = {};
let desk: TestDesk;
beforeAll(async () => {
  edge = Bun.serve({
    port: 0,
    async fetch(request) {
      if (request.method !== "POST") return Response.json({ status: "ok" });
      asked = Object(await request.json());
      const text = JSON.stringify(asked.messages).includes("silence") ? [] : EVENTS;
      const body = text.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("");
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  desk = await testDesk({ EDGE_URL: `http://127.0.0.1:${edge.port}` });
}, 300_000);
afterAll(async () => {
  await desk.close();
  await edge.stop(true);
});

const PASSAGE = "😀 The bridge <b>opened</b> in 1994. It was widened later.";
const EVENTS: readonly (readonly [string, unknown])[] = [
  [
    "meta",
    {
      ...{ request_id: "r", model: "m" },
      sources: [
        {
          ...{ n: 1, article_id: 7, title: `<i>Bridge</i>`, url: "https://a.example/7" },
          passages: [{ text: PASSAGE, offsets: { start: 100, end: 100 + Array.from(PASSAGE).length } }],
        },
      ],
    },
  ],
  ["delta", { text: "The bridge <b>opened</b> in 1994. [1]" }],
  ["delta", { text: " [9]" }],
  [
    "done",
    {
      finish_reason: "stop",
      usage: null,
      citations: [{ n: 1, quote: "The bridge <b>opened</b> in 1994.", offsets: { start: 102, end: 135 } }],
    },
  ],
];

test("an answer shows its words, its sources, and the very words that it rests on, all as text", async () => {
  const { response, document } = await desk.page(`/ask?q=${encodeURIComponent("When did the bridge open?")}&story=4`);
  expect(response.status).toBe(200);
  expect(asked).toMatchObject({ story_id: 4, lang: "en" });
  const answer = document.querySelector(".answer");
  expect(answer?.textContent).toBe("The bridge <b>opened</b> in 1994. [1] [9]");
  // A mark of no source leads nowhere.
  expect(answer?.innerHTML.match(/href="[^"]*"/g) ?? []).toEqual(['href="#source-0-1"']);
  expect(document.querySelector("#source-0-1 mark")?.textContent).toBe("The bridge <b>opened</b> in 1994.");
  expect(document.querySelector("#source-0-1 h4 a")?.getAttribute("href")).toBe("/articles/7");
  expect(document.querySelectorAll("main b, main i")).toHaveLength(0);
});

test("the island gets words as they come, then the same answer whole; one that breaks off is an error", async () => {
  const streamed = await desk.form("/ask/stream", { q: "متى افتُتح الجسر؟", source: "almarsa" });
  expect(streamed.headers.get("content-type")).toContain("text/event-stream");
  expect(asked).toMatchObject({ lang: "ar", filters: { source: "almarsa" } });
  const text = await streamed.text();
  expect([...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)).toEqual(["delta", "delta", "whole"]);
  expect(text).toContain("source-0-1");
  const broken = await desk.form("/ask/stream", { q: "silence" });
  expect(await broken.text()).toMatch(/^event: whole\ndata: .*The answer broke off/);
  const { document } = await desk.page("/ask?q=silence");
  expect(document.querySelector("#answer .notice")?.textContent).toContain("cannot be shown now");
});

test("a further question goes with those before it and their answers, and its address holds them", async () => {
  const fields = new URLSearchParams({ q: "How long is it?", article: "7", answered: "In 1994." });
  for (const earlier of ["When did the bridge open?", "And the tunnel?"]) fields.append("asked", earlier);
  const headers = { origin: desk.site, "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(`${desk.site}/ask/stream`, { method: "POST", body: fields, headers });
  // A turn has places of its own for its sources.
  expect(await response.text()).toContain("source-2-1");
  expect(asked).toMatchObject({
    article_id: 7,
    messages: [
      { role: "user", content: "When did the bridge open?" },
      { role: "assistant", content: "In 1994." },
      { role: "user", content: "And the tunnel?" },
      { role: "user", content: "How long is it?" },
    ],
  });
  fields.delete("answered");
  const { document } = await desk.page(`/ask?${fields}`);
  const texts = (selector: string) => Array.from(document.querySelectorAll(selector), ({ textContent }) => textContent);
  expect(texts(".turn h2")).toEqual(["How long is it?", "And the tunnel?", "When did the bridge open?"]);
  expect(document.querySelectorAll("form input[name=asked]")).toHaveLength(3);
  expect(document.querySelector("#ask-new")?.getAttribute("href")).toBe("/ask?article=7");
});
