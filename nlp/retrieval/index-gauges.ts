import { Gauge, type Registry } from "@isnad/lib/service/process";
import type { KeywordIndex, VectorSearch } from "@isnad/lib/search";

/** Registers how much each index holds, read when the metrics are; an index that cannot answer shows -1. */
export function addIndexGauges(
  metrics: Registry,
  { keyword, vectors }: { keyword: Pick<KeywordIndex, "count">; vectors: Pick<VectorSearch, "status"> },
): void {
  const registers = [metrics];
  new Gauge({
    name: "retrieval_index_articles",
    help: "Articles that an index holds; -1 while it cannot answer.",
    labelNames: ["index"],
    registers,
    async collect() {
      this.set({ index: "keyword" }, await orNone(keyword.count()));
      this.set({ index: "vector" }, await orNone(vectors.status().then(({ articles }) => articles)));
    },
  });
  new Gauge({
    name: "retrieval_index_passages",
    help: "Passages whose vectors the vector index holds; -1 while it cannot answer.",
    registers,
    async collect() {
      this.set(await orNone(vectors.status().then(({ chunks }) => chunks)));
    },
  });
}

function orNone(count: Promise<number>): Promise<number> {
  return count.catch(() => -1);
}
