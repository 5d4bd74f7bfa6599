import { describe, expect, test } from "bun:test";
import type { ChatEvent } from "./answers.ts";
import {
  chatRequestOf,
  collectCompletion,
  EmbedRequest,
  OpenAiChatRequest,
  OpenAiEmbeddingsRequest,
  openAiChunks,
} from "./openai.ts";

const user = (content: unknown) => ({ role: "user", content });
const request = (over: object = {}) => OpenAiChatRequest.parse({ model: "isnad", messages: [user("Hi")], ...over });

describe("a request of OpenAI's", () => {
  test("is the platform's own, with its defaults; what it does not have is ignored", () => {
    expect(chatRequestOf(request({ user: "u", logit_bias: {}, top_p: 1 }))).toEqual({
      ...{ messages: [{ role: "user", content: "Hi" }], stream: false, max_tokens: 1_024, grounded: true },
    });
  });

  test("may be of one article, or of one story", () => {
    expect(chatRequestOf(request({ article_id: 1, story_id: 1 }))).toMatchObject({ article_id: 1, story_id: 1 });
  });

  test("has parts of text joined, and a developer is the system", () => {
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    const { messages } = request({ messages: [{ role: "developer", content: "Be brief." }, user(parts)] });
    expect(messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "ab" },
    ]);
    expect(() => request({ messages: [user([{ type: "image_url", image_url: {} }])] })).toThrow("parts of type text");
  });

  test("has its newer limit before the older one, and null stands for none", () => {
    const tokens = (over: object) => chatRequestOf(request(over)).max_tokens;
    expect(tokens({ max_tokens: 5 })).toBe(5);
    expect(tokens({ max_tokens: 5, max_completion_tokens: 7 })).toBe(7);
    expect(tokens({ max_tokens: 5, max_completion_tokens: null })).toBe(5);
    expect(tokens({ max_tokens: null })).toBe(1_024);
    expect(chatRequestOf(request({ temperature: 0.5, n: 1 })).temperature).toBe(0.5);
    expect(chatRequestOf(request({ temperature: null })).temperature).toBeUndefined();
  });

  test.each([
    [{ n: 2 }, "n"],
    [{ max_tokens: 0 }, "max_tokens"],
    [{ max_completion_tokens: 8_193 }, "max_completion_tokens"],
    [{ temperature: 2.1 }, "temperature"],
    [{ messages: [] }, "messages"],
    [{ messages: [{ role: "assistant", content: "Hi" }] }, "messages"],
    [{ messages: [user("x".repeat(200_001))] }, "messages"],
    [{ story_id: 0 }, "story_id"],
    [{ article_id: 0 }, "article_id"],
  ])("is refused: %#", (wrong, field) => {
    const { error } = OpenAiChatRequest.safeParse({ model: "isnad", messages: [user("Hi")], ...wrong });
    expect(error?.issues[0]?.path[0]).toBe(field);
  });
});

const sources = [{ n: 1, article_id: 7, title: "T", url: "https://a.example/", passages: [] }];
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const citations = [{ n: 1, quote: "q", offsets: null }];

async function* turn(finish_reason: string, cost: typeof usage | null = usage): AsyncGenerator<ChatEvent> {
  yield { event: "meta", data: { request_id: "r", model: "m", sources } };
  yield { event: "delta", data: { text: "a" } };
  yield { event: "delta", data: { text: "b" } };
  yield { event: "done", data: { finish_reason, citations, usage: cost } };
}
const head = { id: "chatcmpl-1", created: 9 };

describe("a stream of OpenAI's", () => {
  const chunks = (events: AsyncIterable<ChatEvent>, includeUsage: boolean) =>
    Array.fromAsync(openAiChunks(events, head, { includeUsage }));

  test("has the role and the sources first, then the text, then how it ended", async () => {
    const all = await chunks(turn("stop"), false);
    expect(all.map(({ choices }) => Object(Object(choices)[0]).delta)).toEqual([
      { role: "assistant", content: "" },
      { content: "a" },
      { content: "b" },
      {},
    ]);
    expect(all.map(({ choices }) => Object(Object(choices)[0]).finish_reason)).toEqual([null, null, null, "stop"]);
    expect(all[0]).toMatchObject({ ...head, object: "chat.completion.chunk", model: "isnad", sources });
    expect(all[3]).toMatchObject({ citations, answered: true });
    expect(all.some((chunk) => "usage" in chunk)).toBe(false);
  });

  test("has what it cost in a last chunk, where that is asked for and known", async () => {
    const all = await chunks(turn("stop"), true);
    expect(all.map((chunk) => chunk.usage)).toEqual([null, null, null, null, usage]);
    expect(all.at(-1)?.choices).toEqual([]);
    expect(await chunks(turn("stop", null), true)).toHaveLength(4);
  });

  test.each([
    ["length", "length", true],
    ["content_filter", "content_filter", true],
    ["no_answer", "stop", false],
    ["something of the model's own", "stop", true],
  ])("that ends with %s ends with %s", async (reason, finish, answered) => {
    const last = (await chunks(turn(reason), false)).at(-1);
    expect(last).toMatchObject({ choices: [{ finish_reason: finish }], answered });
  });
});

test("a completion in one piece has what the stream has", async () => {
  expect(await collectCompletion(turn("no_answer"), head)).toEqual({
    ...{ ...head, object: "chat.completion", model: "isnad", usage, sources, citations, answered: false },
    choices: [
      {
        ...{ index: 0, finish_reason: "stop", logprobs: null },
        message: { role: "assistant", content: "ab", refusal: null },
      },
    ],
  });
  expect("usage" in (await collectCompletion(turn("stop", null), head))).toBe(false);
});

describe("a request for vectors", () => {
  test("is of one text or of several, and of passages as floats unless it says otherwise", () => {
    const one = OpenAiEmbeddingsRequest.parse({ model: "isnad", input: "a" });
    expect(one).toEqual({ model: "isnad", input: ["a"], encoding_format: "float", input_type: "passage" });
    expect(EmbedRequest.parse({ texts: ["a", "b"] })).toEqual({ texts: ["a", "b"], kind: "passage" });
  });

  test("has at most 256 texts, and 100,000 characters in all", () => {
    const isTaken = (texts: string[]) => [
      OpenAiEmbeddingsRequest.safeParse({ model: "isnad", input: texts }).success,
      EmbedRequest.safeParse({ texts }).success,
    ];
    expect(isTaken(Array(256).fill("a"))).toEqual([true, true]);
    expect(isTaken(Array(257).fill("a"))).toEqual([false, false]);
    expect(isTaken([])).toEqual([false, false]);
    expect(isTaken(["x".repeat(99_999), "y"])).toEqual([true, true]);
    expect(isTaken(["x".repeat(100_000), "y"])).toEqual([false, false]);
  });
});
