import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { type BranchQuery, fuseHybrid, searchBranches } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import { indexCollection, type Indexed } from "../indexed.ts";
import {
  type Collection,
  dot,
  isHeldOut,
  ndcgAt10,
  nearest,
  readCollection,
  readJsonLines,
  readText,
  retrievalSets,
  scoresOf,
} from "../retrieval-sets.ts";
import type { EvalTask, Measured } from "../task.ts";

/** The constant of reciprocal rank fusion, as `/v1/search` has it by default. */
export const K_RRF = 60;

/**
 * Mean nDCG@10 of the two branches alone, and of both fused by ranks and by scores; and the ranking by ranks of each
 * query, ten ids at most, in the order of the queries.
 */
type HybridScores = {
  keyword: number;
  vector: number;
  hybrid: number;
  byScore: number;
  /** The share of the ten nearest articles that the vector branch found; undefined where it compares every vector. */
  recall?: number | undefined;
  rankings: { query: string; ids: string[]; scores: number[] }[];
};

/** As `/v1/search` asks: windows and fields. */
export const AS_SEARCH: Omit<BranchQuery, "text"> = {
  fields: { title: 3, content: 1 },
  filters: {},
  typos: "auto",
  floor: true,
  kKeyword: 1000,
  kVector: 200,
};

/** Measures hybrid search of an indexed collection as production runs it, and each branch alone. */
export async function evalHybrid(
  { branches, exact }: Pick<Indexed, "branches" | "exact">,
  collection: Collection,
): Promise<HybridScores> {
  const { documents, queries, grades } = collection;
  const sums = { keyword: 0, vector: 0, hybrid: 0, byScore: 0, recall: 0 };
  const rankings: HybridScores["rankings"] = [];
  for (const { id, text } of queries) {
    const branchHits = await searchBranches(branches, { ...AS_SEARCH, text });
    const judged = grades.get(id) ?? new Map<string, number>();
    const idsOf = (hits: readonly { articleId: number }[]): string[] =>
      hits.slice(0, 10).map(({ articleId }) => at(documents, articleId - 1).id);
    const { hits } = fuseHybrid(branchHits, { k: K_RRF, fusion: "rrf" });
    sums.keyword += ndcgAt10(idsOf(branchHits.keyword), judged);
    sums.vector += ndcgAt10(idsOf(branchHits.vector), judged);
    sums.hybrid += ndcgAt10(idsOf(hits), judged);
    sums.byScore += ndcgAt10(idsOf(fuseHybrid(branchHits, { k: K_RRF, fusion: "score" }).hits), judged);
    if (exact !== undefined) {
      const nearest = new Set((await exact(text, 10)).map(({ articleId }) => articleId));
      const ten = branchHits.vector.slice(0, 10);
      sums.recall += ten.filter(({ articleId }) => nearest.has(articleId)).length / Math.max(1, nearest.size);
    }
    rankings.push({ query: id, ids: idsOf(hits), scores: hits.slice(0, 10).map(({ score }) => score) });
  }
  const mean = (sum: number) => sum / Math.max(1, queries.length);
  const { keyword, vector, hybrid, byScore } = sums;
  return {
    keyword: mean(keyword),
    vector: mean(vector),
    hybrid: mean(hybrid),
    byScore: mean(byScore),
    recall: exact && mean(sums.recall),
    rankings,
  };
}

/** Sets made of news that no model was trained on; `path` is the folder of the news. */
const NEWS: Record<string, (news: string) => Collection> = {
  "title to body ar, held out": (news) => heldOutTitles(news, "ar", "body"),
  "title to body en, held out": (news) => heldOutTitles(news, "en", "body"),
  "title to abstract ar, held out": (news) => heldOutTitles(news, "ar", "abstract"),
};

