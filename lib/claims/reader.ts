import { BoundedMap } from "../std/mod.ts";
import { codePointSlice } from "../text/mod.ts";

/**
 * Holds what reads texts to vectors that compare: a text that is asked about as `query`, one that is asked as
 * `passage`.
 */
export type TextEncoder = {
  readonly modelId: string;
  read(
    texts: readonly { kind: "query" | "passage"; text: string; longest?: number }[],
    options?: { signal?: AbortSignal },
  ): Promise<Float32Array[]>;
};

/** Texts whose vectors are cached. */
const CACHED = 4_000;

/** Texts that the model is given at a time: others ask it, too, and few may wait for it. */
const BATCH = 16;

/** Code points of a claim that are read. */
const MAX_POINTS = 400;

/** Stands for the model where there is none. */
const NO_MODEL = "none";

/** Reads texts, each once while it is cached; to no vectors where there is no model that reads texts by themselves. */
export function cachedReader(encoder: TextEncoder | undefined) {
  const cached = new BoundedMap<string, Float32Array>(CACHED);
  return {
    modelId: encoder?.modelId ?? NO_MODEL,
    async read(kind: "query" | "passage", texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
      if (encoder === undefined) return [];
      const keys = texts.map((text) => `${kind} ${codePointSlice(text, 0, MAX_POINTS)}`);
      const known = new Map(keys.map((key) => [key, cached.get(key)]));
      const missing = [...known].flatMap(([key, vector]) => (vector === undefined ? [key] : []));
      for (let start = 0; start < missing.length; start += BATCH) {
        const some = missing.slice(start, start + BATCH);
        const vectors = await encoder.read(
          some.map((key) => ({ kind, text: key.slice(kind.length + 1) })),
          signal === undefined ? {} : { signal },
        );
        for (const [i, key] of some.entries()) {
          const vector = vectors[i];
          if (vector === undefined) throw new Error("the encoder returned no vector");
          cached.set(key, vector);
          known.set(key, vector);
        }
      }
      return keys.flatMap((key) => known.get(key) ?? []);
    },
  };
}

export type CachedReader = ReturnType<typeof cachedReader>;
