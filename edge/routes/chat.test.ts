import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Answer,
  chatStream,
  chunkLine,
  endLine,
  pour,
  serveUpstream,
  type TestUpstream,
} from "@isnad/lib/answers/testing";
import { bodyOf, HITS, KEY, type TestEdge, testEdge } from "../testing/edge.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

let builtin: TestEdge;
beforeAll(async () => {
  builtin = await testEdge({ search: () => ({ results: HITS }) });
});
afterAll(() => builtin.close());

/** The edge worker with an upstream that answers so. */
async function withUpstream(answer: Answer, env: Record<string, string> = {}): Promise<[TestEdge, TestUpstream]> {
  const upstream = await serveUpstream(answer);
  const llm = { LLM_URL: upstream.url, LLM_API_KEY: "sk-upstream-secret", LLM_MODEL: "test-model" };
  const edge = await testEdge({ env: { ...llm, ...env }, search: () => ({ results: HITS }) });
  open.push(edge, upstream);
  return [edge, upstream];
}

const streaming =
  (text: string): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).end(text);

const ask = (content: string, over: Record<string, unknown> = {}) => ({
  messages: [{ role: "user", content }],
  ...over,
});

/** The events of a stream, each with its data. */
function eventsOf(text: string): [event: string, data: Record<string, unknown>][] {
  return text
    .split("\n\n")
    .filter((block) => block !== "" && !block.startsWith(":"))
    .map((block) => {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return [event, JSON.parse(data)];
    });
}

const textOf = (events: ReturnType<typeof eventsOf>): string =>
  events.map(([event, { text }]) => (event === "delta" ? text : "")).join("");

