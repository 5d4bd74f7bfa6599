import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  cachedReader,
  compareFacts,
  cosine,
  isSame,
  matchTexts,
  namesAmong,
  type MatchDeps,
  NearestVectors,
  readFacts,
  signedBytesOf,
  similarityOf,
} from "@isnad/lib/claims";
import {
  createEmbedder,
  createReranker,
  createTagger,
  type Embedder,
  openRegistry,
  type Reranker,
  type Tagger,
} from "@isnad/lib/models";
import { fuseHybrid, openKeywordIndex, searchBranches } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import type { ComparedReview } from "@isnad/lib/store";
import { indexCollection } from "../indexed.ts";
import { type Collection, jsonLines, readCollection } from "../retrieval-sets.ts";
import type { EvalTask, Measured } from "../task.ts";
import { AS_SEARCH, K_RRF } from "./retrieval.ts";

type Models = { embedder: Embedder; reranker: Reranker; tagger: Tagger };
type PairModels = {
  embedder: Pick<Embedder, "embed">;
  reranker: { encoder?: Parameters<typeof cachedReader>[0] };
  tagger: Pick<Tagger, "tag">;
};

/** Holds two sentences, and whether they claim the same. */
type ClaimPair = { a: string; b: string; same: boolean };

/** A claim, the same in other words, and one that differs in what `kind` says. */
type Entry = { a: string; same: string; other: string; kind: string };

/**
 * Reads pairs of a set of our own: each of its claims with the same one in other words, and with a near miss. `part`:
 * the lines that rules and weights were chosen by are the first, third, …; the others are held out.
 */
export function readPairs(text: string, part: "development" | "held-out"): ClaimPair[] {
  return jsonLines(text)
    .filter((_, i) => (i % 2 === 0) === (part === "development"))
    .flatMap((row) => {
      const { a, same, other } = entryOf(row);
      return [
        { a, b: same, same: true },
        { a, b: other, same: false },
      ];
    });
}

function entryOf({ a, same, other, kind }: Record<string, unknown>): Entry {
  const texts = [a, same, other, kind].map(String);
  return { a: at(texts, 0), same: at(texts, 1), other: at(texts, 2), kind: at(texts, 3) };
}

/** Measures which pairs are told to be the same: precision and recall. */
export async function measurePairs(
  pairs: readonly ClaimPair[],
  { embedder, reranker, tagger }: PairModels,
): Promise<Measured> {
  const reader = cachedReader(reranker.encoder);
  const both = pairs.flatMap(({ a, b }) => [a, b]);
  const vectors = (await embedder.embed(both, "passage")).map(signedBytesOf);
  const names = (await tagger.tag(both)).map(namesAmong);
  const facts = both.map((text, i) => readFacts(text, names[i]));
  const queries = await reader.read("query", both);
  const passages = await reader.read("passage", both);
  const told = pairs.map((_, i) => {
    const agreement = compareFacts(at(facts, 2 * i), at(facts, 2 * i + 1));
    const near = cosine(at(vectors, 2 * i), at(vectors, 2 * i + 1));
    const read = cosine(at(queries, 2 * i), at(passages, 2 * i + 1));
    const similarity = similarityOf(agreement, { near, read });
    return { same: isSame(agreement, similarity), similarity };
  });
  const right = told.filter(({ same }, i) => same && at(pairs, i).same).length;
  const precision = right / Math.max(1, told.filter(({ same }) => same).length);
  const recall = right / Math.max(1, pairs.filter(({ same }) => same).length);
  return {
    figures: { "same precision": precision, "same recall": recall },
    size: pairs.length,
    predictions: pairs.map(({ a, b }, i) => {
      const { same, similarity } = at(told, i);
      return `${same ? "same" : "other"}\t${similarity.toFixed(4)}\t${a}\t${b}`;
    }),
  };
}

/** Texts that a model is given at a time. */
const BATCH = 64;

/**
 * Measures how high the claim that a tweet is of stands among all, by the match, and by a search over the same texts.
 */
