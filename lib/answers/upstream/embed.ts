import type { Fetcher } from "../../web/egress/mod.ts";
import type { Embedder } from "../../models/mod.ts";
import { z } from "zod";
import { LlmError } from "../error.ts";
import { askJson, jsonRequest } from "./ask-json.ts";
import type { Upstream } from "./upstream.ts";

/** Texts of one request. */
const BATCH = 64;

const Embeddings = z.object({ data: z.array(z.object({ index: z.int().nullish(), embedding: z.array(z.number()) })) });

/** An embedding model behind `POST /embeddings`; its vectors are brought to length 1. */
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