describe("the built-in model", () => {
  test("quotes the sentence that answers, with its source, in one JSON body by default", async () => {
    const response = await builtin.post("/llm/chat", ask("How much did the new rail line cost?"), {
      "x-request-id": "r-1",
    });
    expect(response.status).toBe(200);
    const body = await bodyOf(response);
    expect(body).toMatchObject({
      ok: true,
      request_id: "r-1",
      model: "isnad-extractive",
      message: { role: "assistant" },
      finish_reason: "stop",
      sources: [
        { n: 1, article_id: 11, title: "Rail line opens in the north", url: "https://news.test/11" },
        { n: 2, article_id: 12 },
      ],
    });
    const { content } = Object(body.message);
    expect(content).toContain("It cost 410 million dinars and took six years to build. [1]");
    const { prompt_tokens, completion_tokens, total_tokens } = Object(body.usage);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect(builtin.searches.at(-1)).toMatchObject({
      path: "/retrieve",
      requestId: "r-1",
      body: { query: "How much did the new rail line cost?", rerank: true, limit: 16 },
    });
  });

  test("streams the same as events, meta first and done last", async () => {
    const response = await builtin.post("/llm/chat", ask("كم بلغت كلفة محطة التحلية؟", { stream: true }));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = eventsOf(await response.text());
    expect(events.map(([event]) => event).join(" ")).toMatch(/^meta( delta)+ done$/);
    expect(events[0]?.[1]).toMatchObject({ model: "isnad-extractive", sources: [{ n: 1 }, { n: 2 }] });
    expect(textOf(events)).toStartWith("وبلغت كلفة المحطة 90 مليون دينار. [2]");
    expect(events.at(-1)?.[1]).toMatchObject({ finish_reason: "stop", usage: { total_tokens: expect.any(Number) } });
  });

  test("says in the question's language that nothing answers, and cites nothing then", async () => {
    const none = await testEdge({ search: () => ({ results: [] }) });
    open.push(none);
    const said = async (question: string, over = {}) =>
      Object((await bodyOf(await none.post("/llm/chat", ask(question, over)))).message).content;
    expect(await said("Who won the cup?")).toBe("Nothing in the available articles answers this question.");
    const body = await bodyOf(await none.post("/llm/chat", ask("Who won the cup?")));
    expect(body).toMatchObject({ finish_reason: "no_answer", citations: [] });
    expect(await said("من فاز بالكأس؟")).toBe("لا يوجد في المقالات المتاحة ما يجيب عن هذا السؤال.");
    expect(await said("Who won the cup?", { lang: "ar" })).toBe("لا يوجد في المقالات المتاحة ما يجيب عن هذا السؤال.");
  });

  test("says where in which article its words stand, and what it has read", async () => {
    const body = await bodyOf(await builtin.post("/llm/chat", ask("How much did the new rail line cost?")));
    const [citation] = Array.isArray(body.citations) ? body.citations : [];
    const quote = "It cost 410 million dinars and took six years to build.";
    expect(citation).toEqual({ n: 1, quote, offsets: { start: 60, end: 115 } });
    const [source] = Array.isArray(body.sources) ? body.sources : [];
    const [passage] = source.passages;
    expect([...passage.text].slice(60, 115).join("")).toBe(quote);
    expect(passage.offsets).toEqual({ start: 0, end: [...passage.text].length });
  });

  test.each([
    ["مرحبا!", "مرحبا!"],
    ["Hi, what can you do?", "I am Isnad"],
    ["شكرا", "على الرحب"],
  ])("%s is answered without a search", async (message, beginning) => {
    const before = builtin.searches.length;
    const body = await bodyOf(await builtin.post("/llm/chat", ask(message)));
    expect(builtin.searches.length).toBe(before);
    expect(body).toMatchObject({ sources: [], citations: [], finish_reason: "stop" });
    expect(Object(body.message).content).toStartWith(beginning);
  });

  test("reads only what the filters, the article and the story that are named leave", async () => {
    const limits = { filters: { lang: "en", from: "2026-01-05", source: "demo" }, article_id: 11, story_id: 3 };
    expect((await builtin.post("/llm/chat", ask("How much did it cost?", limits))).status).toBe(200);
    expect(builtin.searches.at(-1)?.body.filters).toEqual({
      ...{ lang: "en", source: "demo", from: "2026-01-05T00:00:00.000Z", article_id: 11, story_id: 3 },
    });
    const wrong = await builtin.post("/llm/chat", ask("a", { filters: { lnag: "en" }, article_id: 0 }));
    expect(wrong.status).toBe(422);
    expect(Object.keys(Object((await bodyOf(wrong)).errors)).sort()).toEqual(["article_id", "filters"]);
  });

  test("keeps to max_tokens, in words", async () => {
    const body = await bodyOf(
      await builtin.post("/llm/chat", ask("How much did the rail line cost?", { max_tokens: 5 })),
    );
    expect(body).toMatchObject({ finish_reason: "length", usage: { completion_tokens: 5 } });
    expect(Object(body.message).content).toBe("It cost 410 million dinars… [1]");
  });

  test("searches a follow-up with the question before it", async () => {
    const messages = [
      { role: "user", content: "How much did the rail line cost?" },
      { role: "assistant", content: "410 million dinars." },
      { role: "user", content: "and in 2019?" },
    ];
    await builtin.post("/llm/chat", { messages });
    expect(builtin.searches.at(-1)?.body.query).toBe("How much did the rail line cost and in 2019?");
  });

  test("without grounding quotes the conversation, or says that it holds nothing to quote", async () => {
    const before = builtin.searches.length;
    const text = "The bridge was closed in March. It reopens in October after repairs.";
    const quoted = await builtin.post("/llm/chat", ask(`${text}\n\nWhen does the bridge reopen?`, { grounded: false }));
    const content = Object((await bodyOf(quoted)).message).content;
    expect(content).toContain("It reopens in October after repairs.");
    expect(content).not.toMatch(/\[\d/);
    const empty = await builtin.post("/llm/chat", ask("Write a poem.", { grounded: false }));
    expect(Object((await bodyOf(empty)).message).content).toContain("LLM_URL");
    expect(builtin.searches.length).toBe(before);
  });
});

describe("a configured model", () => {
  test("gets the numbered sources, and its answer comes back with the citations that exist", async () => {
    const [edge, upstream] = await withUpstream(streaming(chatStream(["It cost 410 ", "million [", "1][9", "]."])));
    const response = await edge.post("/llm/chat", ask("How much did it cost?", { stream: true, max_tokens: 77 }));
    const events = eventsOf(await response.text());
    expect(events[0]).toEqual(["meta", expect.objectContaining({ model: "test-model" })]);
    expect(textOf(events)).toBe("It cost 410 million [1].");
    expect(events.at(-1)).toEqual([
      "done",
      {
        finish_reason: "stop",
        citations: [
          { n: 1, quote: "It cost 410 million dinars and took six years to build.", offsets: { start: 60, end: 115 } },
        ],
        usage: { prompt_tokens: 7, completion_tokens: 4, total_tokens: 11 },
      },
    ]);
    const sent = JSON.parse(String(upstream.seen[0]?.body));
    expect(sent).toMatchObject({ model: "test-model", max_tokens: 77, stream: true });
    expect(sent.messages.at(-1).content).toContain('<source n="1">\nRail line opens in the north\n');
    expect(sent.messages.at(-1).content).toEndWith("Question: How much did it cost?");
  });

  test("is asked the messages alone without grounding", async () => {
    const [edge, upstream] = await withUpstream(streaming(chatStream(["Hello [9]"])));
    const body = await bodyOf(await edge.post("/llm/chat", ask("Hi", { grounded: false, temperature: 0.5 })));
    expect(body).toMatchObject({ message: { content: "Hello [9]" }, sources: [] });
    expect(edge.searches).toEqual([]);
    expect(JSON.parse(String(upstream.seen[0]?.body))).toMatchObject({
      messages: [{ role: "user", content: "Hi" }],
      temperature: 0.5,
    });
  });

  test.each([
    ["fails at once", (response) => void response.writeHead(500).end("{}")],
    ["breaks off", streaming(chunkLine({ content: "So" }))],
    ["sends an error", streaming(`${chunkLine({ content: "So" })}data: {"error":{"message":"boom"}}\n\n`)],
    ["is reset", (response) => void response.socket?.resetAndDestroy()],
    ["stalls", (response) => void response.writeHead(200, { "content-type": "text/event-stream" }).write(": ping\n\n")],
  ] satisfies [string, Answer][])("that %s ends the stream with exactly one error", async (_, answer) => {
    const [edge] = await withUpstream(answer, { LLM_IDLE_TIMEOUT_MS: "100" });
    const response = await edge.post("/llm/chat", ask("How much?", { stream: true }));
    const names = eventsOf(await response.text()).map(([event]) => event);
    expect(names[0]).toBe("meta");
    expect(names.filter((event) => event === "done" || event === "error")).toEqual(["error"]);
    expect(names.at(-1)).toBe("error");
    const whole = await edge.post("/llm/chat", ask("How much?"));
    expect(whole.status).toBe(503);
    expect(await bodyOf(whole)).toMatchObject({ type: "/errors/service-unavailable", instance: "/llm/chat" });
  });

  test("that says nothing for a while has the client kept by comment lines", async () => {
    const kept = Promise.withResolvers<void>();
    const slow: Answer = async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      await kept.promise;
      response.end(chatStream(["late"]));
    };
    const [edge] = await withUpstream(slow, { STREAM_HEARTBEAT_MS: "30" });
    const { body } = await edge.post("/llm/chat", ask("How much?", { stream: true }));
    let text = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if ((text.match(/^: keep-alive$/gm)?.length ?? 0) > 1) kept.resolve();
    }
    expect(textOf(eventsOf(text))).toBe("late");
  });

  test("sees that the client left, streaming or not, talking or silent", async () => {
    // Nothing else ends it while the test goes on.
    const patient = { LLM_IDLE_TIMEOUT_MS: "600000" };
    for (const stream of [true, false]) {
      for (const silent of [true, false]) {
        const [edge, upstream] = await withUpstream((response) => {
          response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
          return silent ? undefined : pour(response, Buffer.from(chunkLine({ content: "x".repeat(1000) })), () => true);
        }, patient);
        const abort = new AbortController();
        const asked = edge.post("/llm/chat", ask("How much?", { stream }), {}, abort.signal).catch(() => undefined);
        while (upstream.seen.length === 0) await sleep(5);
        if (stream) await asked;
        abort.abort();
        await upstream.seen[0]?.left;
      }
    }
  });
});