/** Hybrid search as it is in production, beside its two branches. */
export const hybrid: EvalTask = {
  name: "hybrid",
  formats: "a BEIR folder",
  sets: (data) => [...retrievalSets(data), ...Object.keys(NEWS).map((set) => ({ set, path: join(data, "news") }))],
  async load() {
    const embedder = await createEmbedder({
      registry: openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" }),
      timeoutMs: 600_000,
    });
    return {
      async measure({ set, path }) {
        const collection = NEWS[set]?.(path) ?? readCollection(path);
        await using indexed = await indexCollection(collection, embedder);
        const { keyword, vector, hybrid: fused, byScore, recall, rankings } = await evalHybrid(indexed, collection);
        const predictions = rankings.flatMap(({ query, ids, scores }) =>
          ids.map((id, place) => `${query}\t${id}\t${place + 1}\t${scores[place]?.toFixed(6)}`),
        );
        const over = fused - Math.max(keyword, vector);
        const figures = {
          "nDCG@10": fused,
          "over better": over,
          "by score": byScore,
          "keyword alone": keyword,
          "vector alone": vector,
          ...(recall !== undefined && { "recall@10": recall }),
        };
        return { figures, size: collection.queries.length, predictions };
      },
      close: () => embedder.close(),
    };
  },
};

/** The shortest text that counts as one. */
const SHORTEST = 80;

const FILES = { ar: ["ant_v2_ar.jsonl", "ant_v1_ar.jsonl"], en: ["english.jsonl"] };

/** Marks that a search takes for syntax: what is quoted must be there, and it need not be in the body. */
const QUOTES = /["\u00ab\u00bb\u201c-\u201f\u2039\u203a]/g;

/**
 * Titles as queries, each for the body or the abstract of its article, over news that no model was trained on. Only
 * their words are asked for: quotation marks are left out.
 */
export function heldOutTitles(news: string, lang: "ar" | "en", part: "body" | "abstract"): Collection {
  const collection: Collection = { documents: [], queries: [], grades: new Map() };
  const seen = new Set<string>();
  for (const file of FILES[lang]) {
    const path = join(news, file);
    if (!existsSync(path) && !existsSync(`${path}.gz`)) continue;
    for (const row of readJsonLines(path)) {
      const body = String(row.text ?? "");
      const title = String(row.title ?? "").trim();
      const text = part === "body" ? body : String(row.abstract ?? "");
      if (title.length < 10 || text.length < SHORTEST || seen.has(title) || seen.has(text) || !isHeldOut(body))
        continue;
      seen.add(title).add(text);
      const id = String(collection.documents.length + 1);
      collection.documents.push({ id, title: "", text });
      collection.queries.push({ id, text: title.replace(QUOTES, " ").trim() });
      collection.grades.set(id, new Map([[id, 1]]));
    }
  }
  return collection;
}

/** Places of a ranking that are written out. */
const DEPTH = 10;

/** The keyword branch as it is in production. */
export const keyword: EvalTask = {
  name: "keyword",
  formats: "a BEIR folder: corpus.jsonl, queries.jsonl, qrels.tsv, plain or .gz",
  sets: retrievalSets,
  load: async () => ({
    async measure({ path }) {
      const collection = readCollection(path);
      await using indexed = await indexCollection(collection);
      const predictions: string[] = [];
      let sum = 0;
      for (const { id, text } of collection.queries) {
        const { hits } = await indexed.branches.keyword({ text, limit: DEPTH, typos: "auto" });
        const ranked = hits.map(({ articleId }) => collection.documents[articleId - 1]?.id ?? "");
        sum += ndcgAt10(ranked, collection.grades.get(id) ?? new Map());
        hits.forEach(({ score }, place) => {
          predictions.push(`${id}\t${ranked[place]}\t${place + 1}\t${score.toFixed(4)}`);
        });
      }
      const size = collection.queries.length;
      return { figures: { "nDCG@10": sum / size }, size, predictions };
    },
    close: async () => {},
  }),
};

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
