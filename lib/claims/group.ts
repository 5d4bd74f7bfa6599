import type {
  ClaimBatch,
  ComparedClaim,
  NewClaim,
  NewMention,
  ReadReview,
  Speaker,
  Store,
  UnreadReview,
} from "../store/mod.ts";
import { analyse, fold } from "../text/mod.ts";
import { compareFacts, type Facts, isSame, readFacts, similarityOf } from "./compare.ts";
import { type CachedReader, cosine, type FollowedVectors, signedBytesOf } from "./follow.ts";

/** A sentence of an article that makes a claim; `names`: what a tagger found in it; `vector` of the embedding model. */
export type ClaimSentence = {
  articleId: number;
  start: number;
  end: number;
  text: string;
  lang: string;
  score: number;
  speaker: Speaker | undefined;
  names: readonly string[];
  vector: Int8Array;
};

/** Holds what sentences are compared with, and by what. */
type GroupDeps = {
  store: { claims: Pick<Store["claims"], "byIds">; reviews: Pick<Store["reviews"], "byIds"> };
  claims: FollowedVectors;
  reviews: FollowedVectors;
  reader: CachedReader;
  /** The embedding model. */
  embedder: string;
};

/** Sentences below this cosine by the embedding are not compared. */
export const LEAST_NEAR = 0.4;

/** Candidates of a sentence that are compared, and those of them that the second model reads. */
const COMPARED = 24;
const READ = 2;

/**
 * Without the second model two sentences are one above this similarity, and two below the other one: of the pairs that
 * the weights were chosen by, one in 79 is decided otherwise than with it. Reading is the dearest part of a claim.
 */
const CERTAIN = 0.9;
const UNLIKELY = 0.35;

/** A claim to compare with: one that is stored, or that of an earlier sentence of the same batch. */
type Option = { claim: NewMention["claim"] | { sentence: number }; text: string; facts: Facts; vector: Int8Array };

/** An option that nothing contradicts, with how alike it is. */
type Match = { option: Option; similarity: number; near: number; isDecided: boolean };

/**
 * Tells which claims sentences make: each one that is stored already, one of an earlier sentence, or a new one. Reads
 * what is new in the database first; returns up to which change, so that storing it can tell that there is something
 * newer.
 */
export async function groupClaims(
  deps: GroupDeps,
  sentences: readonly ClaimSentence[],
  signal: AbortSignal,
): Promise<{ articles: ClaimBatch["articles"]; claims: NewClaim[]; after: number }> {
  const [after] = await Promise.all([deps.claims.sync(), deps.reviews.sync()]);
  const facts = sentences.map(({ text, names }) => readFacts(text, names));
  const stored = await storedOptions(deps, sentences);
  const matches = sentences.map((sentence, i) => {
    const earlier = sentences.slice(0, i).flatMap(({ text, vector }, place): Option[] => {
      const own = facts[place];
      return own === undefined ? [] : [{ claim: { sentence: place }, text, facts: own, vector }];
    });
    return nearestOptions(sentence, facts[i], [...(stored[i] ?? []), ...earlier]);
  });
  await readMatches(deps, sentences, matches, facts, signal);
  const claims: NewClaim[] = [];
  const chosen: NewMention["claim"][] = [];
  const fresh: number[] = [];
  for (const [i, sentence] of sentences.entries()) {
    const own = facts[i];
    const best = (matches[i] ?? [])
      .filter(({ option, similarity }) => own !== undefined && isSame(compareFacts(own, option.facts), similarity))
      .toSorted((a, b) => b.similarity - a.similarity)[0];
    const same = best?.option.claim;
    const earlier = same !== undefined && "sentence" in same ? chosen[same.sentence] : undefined;
    if (same !== undefined && !("sentence" in same)) chosen.push(same);
    else if (earlier !== undefined) chosen.push(earlier);
    else {
      const { text, lang, names, vector } = sentence;
      chosen.push({ place: claims.length });
      fresh.push(i);
      claims.push({ text, lang, terms: termsOf(text), names, vector, reviews: [] });
    }
  }
  const reviewed = await reviewsOf(deps, fresh, sentences, facts, signal);
  const withReviews = claims.map((claim, place) => ({ ...claim, reviews: reviewed[place] ?? [] }));
  const mentions = sentences.map(({ articleId, start, end, score, lang, speaker }, i) => ({
    articleId,
    mention: { start, end, score, lang, speaker, claim: chosen[i] ?? { place: 0 } },
  }));
  const articles = [...Map.groupBy(mentions, ({ articleId }) => articleId)].map(([articleId, of]) => ({
    articleId,
    mentions: of.map(({ mention }) => mention),
  }));
  return { articles, claims: withReviews, after };
}