describe("a model that thinks", () => {
  const answers = {
    tags: "<think>It is 5.</think>\n\nIt cost 410 million. [1]",
    "an empty block": "<think>\n\n</think>\n\nIt cost 410 million. [1]",
    "no opening tag": "It is 5.\n</think>\n\nIt cost 410 million. [1]",
    brackets: "[THINK]It is 5.[/THINK]It cost 410 million. [1]",
    harmony:
      "<|channel|>analysis<|message|>It is 5.<|end|><|start|>assistant<|channel|>final<|message|>It cost 410 million. [1]<|return|>",
  };

  test.each(Object.entries(answers))(
    "in %s shows its answer alone, streaming or not, cut anywhere",
    async (_, text) => {
      const [edge] = await withUpstream(streaming(chatStream(text.match(/[\s\S]{1,3}/g) ?? [])));
      const whole = await bodyOf(await edge.post("/llm/chat", ask("How much?")));
      expect(whole).toMatchObject({ message: { content: "It cost 410 million. [1]" }, usage: null });
      const events = eventsOf(await (await edge.post("/llm/chat", ask("How much?", { stream: true }))).text());
      expect(textOf(events)).toBe("It cost 410 million. [1]");
      const call = { text: "نص", target_lang: "en" };
      expect(await bodyOf(await edge.post("/llm/translate", call))).toMatchObject({
        translated_text: "It cost 410 million. [1]",
      });
    },
  );

  test.each(["", " \n", "<think>It is 5.</think>", "<think>It is", "<|im_end|>", " [9]"])(
    "and answers %j is an error, and nothing is done",
    async (text) => {
      const [edge] = await withUpstream(streaming(chatStream([text])));
      const events = eventsOf(await (await edge.post("/llm/chat", ask("How much?", { stream: true }))).text());
      expect(events.map(([event]) => event)).toEqual(["meta", "error"]);
      const response = await edge.post("/llm/chat", ask("How much?"));
      expect([response.status, (await bodyOf(response)).detail]).toEqual([503, "The language model gave no answer."]);
    },
  );
});

