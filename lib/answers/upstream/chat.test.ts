import { afterEach, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChatPart, LlmError } from "../tasks.ts";
import {
  type Answer,
  chatStream,
  chunkLine,
  endLine,
  loopbackFetcher,
  pour,
  serveUpstream,
  type TestUpstream,
  upstreamAt,
} from "../testing.ts";
import { upstreamChat } from "./chat.ts";
import type { UpstreamLimits } from "./connection.ts";

const open: TestUpstream[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function serve(answer: Answer): Promise<TestUpstream> {
  const made = await serveUpstream(answer);
  open.push(made);
  return made;
}

const messages = [{ role: "user" as const, content: "سؤال" }];

function chatOf(upstream: TestUpstream, limits: Partial<UpstreamLimits> = {}, signal = new AbortController().signal) {
  const model = upstreamChat(upstreamAt(upstream.url, limits), loopbackFetcher());
  return model.chat({ messages, maxTokens: 64, requestId: "r-1", live: true, signal });
}

type Result = { text: string; end: ChatPart | undefined; error: unknown };

async function ask(upstream: TestUpstream, limits: Partial<UpstreamLimits> = {}): Promise<Result> {
  const result: Result = { text: "", end: undefined, error: undefined };
  try {
    for await (const part of chatOf(upstream, limits)) {
      if (part.kind === "text") result.text += part.text;
      else result.end = part;
    }
  } catch (error) {
    result.error = error;
  }
  return result;
}

/** Thinking in a field of its own: after it the answer comes as it is made. */
const THINKING = chunkLine({ reasoning_content: "hm" });

const sse = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const stream =
  (text: string | Uint8Array): Answer =>
  (response) =>
    void sse(response).end(text);
const codeOf = ({ error }: Result) => (error instanceof LlmError ? error.code : error);

test("a stream as OpenAI sends it is an answer with its end and its count", async () => {
  const upstream = await serve(stream(chatStream(["مر", "حبا"])));
  expect(await ask(upstream)).toEqual({
    text: "مرحبا",
    end: { kind: "end", finishReason: "stop", usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } },
    error: undefined,
  });
  const [seen] = upstream.seen;
  expect(seen?.path).toBe("/v1/chat/completions");
  expect(seen?.headers).toMatchObject({ authorization: "Bearer sk-test-secret", "x-request-id": "r-1" });
  expect(JSON.parse(String(seen?.body))).toEqual({
    model: "test-model",
    messages,
    max_tokens: 64,
    stream: true,
    stream_options: { include_usage: true },
  });
});

describe("the servers' own ways are taken as they are meant:", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  test.each([
    [
      "comments, before and between",
      `: OPENROUTER PROCESSING\n\n${chatStream(["a", "b"])}`.replaceAll("\n\ndata", "\n\n: ping\n\ndata"),
      "ab",
    ],
    ["CRLF", chatStream(["a", "b"]).replaceAll("\n", "\r\n"), "ab"],
    ["no [DONE], but a reason to finish", `${chunkLine({ content: "a" })}${endLine()}`, "a"],
    ["[DONE] without a blank line", `${chunkLine({ content: "a" })}data: [DONE]`, "a"],
    ["[DONE] without a reason to finish", `${chunkLine({ content: "a" })}data: [DONE]\n\n`, "a"],
    [
      '"" in place of a null reason',
      `data: {"choices":[{"delta":{"content":"a"},"finish_reason":""}]}\n\n${endLine()}`,
      "a",
    ],
    [
      "only a role",
      `${chunkLine({ role: "assistant" })}${chunkLine({ role: "assistant", content: "" })}${chatStream(["a"])}`,
      "a",
    ],
    [
      "empty choices, none, and null",
      `data: {"choices":[]}\n\ndata: {}\n\ndata: {"choices":null}\n\n${chatStream(["a"])}`,
      "a",
    ],
    ["a delta of null", `data: {"choices":[{"delta":null}]}\n\n${chatStream(["a"])}`, "a"],
    [
      "what the model thought",
      `${chunkLine({ reasoning_content: "hm", content: null })}${chunkLine({ reasoning: "hm" })}${chatStream(["a"])}`,
      "a",
    ],
    [
      "texts in parts",
      `${chunkLine({
        content: [
          { type: "thinking", thinking: [] },
          { type: "text", text: "a" },
        ],
      })}${endLine()}`,
      "a",
    ],
    ["empty data fields", `data:\n\ndata: \n\n${chatStream(["a"])}`, "a"],
    ["line feeds where blank lines belong", chatStream(["a", "b"]).replaceAll("\n\n", "\n"), "ab"],
    [
      "a usage with every chunk, and an empty one",
      `${chunkLine({ content: "a" }, { usage })}${chunkLine({ content: "b" }, { usage: {} })}${endLine()}`,
      "ab",
    ],
    [
      "the whole text again at the end",
      `${chatStream(["a"]).replace("data: [DONE]\n\n", "")}data: {"choices":[{"message":{"content":"a"}}]}\n\n`,
      "a",
    ],
  ])("%s", async (_, body, text) => {
    const result = await ask(await serve(stream(body)));
    expect(result).toMatchObject({ text, end: { kind: "end", finishReason: "stop" }, error: undefined });
  });

  test("an answer in one piece, as JSON", async () => {
    const body = { choices: [{ message: { role: "assistant", content: "كلها" }, finish_reason: "length" }], usage };
    const result = await ask(
      await serve((response) => void response.setHeader("content-type", "application/json").end(JSON.stringify(body))),
    );
    expect(result).toEqual({ text: "كلها", end: { kind: "end", finishReason: "length", usage }, error: undefined });
  });

  test("bytes that are cut within a character", async () => {
    const bytes = new TextEncoder().encode(chatStream(["مرحبا 👋"]));
    const upstream = await serve(async (response) => {
      sse(response);
      for (let at = 0; at < bytes.length; at += 11) {
        response.write(bytes.subarray(at, at + 11));
        await sleep(0);
      }
      response.end();
    });
    expect((await ask(upstream)).text).toBe("مرحبا 👋");
  });
});

