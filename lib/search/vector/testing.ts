import { at } from "../../std/mod.ts";
import type { ChunkChange } from "./engine.ts";

type ChunkUpsert = Extract<ChunkChange, { kind: "upsert" }>;

/** A vector of length 1 in any direction. */
export function randomVector(dims: number, random: () => number): Float32Array {
  const vector = Float32Array.from({ length: dims }, () => random() + random() + random() - 1.5);
  const norm = Math.hypot(...vector);
  return vector.map((component) => component / norm);
}

/** Vectors as texts give them: topics, subtopics within them, and a share of near copies. */
export function clusteredVectors(count: number, dims: number, random: () => number): Float32Array[] {
  const near = (centre: Float32Array, spread: number) => {
    const away = randomVector(dims, random);
    const sum = centre.map((component, i) => component + spread * at(away, i));
    const norm = Math.hypot(...sum);
    return sum.map((component) => component / norm);
  };
  const topics = Array.from({ length: 12 }, () => randomVector(dims, random));
  const subtopics = Array.from({ length: 240 }, (_, i) => near(topics[i % 12] ?? new Float32Array(dims), 0.9));
  const vectors: Float32Array[] = [];
  for (let i = 0; i < count; i++) {
    const copied = random() < 0.05 ? vectors[Math.floor(random() * vectors.length)] : undefined;
    const centre = copied ?? subtopics[Math.floor(random() ** 2 * subtopics.length)] ?? new Float32Array(dims);
    vectors.push(near(centre, copied === undefined ? 0.8 : 0.02));
  }
  return vectors;
}

/** A change that adds a chunk; what is not given is the same for all. */
export function upsert(articleId: number, vector: Float32Array, fields: Partial<ChunkUpsert> = {}): ChunkUpsert {
  return {
    kind: "upsert",
    articleId,
    chunkNo: 0,
    start: 0,
    end: 100,
    vector,
    lang: "ar",
    sourceId: "daily",
    categoryId: null,
    domain: "daily.example",
    publishedAt: null,
    ...fields,
  };
}

/**
 * The `k` best articles by plain arithmetic in double precision: id and score, each article by its best vector (ties:
 * smaller id).
 */
export function bruteForce(
  chunks: readonly { articleId: number; vector: Float32Array }[],
  query: Float32Array,
  k: number,
): { articleId: number; score: number }[] {
  const best = new Map<number, number>();
  for (const { articleId, vector } of chunks) {
    // The index keeps float16, as the store does.
    const kept = Float64Array.from(Float16Array.from(vector));
    let [product, square, querySquare] = [0, 0, 0];
    for (let i = 0; i < kept.length; i++) {
      const [a, b] = [at(kept, i), at(query, i)];
      product += a * b;
      square += a * a;
      querySquare += b * b;
    }
    const score = product / Math.sqrt(square * querySquare);
    if (score > (best.get(articleId) ?? Number.NEGATIVE_INFINITY)) best.set(articleId, score);
  }
  return [...best]
    .map(([articleId, score]) => ({ articleId, score }))
    .sort((a, b) => b.score - a.score || a.articleId - b.articleId)
    .slice(0, k);
}