describe("a key", () => {
  test("is needed, and each of several is good while they rotate", async () => {
    for (const given of ["", "wrong", `${KEY}x`]) {
      const response = await builtin.post("/llm/chat", ask("Hi"), { "x-api-key": given });
      expect(response.status).toBe(401);
      expect(await bodyOf(response)).toMatchObject({ type: "/errors/unauthorized" });
    }
    const rotated = await builtin.post("/llm/chat", ask("Hi", { grounded: false }), { "x-api-key": "next-key" });
    expect(rotated.status).toBe(200);
  });

  test("of the upstream or of the client is in no log line, error or metric, even when the upstream repeats it", async () => {
    const [edge, upstream] = await withUpstream((response, { headers }) => {
      const error = { message: `bad key ${headers.authorization} sk-up*****cret`, code: "invalid_api_key" };
      response.writeHead(401).end(JSON.stringify({ error }));
    });
    const answers = [
      await (await edge.post("/llm/chat", ask("How much?"))).text(),
      await (await edge.post("/llm/chat", ask("How much?", { stream: true }))).text(),
      await (await edge.post("/llm/chat", ask("Hi"), { "x-api-key": "wrong-client-key" })).text(),
      await (await fetch(`${edge.url}/metrics`)).text(),
      await (await fetch(`${edge.url}/health`)).text(),
    ];
    expect(upstream.seen[0]?.headers.authorization).toBe("Bearer sk-upstream-secret");
    const everything = `${answers.join("\n")}\n${JSON.stringify(edge.lines)}`;
    expect(everything).toContain("invalid_api_key");
    expect(everything).not.toMatch(/sk-up|edge-key|next-key|wrong-client-key/);
  });
});