/** Returns the stems of the words of a claim, by which it is searched. */
export function termsOf(text: string): string[] {
  return [...new Set(analyse(text).flatMap(({ terms }) => (terms.stop ? [] : terms.stems)))];
}

/** The stored claims that may be the same as each sentence. Rows of claims that are gone are dropped. */
async function storedOptions({ store, claims }: GroupDeps, sentences: readonly ClaimSentence[]): Promise<Option[][]> {
  const candidates = sentences.map(({ vector }) => claims.near(vector, { least: LEAST_NEAR, count: COMPARED }));
  const ids = [...new Set(candidates.flat().map(({ id }) => id))];
  const byId = new Map((await store.claims.byIds(ids)).map((claim) => [claim.claimId, claim]));
  claims.drop(candidates.flat().flatMap(({ id, row }) => (byId.has(id) ? [] : [row])));
  const optionOf = memoizedOption();
  return candidates.map((list) =>
    [...new Set(list.map(({ id }) => id))].flatMap((id) => {
      const claim = byId.get(id);
      return claim === undefined ? [] : [optionOf(claim)];
    }),
  );
}

function memoizedOption(): (claim: ComparedClaim) => Option {
  const options = new Map<number, Option>();
  return (claim) => {
    const known = options.get(claim.claimId);
    if (known !== undefined) return known;
    const { claimId, text, names, vector } = claim;
    let facts: Facts | undefined;
    const option: Option = {
      claim: { id: claimId },
      text,
      vector,
      get facts() {
        facts ??= readFacts(text, names);
        return facts;
      },
    };
    options.set(claimId, option);
    return option;
  };
}

/** The options nearest to a sentence that nothing contradicts, the likeliest first. */
function nearestOptions(
  { text, vector }: ClaimSentence,
  facts: Facts | undefined,
  options: readonly Option[],
): Match[] {
  if (facts === undefined) return [];
  const folded = fold(text);
  const near = options
    .map((option) => ({ option, near: cosine(vector, option.vector) }))
    .filter(({ near }) => near >= LEAST_NEAR)
    .toSorted((a, b) => b.near - a.near)
    .slice(0, COMPARED);
  const matches: Match[] = [];
  for (const { option, near: cos } of near) {
    if (fold(option.text) === folded) return [{ option, similarity: 1, near: cos, isDecided: true }];
    const agreement = compareFacts(facts, option.facts);
    if (agreement.conflict !== undefined) continue;
    const similarity = similarityOf(agreement, { near: cos });
    if (similarity < UNLIKELY) continue;
    matches.push({ option, similarity, near: cos, isDecided: similarity >= CERTAIN });
  }
  return matches.toSorted((a, b) => b.similarity - a.similarity).slice(0, READ);
}

/** Has the second model read what is not decided. */
async function readMatches(
  { reader }: GroupDeps,
  sentences: readonly ClaimSentence[],
  matches: readonly Match[][],
  facts: readonly Facts[],
  signal: AbortSignal,
): Promise<void> {
  const open = matches.flatMap((list, i) =>
    list.some(({ isDecided }) => isDecided) ? [] : list.map((match) => ({ match, i, text: sentences[i]?.text ?? "" })),
  );
  if (open.length === 0) return;
  const queries = await reader.read(
    "query",
    open.map(({ text }) => text),
    signal,
  );
  const passages = await reader.read(
    "passage",
    open.map(({ match }) => match.option.text),
    signal,
  );
  for (const [place, { match, i }] of open.entries()) {
    const [query, passage, own] = [queries[place], passages[place], facts[i]];
    if (query === undefined || passage === undefined || own === undefined) continue;
    const read = cosine(query, passage);
    match.similarity = similarityOf(compareFacts(own, match.option.facts), { near: match.near, read });
  }
}

/** Reviews of a new claim that are looked at. */
const REVIEWS = 8;

