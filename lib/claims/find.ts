import type { Classifier, Embedder } from "../models/mod.ts";
import { AppError } from "../service/http/mod.ts";
import { parseJson } from "../std/mod.ts";
import type { NamedEntity, Step, Store } from "../store/mod.ts";
import { codePointSlicer, sentences } from "../text/mod.ts";
import { claimReviewsIn, readClaimReview } from "./claim-review.ts";
import {
  type CachedReader,
  cachedReader,
  followClaims,
  type FollowedVectors,
  followReviews,
  signedBytesOf,
  type TextEncoder,
} from "./follow.ts";
import { type ClaimSentence, groupClaims } from "./group.ts";
import { namesAmong } from "./names.ts";
import { speakersOf } from "./speaker.ts";

type ClaimModels = {
  classifier: Pick<Classifier, "classify" | "keeps" | "modelId">;
  embedder: Pick<Embedder, "embed" | "modelId">;
  reader: CachedReader;
};

/** Holds what the workers give to find claims with. */
export type ClaimParts = {
  classifier: Pick<Classifier, "classify" | "keeps" | "modelId"> | undefined;
  encoder: TextEncoder | undefined;
  minScore?: number | undefined;
};

/** Holds what claims are found and kept with. */
export type ClaimDeps = {
  store: Pick<Store, "articles" | "claims" | "reviews">;
  models: ClaimModels;
  claims: FollowedVectors;
  reviews: FollowedVectors;
  /** Score from which a sentence is kept; by default that from which the model keeps claims. */
  minScore?: number | undefined;
};

/**
 * Makes what finds claims; undefined without its models. The vectors of claims and reviews are read when it is used
 * first.
 */
export function claimDeps({
  store,
  embedder,
  classifier,
  encoder,
  minScore,
}: ClaimParts & { store: ClaimDeps["store"]; embedder: Embedder | undefined }): ClaimDeps | undefined {
  if (classifier === undefined || embedder === undefined) return undefined;
  return {
    store,
    models: { classifier, embedder, reader: cachedReader(encoder) },
    claims: followClaims(store, embedder),
    reviews: followReviews(store, embedder),
    minScore,
  };
}

/** Sentences of an article that are judged, and claims of it that are kept: the likeliest. */
const MAX_SENTENCES = 256;
const MAX_CLAIMS = 64;

/** Code points of a sentence: a shorter one says nothing by itself, a longer one is a table or a list. */
const SENTENCE_POINTS = { min: 20, max: 1_000 };

/** Says how often the sentences are compared again because others stored claims meanwhile. */
const MAX_TURNS = 20;

/**
 * Finds the claims of articles and stores them in the place of those that they had, with the reviews that stand on
 * their pages; `step` ends in the same transaction. Returns how many sentences make a claim, and how many claims are
 * new.
 */
export async function storeClaims(
  deps: ClaimDeps,
  articleIds: readonly number[],
  { signal, step }: { signal: AbortSignal; step?: Step | undefined },
): Promise<{ claims: number; new_claims: number }> {
  const { store, models, claims, reviews } = deps;
  await keepCrawledReviews(store, articleIds);
  const found = await findClaims(deps, articleIds, signal);
  const { embedder, reader, classifier } = models;
  const group = { store, claims, reviews, reader, embedder: embedder.modelId };
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const { articles, claims: fresh, after } = await groupClaims(group, found, signal);
    const others = articleIds.filter((id) => !articles.some(({ articleId }) => articleId === id));
    const batch = {
      articles: [...articles, ...others.map((articleId) => ({ articleId, mentions: [] }))],
      claims: fresh,
    };
    const put = { embedder: embedder.modelId, classifier: classifier.modelId, after, step };
    const stored = await store.claims.put(batch, put);
    if (stored !== "behind") return { claims: found.length, new_claims: fresh.length };
  }
  throw new AppError("service-unavailable", "others stored claims all the time");
}

/**
 * Makes reviews of the ClaimReviews that stand on the pages of articles; what is wrong with one is nobody's to mend.
 */
async function keepCrawledReviews(
  store: Pick<Store, "claims" | "reviews">,
  articleIds: readonly number[],
): Promise<void> {
  const crawled = await store.claims.crawledReviews(articleIds);
  const reviews = crawled.flatMap(({ url, reviews }) =>
    reviews.flatMap((text) =>
      claimReviewsIn(parseJson(text), { most: 1 }).flatMap((value) => {
        const read = readClaimReview(value, { home: url });
        return "review" in read ? [read.review] : [];
      }),
    ),
  );
  if (reviews.length > 0) await store.reviews.create(reviews, "crawl");
}

/** Finds the sentences of articles that are worth a check. */
async function findClaims(
  { store, models: { classifier, embedder }, minScore }: Pick<ClaimDeps, "store" | "minScore" | "models">,
  articleIds: readonly number[],
  signal: AbortSignal,
): Promise<ClaimSentence[]> {
  const articles = await store.articles.byIds(articleIds, ["articleId", "content", "lang"]);
  const entities = Map.groupBy(await store.claims.entitiesOf(articleIds), ({ articleId }) => articleId);
  const found: Omit<ClaimSentence, "vector">[] = [];
  for (const { articleId, content, lang } of articles) {
    if (lang !== "ar" && lang !== "en") continue;
    const named = entities.get(articleId) ?? [];
    const slice = codePointSlicer(content);
    const spans = sentences(content).slice(0, MAX_SENTENCES);
    const judged = spans.flatMap(({ start, end }, place) =>
      end - start >= SENTENCE_POINTS.min && end - start <= SENTENCE_POINTS.max
        ? [{ start, end, place, text: slice(start, end) }]
        : [],
    );
    const scores = await classifier.classify(
      judged.map(({ text }) => text),
      { lang, genre: "news", signal },
    );
    const least = minScore ?? classifier.keeps(lang);
    const worthy = judged
      .map((sentence, i) => ({ ...sentence, score: scores[i] ?? 0 }))
      .filter(({ score }) => score >= least)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MAX_CLAIMS)
      .toSorted((a, b) => a.start - b.start);
    if (worthy.length === 0) continue;
    const speakers = speakersOf(content, spans, named);
    for (const { start, end, place, text, score } of worthy) {
      const names = namesAmong(within(named, start, end));
      found.push({ articleId, start, end, text, lang, score, speaker: speakers[place], names });
    }
  }
  const vectors = await embedder.embed(
    found.map(({ text }) => text),
    "passage",
    signal,
  );
  return found.map((sentence, i) => ({ ...sentence, vector: signedBytesOf(vectors[i] ?? new Float32Array()) }));
}

/** The entities that are named between two places. */
function within(entities: readonly NamedEntity[], start: number, end: number): NamedEntity[] {
  return entities.filter(({ spans }) =>
    spans.some((from, i) => i % 2 === 0 && from >= start && (spans[i + 1] ?? from) <= end),
  );
}
