import { z } from "zod";
import type { Embedder, Reranker } from "../../models/mod.ts";
import { parseJson } from "../../std/mod.ts";
import type { Fetcher } from "../../web/egress/mod.ts";
import { LlmError } from "../error.ts";
import type { Transcriber, Transcript } from "../tasks.ts";
import { exchange, type OpenAnswer, retryOnce, type Upstream, type UpstreamRequest } from "./connection.ts";
import { withoutThinking } from "./thinking.ts";

/**
 * Asks for something that comes in one piece, as JSON of this form; once more when that fails in a way that may be over
 * soon. Throws {@link LlmError}.
 */
async function askJson<T extends z.ZodType>(
  upstream: Upstream,
  fetch: Fetcher,
  request: UpstreamRequest,
  schema: T,
): Promise<z.output<T>> {
  const read = async function* ({ pieces }: OpenAnswer): AsyncGenerator<z.output<T>> {
    const text = Buffer.concat(await Array.fromAsync(pieces)).toString("utf8");
    const parsed = schema.safeParse(parseJson(text));
    if (!parsed.success) throw new LlmError("bad-answer", "the upstream's answer has another form than it should");
    yield parsed.data;
  };
  for await (const answer of retryOnce(() => exchange({ ...upstream, fetch }, request, read), request.signal))
    return answer;
  throw new LlmError("bad-answer", "the upstream gave no answer");
}

/** Returns a request that carries JSON. */
function jsonRequest(
  path: string,
  body: unknown,
  { requestId, signal }: { requestId?: string | undefined; signal: AbortSignal },
): UpstreamRequest {
  return { path, headers: { "content-type": "application/json" }, body: JSON.stringify(body), requestId, signal };
}

/** Texts of one request. */
const BATCH = 64;

const Embeddings = z.object({ data: z.array(z.object({ index: z.int().nullish(), embedding: z.array(z.number()) })) });

/** Returns an embedding model behind `POST /embeddings`; its vectors are brought to length 1. */
export function upstreamEmbedder(upstream: Upstream, fetch: Fetcher): Pick<Embedder, "embed"> {
  return {
    async embed(texts, _kind, signal = new AbortController().signal) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += BATCH) {
        const input = texts.slice(from, from + BATCH);
        const body = { model: upstream.model, input, encoding_format: "float" };
        const { data } = await askJson(upstream, fetch, jsonRequest("/embeddings", body, { signal }), Embeddings);
        const byPlace = new Map(data.map(({ index, embedding }, place) => [index ?? place, embedding]));
        for (const place of input.keys()) vectors.push(unit(byPlace.get(place)));
      }
      return vectors;
    },
  };
}

function unit(numbers: readonly number[] | undefined): Float32Array {
  const length = Math.hypot(...(numbers ?? []));
  if (numbers === undefined || !(length > 0)) throw new LlmError("bad-answer", "the upstream left out a vector");
  return Float32Array.from(numbers, (value) => value / length);
}

const Score = z
  .object({ index: z.int(), relevance_score: z.number().nullish(), score: z.number().nullish() })
  .transform(({ index, relevance_score, score }) => ({ index, score: relevance_score ?? score }));
const Scores = z.union([z.object({ results: z.array(Score) }).transform(({ results }) => results), z.array(Score)]);

/** Returns a reranking model behind `POST /rerank`, as Cohere, Jina, vLLM, llama.cpp and LiteLLM have it. */
export function upstreamReranker(upstream: Upstream, fetch: Fetcher): Pick<Reranker, "rerank"> {
  return {
    async rerank(query, passages, { signal = new AbortController().signal } = {}) {
      if (passages.length === 0) return new Float32Array();
      const documents = passages.map(({ title, text }) => (title === "" ? text : `${title}\n${text}`));
      const body = { model: upstream.model, query, documents, top_n: documents.length };
      const results = await askJson(upstream, fetch, jsonRequest("/rerank", body, { signal }), Scores);
      const scores = new Float32Array(documents.length).fill(Number.NaN);
      for (const { index, score } of results)
        if (typeof score === "number" && index in documents) scores[index] = score;
      if (scores.some(Number.isNaN)) throw new LlmError("bad-answer", "the upstream left out a document");
      return scores;
    },
  };
}

const Segment = z.object({ start: z.number(), end: z.number(), text: z.string() });

/**
 * Servers leave out what they like: the text stands in one piece or in segments, all else may be anything, and a
 * segment that is none is passed over.
 */
const TranscriptAnswer = z.object({
  text: z.string().nullish().catch(null),
  language: z.string().nullish().catch(null),
  duration: z.coerce.number().nonnegative().nullish().catch(null),
  segments: z
    .array(Segment.nullable().catch(null))
    .transform((segments) => segments.filter((segment) => segment !== null))
    .nullish()
    .catch(null),
});

/** Some servers name languages in English words. */
const NAMES: Readonly<Record<string, string>> = { arabic: "ar", english: "en" };

/**
 * Returns a speech model behind `POST /audio/transcriptions`. It is asked for times; a server that has none is asked
 * for the text alone.
 */
export function upstreamTranscriber(upstream: Upstream, fetch: Fetcher): Transcriber {
  const ask = (form: FormData, call: { requestId?: string | undefined; signal: AbortSignal }) =>
    multipart("/audio/transcriptions", form, call).then((request) =>
      askJson(upstream, fetch, request, TranscriptAnswer),
    );
  return {
    async transcribe({ audio, format, language, ...call }) {
      const formOf = (responseFormat: string): FormData => {
        const form = new FormData();
        form.set("model", upstream.model);
        form.set("response_format", responseFormat);
        if (language !== undefined) form.set("language", language);
        form.set("file", new Blob([Buffer.from(audio)], { type: format.mime }), `audio.${format.extension}`);
        return form;
      };
      const heard = await ask(formOf("verbose_json"), call).catch((error: unknown) => {
        if (!(error instanceof LlmError) || error.code !== "refused") throw error;
        return ask(formOf("json"), call);
      });
      return transcriptOf(heard);
    },
  };
}

function transcriptOf({ text, language, duration, segments }: z.output<typeof TranscriptAnswer>): Transcript {
  if (typeof text !== "string" && !segments?.length) throw new LlmError("bad-answer", "the upstream gave no text");
  const named = language?.toLowerCase();
  return {
    text: withoutThinking(text ?? segments?.map(({ text }) => text.trim()).join(" ") ?? "").trim(),
    language: named === undefined ? null : (NAMES[named] ?? named),
    durationS: duration ?? null,
    segments: (segments ?? []).map(({ start, end, text }) => ({ start, end, text: withoutThinking(text).trim() })),
  };
}

/** Returns a form as a request; its length is known. */
async function multipart(
  path: string,
  form: FormData,
  { requestId, signal }: { requestId?: string | undefined; signal: AbortSignal },
): Promise<UpstreamRequest> {
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type") ?? "multipart/form-data";
  return { path, headers: { "content-type": contentType }, body: await encoded.bytes(), requestId, signal };
}

/**
 * Resolves when the server answers, whether it lists its models or not. Throws {@link LlmError} when it does not,
 * fails, or refuses the key.
 */
export async function pingUpstream(upstream: Upstream, fetch: Fetcher, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of exchange({ ...upstream, fetch }, { path: "/models", method: "GET", signal }, nothing)) break;
  } catch (error) {
    if (error instanceof LlmError && (error.code === "not-found" || error.code === "refused")) return;
    throw error;
  }
}

async function* nothing(): AsyncGenerator<never> {}
