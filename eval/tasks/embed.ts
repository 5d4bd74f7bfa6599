import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import { dot, nearest, readCollection, readText, retrievalSets, scoresOf } from "../retrieval-sets.ts";
import type { EvalTask, Measured } from "../task.ts";

const DEPTH = 10;

/** The embedding alone: exact search by its vectors. */
export const embed: EvalTask = {
  name: "embed",
  formats:
    "tab-separated sentence pairs (with --lang of the queries' side, ar or en; default both ways), or a BEIR folder",
  sets: (data) => {
    const pud = join(data, "parallel/pud/en-ar.tsv");
    const path = existsSync(pud) ? pud : `${pud}.gz`;
    return [
      { set: "PUD ar-en", path, lang: "ar" },
      { set: "PUD en-ar", path, lang: "en" },
      ...retrievalSets(data).filter(({ set }) => !/Cranfield|CISI|CheckThat/.test(set)),
    ];
  },
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const model = process.env.EMBED_MODEL;
    const embedder = await createEmbedder({ registry, timeoutMs: 600_000, ...(model !== undefined && { model }) });
    const measure = async (queries: string[], documents: string[], wanted: ReadonlySet<number>[], ids: string[]) => {
      const passages = await embedder.embed(documents, "passage");
      const vectors = await embedder.embed(queries, "query");
      const rankings = vectors.map((vector) => nearest(vector, passages, DEPTH));
      const { recall, ndcg } = scoresOf(rankings, wanted);
      const predictions = rankings.flatMap((ranking, i) =>
        ranking.map((index, place) => {
          const score = dot(at(vectors, i), at(passages, index));
          return `${i + 1}\t${ids[index]}\t${place + 1}\t${score.toFixed(4)}`;
        }),
      );
      return { figures: { "recall@10": recall, "nDCG@10": ndcg }, size: queries.length, predictions };
    };
    return {
      async measure({ path, lang }): Promise<Measured> {
        if (statSync(path).isDirectory()) {
          const { documents, queries, grades } = readCollection(path);
          const ids = documents.map(({ id }) => id);
          const places = new Map(ids.map((id, place) => [id, place]));
          const relevant = queries.map(({ id }) => {
            const right = [...(grades.get(id) ?? [])].filter(([, grade]) => grade > 0);
            return new Set(right.flatMap(([document]) => places.get(document) ?? []));
          });
          return measure(
            queries.map(({ text }) => text),
            documents.map(({ title, text }) => `${title}\n${text}`.trim()),
            relevant,
            ids,
          );
        }
        const pairs = readText(path.replace(/\.gz$/, ""))
          .split("\n")
          .map((line) => line.trim().split("\t"))
          .filter(([left, right]) => left && right);
        const [english, arabic] = [0, 1].map((column) => pairs.map((pair) => pair[column] ?? ""));
        const oneWay = (side: "ar" | "en"): Promise<Measured> => {
          const [from = [], to = []] = side === "ar" ? [arabic, english] : [english, arabic];
          return measure(
            from,
            to,
            from.map((_, i) => new Set([i])),
            to.map((_, i) => String(i + 1)),
          );
        };
        if (lang !== undefined) return oneWay(lang);
        const ways = { "ar-en": await oneWay("ar"), "en-ar": await oneWay("en") };
        return {
          figures: Object.fromEntries(
            Object.entries(ways).flatMap(([way, { figures }]) =>
              Object.entries(figures).map(([metric, value]) => [`${metric} ${way}`, value]),
            ),
          ),
          size: pairs.length,
          predictions: Object.entries(ways).flatMap(([way, each]) => each.predictions.map((line) => `${way}\t${line}`)),
        };
      },
      close: () => embedder.close(),
    };
  },
};
