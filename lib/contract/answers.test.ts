import { describe, expect, test } from "bun:test";
import "../service/http/mod.ts";
import { ChatStreamError, chatRequest, collectChat, EdgeSummary, readChatEvents, SummaryRequest } from "./answers.ts";

const messages = [{ role: "user", content: "Why?" }];

/** Returns what is said of a request, by field. */
function complaints(
  value: unknown,
  schema: ReturnType<typeof chatRequest> | typeof SummaryRequest = chatRequest({ stream: true }),
) {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => [path.join("."), message]);
}

describe("a chat", () => {
  test("has defaults, that of stream by its route", () => {
    const rest = { messages, max_tokens: 1024, grounded: true };
    expect(chatRequest({ stream: true }).parse({ messages })).toEqual(Object({ ...rest, stream: true }));
    expect(chatRequest({ stream: false }).parse({ messages })).toEqual(Object({ ...rest, stream: false }));
  });

  test("has a message of a user with some text among at most 200", () => {
    const noUser = "must have a message of role user with some text";
    expect(complaints({ messages: [] })).toEqual([
      ["messages", "must not be empty"],
      ["messages", noUser],
    ]);
    expect(complaints({ messages: [{ role: "user", content: " " }] })).toEqual([["messages", noUser]]);
    expect(complaints({ messages: [{ role: "system", content: "Be short." }] })).toEqual([["messages", noUser]]);
    expect(complaints({ messages: Array(200).fill(messages[0]) })).toEqual([]);
    expect(complaints({ messages: Array(201).fill(messages[0]) })).toEqual([
      ["messages", "must have at most 200 entries"],
    ]);
  });

  test("has at most 200,000 characters in all, those of two units counted once", () => {
    const of = (...texts: string[]) => ({ messages: texts.map((content) => ({ role: "user", content })) });
    expect(complaints(of("a".repeat(100_000), "😀".repeat(100_000)))).toEqual([]);
    expect(complaints(of("a".repeat(100_000), "a".repeat(100_001)))).toEqual([
      ["messages", "must have at most 200000 characters in all"],
    ]);
  });

  test.each([
    [{ max_tokens: 0 }, "max_tokens", "must be at least 1"],
    [{ max_tokens: 8193 }, "max_tokens", "must be at most 8192"],
    [{ max_tokens: 1.5 }, "max_tokens", "must be a whole number"],
    [{ temperature: -0.1 }, "temperature", "must be at least 0"],
    [{ temperature: 2.1 }, "temperature", "must be at most 2"],
    [{ lang: "fr" }, "lang", "must be ar or en"],
    [{ stream: "yes" }, "stream", "must be true or false"],
    [{ grounded: 1 }, "grounded", "must be true or false"],
  ])("with %j is refused at %s: %s", (over, field, rule) => {
    expect(complaints({ messages, ...over })).toEqual([[field, rule]]);
  });

  test("names the message and its field that is wrong", () => {
    expect(complaints({ messages: [...messages, { role: "bot", content: 1 }] })).toEqual([
      ["messages.1.role", "must be system, user or assistant"],
      ["messages.1.content", "must be a string"],
    ]);
  });
});

describe("a stream of a chat", () => {
  const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const META = event("meta", { request_id: "r", model: "m", sources: [{ n: 1, article_id: 7, title: "T", url: "u" }] });
  const DONE = event("done", { finish_reason: "length", usage: null });
  const streamOf = async function* (...parts: string[]) {
    for (const part of parts) yield new TextEncoder().encode(part);
  };
  const collect = (...parts: string[]) => collectChat(readChatEvents(streamOf(...parts)));

  test("becomes the answer in one piece, and what follows its end is not read", async () => {
    const text = [META, event("delta", { text: "Be" }), event("delta", { text: "cause" }), DONE, event("error", {})];
    expect(await collect(...text)).toEqual({
      ok: true,
      request_id: "r",
      model: "m",
      sources: [{ n: 1, article_id: 7, title: "T", url: "u", passages: [] }],
      message: { role: "assistant", content: "Because" },
      finish_reason: "length",
      citations: [],
      usage: null,
    });
  });

  test.each([
    ["an error", [META, event("error", { detail: "away" })], "the stream ended with an error", { detail: "away" }],
    ["an error that is no object", [META, event("error", 1)], "the stream ended with an error", {}],
    ["no end", [META, event("delta", { text: "a" })], "the stream broke off", undefined],
    ["an event that nobody knows", [event("hello", {})], "an event hello is not what was agreed", undefined],
    ["a delta without text", [META, event("delta", {})], "an event delta is not what was agreed", undefined],
    ["data that is no JSON", ["event: done\ndata: {\n\n"], "an event done is not what was agreed", undefined],
  ])("with %s is a ChatStreamError", async (_name, parts, message, problem) => {
    const error = await collect(...parts).catch((thrown: unknown) => thrown);
    if (!(error instanceof ChatStreamError)) throw new TypeError("it was not refused");
    expect([error.message, error.problem]).toEqual([message, problem]);
  });
});

describe("a text to summarise", () => {
  test("has 1 to 50,000 characters that are not all blank", () => {
    const rule = "must have 1 to 50000 characters";
    expect(SummaryRequest.parse({ text: "a" })).toEqual({ text: "a", length: "medium", format: "paragraph" });
    expect(complaints({ text: "" }, SummaryRequest)).toEqual([["text", rule]]);
    expect(complaints({ text: "ا".repeat(50_001) }, SummaryRequest)).toEqual([["text", rule]]);
    expect(complaints({ text: " \n" }, SummaryRequest)).toEqual([["text", "must not be blank"]]);
    expect(complaints({ text: "😀".repeat(50_000) }, SummaryRequest)).toEqual([]);
  });

  test("is summarised in a language, a length and a form of a list", () => {
    expect(complaints({ text: "a", target_lang: "fr", length: "tiny", format: "html" }, SummaryRequest)).toEqual([
      ["target_lang", "must be ar or en"],
      ["length", "must be short, medium or long"],
      ["format", "must be paragraph or bullets"],
    ]);
  });

  test("comes back with a point at least", () => {
    const answer = { ok: true, model: "m", target_lang: "en" };
    expect(EdgeSummary.safeParse({ ...answer, points: ["a"] }).success).toBe(true);
    expect(EdgeSummary.safeParse({ ...answer, points: [] }).success).toBe(false);
  });
});

test("a summary of the edge worker has a point at least", () => {
  const summary = { ok: true, model: "m", points: ["a"], target_lang: "en" };
  const isTaken = (over: object) => EdgeSummary.safeParse({ ...summary, ...over }).success;
  expect([isTaken({}), isTaken({ points: [] }), isTaken({ ok: false })]).toEqual([true, false, false]);
});