async function measureTweets(collection: Collection, models: Models): Promise<Measured> {
  const dir = await mkdtemp(join(tmpdir(), "isnad-claims-"));
  const { documents, queries, grades } = collection;
  const texts = documents.map(({ title, text }) => (title === "" ? text : `${title}. ${text}`));
  const words = await openKeywordIndex({ dir, partial: true });
  try {
    const deps = await matcherOver(texts, models, words);
    const { signal } = new AbortController();
    const ranks: number[] = [];
    const predictions: string[] = [];
    for (const { id, text } of queries) {
      const [result] = await matchTexts(deps, { texts: [text], k: 10 }, signal);
      const ids = (result?.reviews ?? []).map(({ review_id }) => at(documents, review_id - 1).id);
      ranks.push(ids.findIndex((each) => (grades.get(id)?.get(each) ?? 0) > 0) + 1);
      predictions.push(`${id}\t${ids.join(" ")}`);
    }
    const plain = await hybridRanks(
      { ...collection, documents: documents.map((each, i) => ({ ...each, title: "", text: at(texts, i) })) },
      models.embedder,
    );
    const figures = {
      "claim recall@5": recallAt5(ranks),
      "claim MRR": reciprocal(ranks),
      "hybrid recall@5": recallAt5(plain),
      "hybrid MRR": reciprocal(plain),
    };
    return { figures, size: queries.length, predictions };
  } finally {
    await words.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Returns ranks of hybrid search over the same texts, as `/v1/search` has it; 0 beyond the tenth. */
async function hybridRanks(collection: Collection, embedder: Embedder): Promise<number[]> {
  await using indexed = await indexCollection(collection, embedder);
  const ranks: number[] = [];
  for (const { id, text } of collection.queries) {
    const { hits } = fuseHybrid(await searchBranches(indexed.branches, { ...AS_SEARCH, text }), {
      k: K_RRF,
      fusion: "rrf",
    });
    const ids = hits.slice(0, 10).map(({ articleId }) => at(collection.documents, articleId - 1).id);
    ranks.push(ids.findIndex((each) => (collection.grades.get(id)?.get(each) ?? 0) > 0) + 1);
  }
  return ranks;
}

/** Returns the share of ranks from 1 to 5; 0 is none. */
export function recallAt5(ranks: readonly number[]): number {
  return ranks.filter((rank) => rank >= 1 && rank <= 5).length / Math.max(1, ranks.length);
}

/** Returns the mean of one over the rank, 0 for none. */
export function reciprocal(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / Math.max(1, ranks.length);
}

/** Makes what a match needs, over texts in memory in place of reviews in a database. */
async function matcherOver(
  texts: readonly string[],
  { embedder, reranker, tagger }: Models,
  words: Awaited<ReturnType<typeof openKeywordIndex>>,
): Promise<MatchDeps> {
  const vectors = (await embedder.embed(texts, "passage")).map(signedBytesOf);
  const reviews: ComparedReview[] = [];
  for (let start = 0; start < texts.length; start += BATCH) {
    const some = texts.slice(start, start + BATCH);
    const names = (await tagger.tag(some)).map(namesAmong);
    const reads = (await reranker.encoder?.read(some.map((text) => ({ kind: "passage" as const, text })))) ?? [];
    for (const [i, claimText] of some.entries()) {
      reviews.push({
        ...{ reviewId: start + i + 1, claimText, lang: "en", rating: null, ratingText: null, publisher: "", url: null },
        ...{ names: names[i] ?? [], vector: vectors[start + i], read: reads[i] && signedBytesOf(reads[i]) },
      });
    }
    await words.upsert(
      some.map((content, i) => ({ articleId: start + i + 1, sourceId: "", title: "", content, tier: 3 })),
    );
  }
  const followed = (pick: (review: ComparedReview) => Int8Array | undefined) => {
    const nearest = new NearestVectors(pick(at(reviews, 0))?.length ?? 0);
    for (const review of reviews) nearest.add(review.reviewId, pick(review) ?? new Int8Array());
    return {
      sync: async () => 0,
      near: nearest.near.bind(nearest),
      drop: () => undefined,
      size: () => nearest.size,
    };
  };
  return {
    store: {
      claims: { byIds: async () => [], position: async () => ({ epoch: "", claims: 0, reviews: 0 }) },
      reviews: { byIds: async (ids) => ids.map((id) => at(reviews, id - 1)) },
    },
    claims: { sync: async () => 0, near: () => [], drop: () => undefined, size: () => 0 },
    reviews: followed(({ vector }) => vector),
    readings: followed(({ read }) => read),
    words: async () => ({
      sync: async () => undefined,
      async search(text, limit) {
        const { hits } = await words.search({ text: text.replace(/["“”«»-]/gu, " "), limit, fields: { content: 1 } });
        return hits.map(({ articleId, score }) => ({ reviewId: articleId, score }));
      },
    }),
    reader: cachedReader(reranker.encoder),
    embedder: embedder.modelId,
    embed: (some) => embedder.embed(some, "passage"),
    namesIn: async (some) => (await tagger.tag(some)).map(namesAmong),
  };
}

const PAIRS = fileURLToPath(new URL("../claims/", import.meta.url));
const TWEETS = "CheckThat! en 2020, tweets";

/** Claims that are the same, and claims that are near misses; tweets and the claims that they are of. */
export const claimsMatch: EvalTask = {
  name: "claims-match",
  formats: "JSON lines of {a, same, other}, or a BEIR folder of claims with posts as queries",
  sets: (data) => [
    ...["en", "ar", "ar-en"].map((of) => ({ set: `pairs ${of}, held out`, path: join(PAIRS, `pairs.${of}.jsonl`) })),
    { set: TWEETS, path: join(data, "retrieval", "checkthat-en2020") },
  ],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const timeoutMs = 1_800_000;
    const [embedder, reranker, tagger] = await Promise.all([
      createEmbedder({ registry, timeoutMs, maxQueue: 100_000 }),
      createReranker({ registry, timeoutMs }),
      createTagger({ registry, timeoutMs }),
    ]);
    return {
      async measure({ path }) {
        const models = { embedder, reranker, tagger };
        if (!path.endsWith(".jsonl")) return await measureTweets(readCollection(path), models);
        return await measurePairs(readPairs(readFileSync(path, "utf8"), "held-out"), models);
      },
      close: async () => void (await Promise.all([embedder.close(), reranker.close(), tagger.close()])),
    };
  },
};