/** The reviews that are of what each new claim says. */
async function reviewsOf(
  deps: GroupDeps,
  fresh: readonly number[],
  sentences: readonly ClaimSentence[],
  facts: readonly Facts[],
  signal: AbortSignal,
): Promise<NewClaim["reviews"][]> {
  const { store, reviews, reader, embedder } = deps;
  if (reviews.size() === 0) return [];
  const candidates = fresh.map((i) => {
    const vector = sentences[i]?.vector;
    return vector === undefined ? [] : reviews.near(vector, { least: LEAST_NEAR, count: REVIEWS });
  });
  const ids = [...new Set(candidates.flat().map(({ id }) => id))];
  const byId = new Map(
    (await store.reviews.byIds(ids, { embedder, reader: reader.modelId })).map((review) => [review.reviewId, review]),
  );
  reviews.drop(candidates.flat().flatMap(({ id, row }) => (byId.has(id) ? [] : [row])));
  return await Promise.all(
    fresh.map(async (i, place) => {
      const [own, sentence] = [facts[i], sentences[i]];
      if (own === undefined || sentence === undefined) return [];
      const near = [...new Set(candidates[place]?.map(({ id }) => id))].flatMap((id) => {
        const review = byId.get(id);
        if (review?.vector === undefined) return [];
        const agreement = compareFacts(own, readFacts(review.claimText, review.names));
        const cos = cosine(sentence.vector, review.vector);
        if (agreement.conflict !== undefined || similarityOf(agreement, { near: cos }) < UNLIKELY) return [];
        return [{ review, read: review.read, agreement, near: cos }];
      });
      if (near.length === 0) return [];
      const [query] = await reader.read("query", [sentence.text], signal);
      return near.flatMap(({ review, read, agreement, near: cos }) => {
        const meaning = { near: cos, read: query && read && cosine(query, read) };
        const similarity = similarityOf(agreement, meaning);
        return isSame(agreement, similarity) ? [{ reviewId: review.reviewId, similarity }] : [];
      });
    }),
  );
}

/** Holds what reads reviews, and the claims that they may be of. */
type ReadDeps = {
  store: { claims: Pick<Store["claims"], "byIds"> };
  claims: FollowedVectors;
  reader: CachedReader;
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /** Finds the names in texts. */
  namesIn(texts: readonly string[], signal: AbortSignal): Promise<string[][]>;
};

/** Claims that a review is compared with. */
const CANDIDATES = 32;

/** Reads reviews to vectors and names, and finds the claims that say what they are of. */
export async function readReviews(
  { store, claims, reader, embed, namesIn }: ReadDeps,
  reviews: readonly UnreadReview[],
  signal: AbortSignal,
): Promise<ReadReview[]> {
  const texts = reviews.map(({ claimText }) => claimText);
  const [vectors, passages, names] = await Promise.all([
    embed(texts, signal),
    reader.read("passage", texts, signal),
    namesIn(texts, signal),
  ]);
  await claims.sync();
  const read: ReadReview[] = [];
  for (const [i, review] of reviews.entries()) {
    const vector = signedBytesOf(vectors[i] ?? new Float32Array());
    const passage = passages[i];
    const own = names[i] ?? [];
    const facts = readFacts(review.claimText, own);
    const candidates = claims.near(vector, { least: LEAST_NEAR, count: CANDIDATES });
    const stored = await store.claims.byIds([...new Set(candidates.map(({ id }) => id))]);
    const near = stored.flatMap((claim) => {
      const agreement = compareFacts(facts, readFacts(claim.text, claim.names));
      const cos = cosine(vector, claim.vector);
      return agreement.conflict === undefined && cos >= LEAST_NEAR ? [{ claim, agreement, near: cos }] : [];
    });
    const queries = await reader.read(
      "query",
      near.map(({ claim }) => claim.text),
      signal,
    );
    const links = near.flatMap(({ claim, agreement, near: cos }, place) => {
      const query = queries[place];
      const similarity = similarityOf(agreement, { near: cos, read: query && passage && cosine(query, passage) });
      return isSame(agreement, similarity) ? [{ claimId: claim.claimId, similarity }] : [];
    });
    const vectorOfReader = passage === undefined ? new Int8Array() : signedBytesOf(passage);
    read.push({ ...review, names: own, vector, read: vectorOfReader, claims: links });
  }
  return read;
}