describe("a bad request", () => {
  const user = { role: "user", content: "Hi" };
  test.each([
    ["no messages", {}, "messages"],
    ["messages that are none", { messages: [] }, "messages"],
    ["an unknown role", { messages: [{ role: "tool", content: "Hi" }] }, "messages.0.role"],
    ["no content", { messages: [{ role: "user" }] }, "messages.0.content"],
    ["content of another kind", { messages: [{ role: "user", content: ["Hi"] }] }, "messages.0.content"],
    ["nothing said by the user", { messages: [{ role: "system", content: "Hi" }] }, "messages"],
    ["blank text", { messages: [{ role: "user", content: " \n" }] }, "messages"],
    ["201 messages", { messages: Array.from({ length: 201 }, () => user) }, "messages"],
    ["200,001 characters", { messages: [user, { role: "user", content: "x".repeat(200_000) }] }, "messages"],
    ["max_tokens 0", { messages: [user], max_tokens: 0 }, "max_tokens"],
    ["max_tokens 8193", { messages: [user], max_tokens: 8193 }, "max_tokens"],
    ["max_tokens as text", { messages: [user], max_tokens: "9" }, "max_tokens"],
    ["temperature 2.1", { messages: [user], temperature: 2.1 }, "temperature"],
    ["another language", { messages: [user], lang: "fr" }, "lang"],
    ["stream as text", { messages: [user], stream: "yes" }, "stream"],
  ])("with %s is 422 and names the field", async (_, body, field) => {
    const response = await builtin.post("/llm/chat", body);
    expect(response.status).toBe(422);
    expect(Object.keys(Object((await bodyOf(response)).errors))).toEqual([field]);
  });

  test("of 200 messages and 200,000 characters outside the first plane is none", async () => {
    const messages = Array.from({ length: 199 }, () => ({ role: "user", content: "😀".repeat(1000) }));
    const response = await builtin.post("/llm/chat", { messages: [...messages, user], grounded: false });
    expect(response.status).toBe(200);
  });

  test("of 2 MB is 413, of another type 415, of broken JSON 400, by another method 405", async () => {
    const large = await builtin.post("/llm/chat", ask("x".repeat(2_000_000)));
    expect([large.status, large.headers.get("retry-after")]).toEqual([413, "30"]);
    expect((await builtin.post("/llm/chat", "a=b", { "content-type": "text/plain" })).status).toBe(415);
    expect((await builtin.post("/llm/chat", "{")).status).toBe(400);
    const got = await fetch(`${builtin.url}/llm/chat`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("leaves the search unasked", async () => {
    const before = builtin.searches.length;
    await builtin.post("/llm/chat", { messages: [] });
    expect(builtin.searches.length).toBe(before);
  });
});

test("without a search a grounded chat is 503 before any event, and an ungrounded one goes on", async () => {
  const broken = await testEdge({ search: () => new Response("no", { status: 500 }) });
  open.push(broken);
  const response = await broken.post("/llm/chat", ask("How much?", { stream: true }));
  expect([response.status, response.headers.get("content-type")]).toEqual([503, "application/problem+json"]);
  expect((await broken.post("/llm/chat", ask("Hi", { grounded: false }))).status).toBe(200);
});

test("an end that is not a stop is passed on", async () => {
  const [edge] = await withUpstream(streaming(`${chunkLine({ content: "So" })}${endLine("length")}`));
  expect(await bodyOf(await edge.post("/llm/chat", ask("How much?")))).toMatchObject({ finish_reason: "length" });
});