describe("an error within a good answer ends it, and is not tried again once text has come:", () => {
  test.each([
    ["OpenAI, LiteLLM", 'data: {"error":{"message":"boom","code":"x"}}\n\n'],
    [
      "OpenRouter",
      'data: {"error":{"code":502,"message":"boom"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}\n\n',
    ],
    ["vLLM", 'data: {"object":"error","message":"boom","code":400}\n\ndata: [DONE]\n\n'],
    ["llama.cpp", 'error: {"code":400,"message":"boom"}\n\ndata: [DONE]\n\n'],
    ["an event named error", 'event: error\ndata: {"message":"boom"}\n\n'],
    ["a text", 'data: {"error":"boom"}\n\n'],
  ])("%s", async (_, line) => {
    const upstream = await serve(stream(`${THINKING}${chunkLine({ content: "a" })}${line}`));
    const result = await ask(upstream);
    expect(result).toMatchObject({ text: "a", end: undefined });
    expect(codeOf(result)).toBe("failed");
    expect(String(result.error)).toContain("boom");
    expect(upstream.seen).toHaveLength(1);
  });
});

describe("an answer that breaks off is an error:", () => {
  test("a stream that ends without a word", async () => {
    expect(codeOf(await ask(await serve(stream(chunkLine({ content: "a" })))))).toBe("unreachable");
  });

  test("a connection that is reset", async () => {
    const upstream = await serve(async (response) => {
      sse(response).write(`${THINKING}${chunkLine({ content: "a" })}`);
      await sleep(20);
      response.socket?.resetAndDestroy();
    });
    const result = await ask(upstream);
    expect([result.text, codeOf(result)]).toEqual(["a", "unreachable"]);
  });

  test("a body shorter than it says", async () => {
    const upstream = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-length": 10_000 });
      response.write(`${chunkLine({ content: "a" })}`);
      setTimeout(() => response.socket?.end(), 20);
    });
    expect(codeOf(await ask(upstream))).toBe("unreachable");
  });

  test("a body longer than it says is cut there", async () => {
    const upstream = await serve((response) => {
      const first = chunkLine({ content: "a" });
      response.socket?.end(
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${first.length}\r\n\r\n${first}${endLine()}`,
      );
    });
    expect(codeOf(await ask(upstream))).toBe("unreachable");
  });

  test("a piece that does not come", async () => {
    const upstream = await serve((response) => void sse(response).write(`${THINKING}${chunkLine({ content: "a" })}`));
    const result = await ask(upstream, { betweenMs: 500 });
    expect([result.text, codeOf(result)]).toEqual(["a", "timed-out"]);
    await upstream.seen[0]?.left;
  });

  test("an end that does not come, though every piece does", async () => {
    const upstream = await serve(async (response) => {
      sse(response);
      while (!response.destroyed) {
        response.write(chunkLine({ content: "a" }));
        await sleep(10);
      }
    });
    expect(codeOf(await ask(upstream, { totalMs: 150 }))).toBe("timed-out");
  });

  test("100 MB, of which no more is read than is allowed", async () => {
    const line = Buffer.from(chunkLine({ reasoning_content: "x".repeat(10_000) }));
    let sent = 0;
    const upstream = await serve((response) => {
      return pour(sse(response), line, () => {
        sent += line.length;
        return sent < 100_000_000;
      });
    });
    expect(codeOf(await ask(upstream, { maxBytes: 5_000_000 }))).toBe("bad-answer");
    await upstream.seen[0]?.left;
    expect(sent).toBeLessThan(50_000_000);
  });

  test("a text without end", async () => {
    const upstream = await serve(stream(chunkLine({ content: "x".repeat(300_000) }).repeat(4)));
    expect(codeOf(await ask(upstream))).toBe("bad-answer");
  });

  test("a page in place of an answer", async () => {
    const upstream = await serve((response) => void response.end("<html>Log in</html>"));
    expect(codeOf(await ask(upstream))).toBe("bad-answer");
  });
});

describe("before any text has come", () => {
  test.each([500, 502, 503, 429])("a %i is tried once more", async (status) => {
    const upstream = await serve((response, _, n) => {
      if (n === 1) response.writeHead(status, { "retry-after": "0" }).end("{}");
      else sse(response).end(chatStream(["a"]));
    });
    expect(await ask(upstream)).toMatchObject({ text: "a", error: undefined });
  });

  test("a second failure is the last", async () => {
    const upstream = await serve((response) => void response.writeHead(500).end('{"error":{"message":"boom"}}'));
    const result = await ask(upstream);
    expect(result.error).toMatchObject({ code: "failed", status: 500, retryable: true });
    expect(upstream.seen).toHaveLength(2);
  });

  test("a connection that is reset, and one that is silent, are tried once more", async () => {
    for (const [fault, limits] of [
      ["reset", {}],
      ["silence", { firstByteMs: 1_500 }],
    ] as const) {
      const upstream = await serve((response, _, n) => {
        if (n === 2) sse(response).end(chatStream(["a"]));
        else if (fault === "reset") response.socket?.resetAndDestroy();
      });
      expect(await ask(upstream, limits)).toMatchObject({ text: "a", error: undefined });
    }
  });

  test.each([
    [400, "refused"],
    [401, "unauthorized"],
    [403, "unauthorized"],
    [404, "not-found"],
    [422, "refused"],
    [302, "bad-answer"],
  ] as const)("a %i is not tried again", async (status, code) => {
    const upstream = await serve((response) => void response.writeHead(status, { location: "/elsewhere" }).end("{}"));
    const result = await ask(upstream);
    expect(result.error).toMatchObject({ code, status });
    expect(upstream.seen).toHaveLength(1);
  });

  test("a server that asks for a long wait is not waited for", async () => {
    const upstream = await serve((response) => void response.writeHead(429, { "retry-after": "30" }).end());
    const result = await ask(upstream);
    expect(result.error).toMatchObject({ code: "busy", retryAfterMs: 30_000 });
    expect(upstream.seen).toHaveLength(1);
  });

  test("a server that is not there is unreachable", async () => {
    const upstream = await serve(() => undefined);
    await upstream.close();
    expect(codeOf(await ask(upstream))).toBe("unreachable");
  });
});

test("a key that a server repeats is in no message", async () => {
  const upstream = await serve((response, { headers }) => {
    const error = { message: `Incorrect API key provided: ${headers.authorization}, also sk-te*****cret.` };
    response.writeHead(401).end(JSON.stringify({ error }));
  });
  const { error } = await ask(upstream);
  expect(String(error)).toContain("Incorrect API key");
  expect(`${Bun.inspect(error)} ${JSON.stringify(error)}`).not.toMatch(/sk-te/);
});

test("nothing is asked before the first part is taken, and giving up between parts closes the connection", async () => {
  const upstream = await serve(async (response) => {
    sse(response).write(THINKING);
    while (!response.destroyed) {
      response.write(chunkLine({ content: "a" }));
      await sleep(5);
    }
  });
  const parts = chatOf(upstream);
  expect(upstream.seen).toHaveLength(0);
  for await (const part of parts) {
    expect(part).toEqual({ kind: "text", text: "a" });
    break;
  }
  await upstream.seen[0]?.left;
});

test("an aborted signal reaches the server at once, also while nothing comes, and its reason is thrown", async () => {
  const upstream = await serve(() => undefined);
  const abort = new AbortController();
  const first = Array.fromAsync(chatOf(upstream, {}, abort.signal)).catch((error: unknown) => error);
  while (upstream.seen.length === 0) await sleep(5);
  const reason = new Error("the client left");
  abort.abort(reason);
  expect(await first).toBe(reason);
  await upstream.seen[0]?.left;
  expect(upstream.seen).toHaveLength(1);
});

test("a server is not read faster than parts are taken", async () => {
  let sent = 0;
  const line = Buffer.from(chunkLine({ content: "x".repeat(1000) }));
  const upstream = await serve((response) => {
    sse(response).write(THINKING);
    return pour(response, line, () => {
      sent += line.length;
      return sent < 20_000_000;
    });
  });
  for await (const _ of chatOf(upstream)) {
    await sleep(200);
    expect(sent).toBeLessThan(15_000_000);
    break;
  }
});

describe("a model that thinks in its text:", () => {
  const answering = (text: string, finish = "stop"): Answer =>
    stream(`${chunkLine({ content: text })}${endLine(finish)}data: [DONE]\n\n`);

  test("thinking is not shown and not counted, and the count of a server that tells it apart is of the answer", async () => {
    const { text, end } = await ask(await serve(stream(chatStream(["<think>hm", "</th", "ink>\n\n", "yes"]))));
    expect([text, end]).toEqual(["yes", { kind: "end", finishReason: "stop", usage: null }]);
    const usage = { prompt_tokens: 5, completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 7 } };
    const told = await ask(
      await serve(stream(`${THINKING}${chunkLine({ content: "yes" })}${chunkLine({}, { usage })}data: [DONE]\n\n`)),
    );
    expect(told.end).toMatchObject({ usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } });
  });

  test.each([
    ["nothing", ""],
    ["blanks", "\n \t"],
    ["thinking alone", "<think>hm</think>"],
    ["special tokens", "<|im_start|>assistant\n<|im_end|>"],
  ])("an answer of %s is an error", async (_, text) => {
    expect(codeOf(await ask(await serve(answering(text))))).toBe("empty");
  });

  test("one whose thinking took the tokens of its answer is asked once more, with tokens for it", async () => {
    const upstream = await serve((response, seen, n) =>
      answering(n === 1 ? "<think>so much to" : "<think>so much to say</think>yes", n === 1 ? "length" : "stop")(
        response,
        seen,
        n,
      ),
    );
    expect((await ask(upstream)).text).toBe("yes");
    const [first, second] = upstream.seen.map(({ body }) => JSON.parse(String(body)).max_tokens);
    expect(first).toBe(64);
    expect(second).toBeGreaterThan(1000);
  });

  test("its answer is no longer than was asked for", async () => {
    const words = Array.from({ length: 500 }, () => chunkLine({ content: "word " })).join("");
    const result = await ask(await serve(stream(`${THINKING}${words}${endLine()}`)));
    expect(result.text).toBe("word ".repeat(64));
    expect(result.end).toMatchObject({ finishReason: "length" });
  });

  test("a live answer comes as it is made once the model has answered without thinking", async () => {
    const open = Promise.withResolvers<void>();
    const upstream = await serve(async (response, _, n) => {
      sse(response).write(chunkLine({ content: "a" }));
      if (n > 1) await open.promise;
      response.end(`${chunkLine({ content: "b" })}${endLine()}`);
    });
    const model = upstreamChat(upstreamAt(upstream.url), loopbackFetcher());
    const call = { messages, maxTokens: 64, live: true, signal: new AbortController().signal };
    const textsOf = async () => {
      const texts: string[] = [];
      for await (const part of model.chat(call)) {
        if (part.kind === "text") texts.push(part.text);
        open.resolve();
      }
      return texts;
    };
    expect(await textsOf()).toEqual(["ab"]);
    expect(await textsOf()).toEqual(["a", "b"]);
  });
});

test("200,000 blanks and a letter are a letter, whatever answers are made of them", async () => {
  const blanks = chunkLine({ content: "\t" }).repeat(200_000);
  const upstream = await serve(stream(`${blanks}${chunkLine({ content: "a" })}${endLine()}`));
  expect((await ask(upstream, { maxBytes: 100_000_000 })).text).toBe("a");
});
