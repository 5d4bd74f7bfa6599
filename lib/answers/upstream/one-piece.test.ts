import { afterEach, describe, expect, test } from "bun:test";
import { LlmError } from "../tasks.ts";
import { type Answer, loopbackFetcher, serveUpstream, type TestUpstream, upstreamAt } from "../testing.ts";
import { pingUpstream, upstreamEmbedder, upstreamReranker, upstreamTranscriber } from "./tasks.ts";

const open: TestUpstream[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function serve(answer: Answer): Promise<TestUpstream> {
  const made = await serveUpstream(answer);
  open.push(made);
  return made;
}

const json =
  (body: unknown): Answer =>
  (response) =>
    void response.setHeader("content-type", "application/json").end(JSON.stringify(body));

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof LlmError ? error.code : error),
  );

describe("embeddings of a server", () => {
  test("come in batches, in the order of the texts whatever that of the answer, and of length 1", async () => {
    const upstream = await serve((response, { body }) => {
      const { input } = JSON.parse(String(body));
      const data = input.map((text: string, index: number) => ({ index, embedding: [Number(text), 0, 0] }));
      response.end(JSON.stringify({ data: data.reverse() }));
    });
    const texts = Array.from({ length: 70 }, (_, i) => String(i + 1));
    const vectors = await upstreamEmbedder(upstreamAt(upstream.url), loopbackFetcher()).embed(texts, "passage");
    expect(vectors).toHaveLength(70);
    expect(vectors.every((vector) => vector[0] === 1)).toBe(true);
    expect(upstream.seen.map(({ path }) => path)).toEqual(["/v1/embeddings", "/v1/embeddings"]);
    expect(JSON.parse(String(upstream.seen[0]?.body))).toMatchObject({ model: "test-model", encoding_format: "float" });
  });

  test.each([
    ["too few vectors", { data: [{ index: 0, embedding: [1] }] }],
    ["a vector of zeros", { data: [0, 1].map((index) => ({ index, embedding: [0, 0] })) }],
    ["no vectors", { error: { message: "no" } }],
    ["vectors in base64", { data: [0, 1].map((index) => ({ index, embedding: "AAAA" })) }],
  ])("with %s are refused", async (_, answer) => {
    const upstream = await serve(json(answer));
    const embedder = upstreamEmbedder(upstreamAt(upstream.url), loopbackFetcher());
    expect(await codeOf(embedder.embed(["a", "b"], "query"))).toBe("bad-answer");
  });
});

describe("a server's reranking", () => {
  const passages = [
    { title: "T", text: "a" },
    { title: "", text: "b" },
  ];
  const scores = async (answer: unknown) => {
    const upstream = await serve(json(answer));
    const reranker = upstreamReranker(upstreamAt(upstream.url), loopbackFetcher());
    return { scores: reranker.rerank("q", passages), upstream };
  };

  test.each([
    [
      "as Cohere, Jina, vLLM and llama.cpp have it",
      {
        results: [
          { index: 1, relevance_score: 0.5 },
          { index: 0, relevance_score: 0.25 },
        ],
      },
    ],
    [
      "as a plain list",
      [
        { index: 1, score: 0.5 },
        { index: 0, score: 0.25 },
      ],
    ],
  ])("%s is read by place", async (_, answer) => {
    const asked = await scores(answer);
    expect([...(await asked.scores)]).toEqual([0.25, 0.5]);
    expect(asked.upstream.seen[0]?.path).toBe("/v1/rerank");
    expect(JSON.parse(String(asked.upstream.seen[0]?.body))).toEqual({
      model: "test-model",
      query: "q",
      documents: ["T\na", "b"],
      top_n: 2,
    });
  });

  test.each([
    ["a document left out", { results: [{ index: 0, relevance_score: 1 }] }],
    ["a place that is none", { results: [0, 7].map((index) => ({ index, relevance_score: 1 })) }],
    ["no scores", { results: [0, 1].map((index) => ({ index })) }],
  ])("with %s is refused", async (_, answer) => {
    expect(await codeOf((await scores(answer)).scores)).toBe("bad-answer");
  });

  test("of nothing asks nobody", async () => {
    const upstream = await serve(json({}));
    const reranker = upstreamReranker(upstreamAt(upstream.url), loopbackFetcher());
    expect(await reranker.rerank("q", [])).toEqual(new Float32Array());
    expect(upstream.seen).toEqual([]);
  });
});

test("an answer in one piece is asked for once more when the first try fails, and given up with its signal", async () => {
  const upstream = await serve((response, _, n) => {
    if (n === 1) response.writeHead(502).end();
    else if (n === 2) response.end('{"data":[{"embedding":[1]}]}');
  });
  const embedder = upstreamEmbedder(upstreamAt(upstream.url), loopbackFetcher());
  expect(await embedder.embed(["a"], "query")).toEqual([new Float32Array([1])]);
  const abort = new AbortController();
  const asked = embedder.embed(["a"], "query", abort.signal).catch((error: unknown) => error);
  while (upstream.seen.length < 3) await Bun.sleep(5);
  abort.abort(new Error("enough"));
  expect(await asked).toEqual(new Error("enough"));
  await upstream.seen[2]?.left;
});

test.each([
  [200, "no error"],
  [404, "no error"],
  [401, "unauthorized"],
  [503, "failed"],
])("a server that answers %i to a ping: %s", async (status, code) => {
  const upstream = await serve((response) => void response.writeHead(status).end("{}"));
  expect(await codeOf(pingUpstream(upstreamAt(upstream.url), loopbackFetcher(), new AbortController().signal))).toBe(
    code,
  );
});

describe("a server's transcription", () => {
  const format = { name: "wav", mime: "audio/wav", extension: "wav" } as const;
  const heard = async (answer: unknown) => {
    const upstream = await serve(json(answer));
    const { signal } = new AbortController();
    return upstreamTranscriber(upstreamAt(upstream.url), loopbackFetcher()).transcribe({
      ...{ audio: new Uint8Array(4), format, signal },
    });
  };
  const segment = { start: 0, end: 1, text: " one " };

  test("loses a segment without a text, or without times, and nothing else", async () => {
    const broken = [{ start: 1, end: 2 }, { start: 1, end: 2, text: null }, { text: "x" }, null, "x"];
    const answer = { text: "one two", language: "english", duration: 2, segments: [...broken, segment, ...broken] };
    expect(await heard(answer)).toEqual({
      ...{ text: "one two", language: "en", durationS: 2 },
      segments: [{ start: 0, end: 1, text: "one" }],
    });
  });

  test("is that of its segments where it has no text of its own, and none where both are missing", async () => {
    const { text } = await heard({ segments: [segment, { start: 1, end: 2, text: "two" }] });
    expect(text).toBe("one two");
    for (const answer of [{}, { text: null, segments: [] }, { text: 5, segments: [null] }, []]) {
      expect(await codeOf(heard(answer))).toBe("bad-answer");
    }
  });

  test("may tell its language and its length in any form", async () => {
    const answer = { text: "<|ar|> one <|endoftext|>", language: ["ar"], duration: "long", segments: "none" };
    expect(await heard(answer)).toEqual({ text: "one", language: null, durationS: null, segments: [] });
  });
});
