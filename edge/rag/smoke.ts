import { randomUUID } from "node:crypto";
import type { OnBehalf } from "@isnad/lib/service/http";
import { available } from "@isnad/lib/answers";
import { at } from "@isnad/lib/std";
import { formatChunkId } from "./chunk-id.ts";
import type { DevItems } from "./dev-items.ts";
import { type RagDeps, ragQuery } from "./query.ts";

/** How a trial went; times in milliseconds. */
export type SmokeOutcome = {
  ok: boolean;
  id: string;
  found: boolean;
  timing_ms: { embed: number; upsert: number; query: number; total: number };
};

/** Embeds a text, upserts it, asks for it as `/rag/query` does, and removes it again. @throws what these throw */
export async function smoke(deps: RagDeps & { devItems: DevItems }, text: string, on: OnBehalf): Promise<SmokeOutcome> {
  const id = formatChunkId({ docId: randomUUID(), chunkNo: 0 });
  const start = performance.now();
  const vectors = await available(deps.capabilities.embed).use.embed([text], "passage", on.signal);
  const embedded = performance.now();
  deps.devItems.upsert([{ id, text, metadata: { source: "smoke" }, vector: at(vectors, 0) }]);
  const upserted = performance.now();
  try {
    const asked = { query: text.slice(0, 1000), k: 10, rerank_top_n: 0, filters: { source: "smoke" } };
    const { answer } = await ragQuery(deps, asked, on);
    const found = answer.results.some((result) => result.id === id);
    const end = performance.now();
    const [embed, upsert, query, total] = [embedded - start, upserted - embedded, end - upserted, end - start].map(
      Math.round,
    );
    return {
      ok: found,
      id,
      found,
      timing_ms: { embed: embed ?? 0, upsert: upsert ?? 0, query: query ?? 0, total: total ?? 0 },
    };
  } finally {
    deps.devItems.remove(id);
  }
}
