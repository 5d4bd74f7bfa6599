import { createHash } from "node:crypto";
import type postgres from "postgres";
import { iso } from "./articles/columns.ts";
import { linkReviews } from "./claims/put.ts";
import { bytesOf, type FollowedVector, signedBytes } from "./claims/vectors.ts";
import type { Sql, Tx } from "./client.ts";
import { lockChanges } from "./log.ts";
import { modelNo } from "./models.ts";
import { repeating, transaction } from "./transaction.ts";
import { jsonText, storableText } from "./values.ts";

/** Says where a review comes from. */
type ReviewOrigin = "desk" | "import" | "crawl";

/** Says who made the claim, when, and where it appeared. */
export type ReviewItem = { name?: string | undefined; date?: string | undefined; appearances?: string[] | undefined };

/** A review as it is written; times are ISO 8601. */
export type ReviewInput = {
  claimId: number | null;
  claimText: string;
  lang: string;
  /** 1 (false) to 5 (true); null where it is neither. */
  rating: number | null;
  ratingText: string | null;
  url: string | null;
  publisher: string;
  publishedAt: string | null;
  item: ReviewItem | null;
};

/** A review as it is stored. */
export type Review = ReviewInput & {
  reviewId: number;
  origin: ReviewOrigin;
  createdAt: string;
  updatedAt: string;
};

const FIELDS = `review_id as "reviewId", claim_id as "claimId", claim_text as "claimText", lang, rating::int,
  rating_text as "ratingText", url, publisher, ${iso("published_at")} as "publishedAt", item, origin,
  ${iso("created_at")} as "createdAt", ${iso("updated_at")} as "updatedAt"`;

/** Makes the statements over reviews; `noting` is told of those that a client waits for. */
export function reviewStore(sql: Sql, noting: <T>(work: () => Promise<T>) => Promise<T>) {
  return {
    create: (inputs: readonly ReviewInput[], origin: ReviewOrigin) => noting(() => createReviews(sql, inputs, origin)),
    get: (reviewId: number) => repeating(() => getReview(sql, reviewId)),
    list: (query: ReviewQuery) => repeating(() => listReviews(sql, query)),
    change: (reviewId: number, change: Partial<ReviewInput>) => noting(() => changeReview(sql, reviewId, change)),
    remove: (reviewId: number) => noting(() => removeReview(sql, reviewId)),
    since: (page: { after: number; limit: number }) => repeating(() => reviewsSince(sql, page)),
    vectors: (modelId: string, page: { after: number; limit: number }) =>
      repeating(() => reviewVectors(sql, modelId, page)),
    readings: (reader: string, page: { after: number; limit: number }) =>
      repeating(() => readingVectors(sql, reader, page)),
    byIds: (ids: readonly number[], models: { embedder: string; reader: string }) =>
      repeating(() => reviewsByIds(sql, ids, models)),
    unread: (models: { embedder: string; reader: string }, limit: number) =>
      repeating(() => unreadReviews(sql, models, limit)),
    putRead: (models: { embedder: string; reader: string }, reviews: readonly ReadReview[]) =>
      putReadReviews(sql, models, reviews),
  };
}

/** Returns what makes two reviews the same one; undefined for one without an address. */
function sameKey({ url, claimText }: Pick<ReviewInput, "url" | "claimText">): Buffer | undefined {
  if (url === null) return undefined;
  return createHash("sha256").update(`${url}\n${claimText}`).digest();
}

/** Holds what became of a review: it is new, or was there already and stays as it is stored. */
type ReviewOutcome = { status: "created" | "existing"; review: Review };

/** Similarity of a review to the claim that its writer names. */
const NAMED_SIMILARITY = 1;

/**
 * Stores reviews, each once by its address and claim; one that is there already is returned as it is stored. Rejects a
 * claim that there is not: its numbers are returned. One idempotent transaction, but for reviews without an address.
 */
async function createReviews(
  sql: Sql,
  inputs: readonly ReviewInput[],
  origin: ReviewOrigin,
): Promise<{ outcomes: ReviewOutcome[]; unknownClaims: number[] }> {
  const work = async (tx: Tx): Promise<{ outcomes: ReviewOutcome[]; unknownClaims: number[] }> => {
    // In the order of all writers: the lock, then claims.
    await lockChanges(tx);
    const claimIds = [...new Set(inputs.flatMap(({ claimId }) => claimId ?? []))];
    const claims = await tx<{ id: number }[]>`
      select claim_id as id from claims where claim_id = any(${claimIds}::bigint[]) order by claim_id for key share`;
    const existing = new Set(claims.map(({ id }) => id));
    const unknownClaims = claimIds.filter((id) => !existing.has(id));
    if (unknownClaims.length > 0) return { outcomes: [], unknownClaims };
    const outcomes: ReviewOutcome[] = [];
    for (const input of inputs) outcomes.push(await createReview(tx, input, origin));
    return { outcomes, unknownClaims };
  };
  return await transaction(sql, work, { repeatable: inputs.every(({ url }) => url !== null) });
}

async function createReview(tx: Tx, input: ReviewInput, origin: ReviewOrigin): Promise<ReviewOutcome> {
  const review = { ...input, claimText: storableText(input.claimText) };
  const key = sameKey(review);
  if (key !== undefined) {
    const [same] = await tx<Review[]>`
      select ${tx.unsafe(FIELDS)} from reviews where same_key = ${key} and deleted_at is null`;
    if (same !== undefined) return { status: "existing", review: same };
  }
  const [created] = await tx<Review[]>`
    insert into reviews (seq, claim_id, claim_text, lang, rating, rating_text, url, publisher, published_at, item, origin, same_key)
    values (nextval('change_seq'), ${review.claimId}, ${review.claimText}, ${review.lang}, ${review.rating},
      ${nullable(review.ratingText)}, ${review.url}, ${storableText(review.publisher)}, ${review.publishedAt},
      ${itemText(review.item)}::text::jsonb, ${origin}, ${key ?? null})
    returning ${tx.unsafe(FIELDS)}`;
  if (created === undefined) throw new Error("a review that was stored is not returned");
  await linkNamed(tx, created);
  return { status: "created", review: created };
}

const nullable = (text: string | null): string | null => (text === null ? null : storableText(text));
const itemText = (item: ReviewItem | null): string | null => (item === null ? null : jsonText(item));

async function linkNamed(tx: Tx, { reviewId, claimId }: Review): Promise<void> {
  if (claimId === null) return;
  await linkReviews(tx, [{ claim_id: claimId, review_id: reviewId, similarity: NAMED_SIMILARITY }]);
}

/** Returns the review of this number, undefined when there is none. */
async function getReview(sql: Sql, reviewId: number): Promise<Review | undefined> {
  const [review] = await sql<Review[]>`
    select ${sql.unsafe(FIELDS)} from reviews where review_id = ${reviewId} and deleted_at is null`;
  return review;
}

/** Says which reviews are listed: newest first, those behind a number. */
type ReviewQuery = {
  before?: number | undefined;
  limit: number;
  publisher?: string | undefined;
  rating?: number | undefined;
  claimId?: number | undefined;
};

/** Lists reviews by descending number. */
async function listReviews(sql: Sql, query: ReviewQuery): Promise<Review[]> {
  const { before, limit, publisher, rating, claimId } = query;
  return await sql<Review[]>`
    select ${sql.unsafe(FIELDS)} from reviews where deleted_at is null
      ${before === undefined ? sql`` : sql`and review_id < ${before}`}
      ${publisher === undefined ? sql`` : sql`and publisher = ${publisher}`}
      ${rating === undefined ? sql`` : sql`and rating = ${rating}`}
      ${
        claimId === undefined
          ? sql``
          : sql`and review_id in (select review_id from claim_reviews where claim_id = ${claimId})`
      }
    order by review_id desc limit ${limit}`;
}

/**
 * Holds what became of a change: no such review, another one is the same as it would be, no such claim, or it is
 * changed.
 */
type ReviewChange = { status: "unknown" | "unknown-claim" | "conflict" } | { status: "changed"; review: Review };

/** Changes what is given of a review. A text that changes is read again, and compared with all claims. */
async function changeReview(sql: Sql, reviewId: number, change: Partial<ReviewInput>): Promise<ReviewChange> {
  const work = async (tx: Tx): Promise<ReviewChange> => {
    await lockChanges(tx);
    const [before] = await tx<Review[]>`
      select ${tx.unsafe(FIELDS)} from reviews where review_id = ${reviewId} and deleted_at is null for update`;
    if (before === undefined) return { status: "unknown" };
    const after = { ...before, ...change };
    if (change.claimId !== undefined && change.claimId !== null) {
      const [claim] = await tx`select from claims where claim_id = ${change.claimId} for key share`;
      if (claim === undefined) return { status: "unknown-claim" };
    }
    const key = sameKey(after);
    if (key !== undefined) {
      const [same] = await tx`
        select from reviews where same_key = ${key} and deleted_at is null and review_id <> ${reviewId}`;
      if (same !== undefined) return { status: "conflict" };
    }
    const isOther = after.claimText !== before.claimText;
    const [review] = await tx<Review[]>`
      update reviews set seq = nextval('change_seq'), claim_id = ${after.claimId}, claim_text = ${storableText(after.claimText)},
        lang = ${after.lang}, rating = ${after.rating}, rating_text = ${nullable(after.ratingText)}, url = ${after.url},
        publisher = ${storableText(after.publisher)}, published_at = ${after.publishedAt},
        item = ${itemText(after.item)}::text::jsonb, same_key = ${key ?? null}, updated_at = now()
        ${isOther ? tx`, model_no = null, vector = null, read_by = null, read_vector = null` : tx``}
      where review_id = ${reviewId} returning ${tx.unsafe(FIELDS)}`;
    if (review === undefined) return { status: "unknown" };
    if (isOther || after.claimId !== before.claimId) {
      await tx`
        delete from claim_reviews where review_id = ${reviewId} and (${isOther} or claim_id = ${before.claimId ?? 0})`;
      await linkNamed(tx, review);
    }
    return { status: "changed", review };
  };
  return await transaction(sql, work, { repeatable: true });
}

/** Deletes a review: its text goes, its row stays for those who follow. Returns whether there was one. */
async function removeReview(sql: Sql, reviewId: number): Promise<boolean> {
  return await transaction(
    sql,
    async (tx) => {
      await lockChanges(tx);
      const { count } = await tx`
        update reviews set seq = nextval('change_seq'), deleted_at = now(), updated_at = now(), claim_id = null, claim_text = '',
          rating_text = null, url = null, publisher = '', item = null, same_key = null, model_no = null, vector = null,
          read_by = null, read_vector = null
        where review_id = ${reviewId} and deleted_at is null`;
      if (count > 0) await tx`delete from claim_reviews where review_id = ${reviewId}`;
      return count > 0;
    },
    { repeatable: true },
  );
}

/** A change of a review as who follows the texts needs it: `text` is undefined where it is gone. */
type FollowedReview = { seq: number; reviewId: number; text: string | undefined; lang: string };

/** Returns up to `limit` reviews that were changed after a number of the log, in that order. */
async function reviewsSince(sql: Sql, { after, limit }: { after: number; limit: number }): Promise<FollowedReview[]> {
  const rows = await sql<(Omit<FollowedReview, "text"> & { text: string | null })[]>`
    select seq, review_id as "reviewId", lang, case when deleted_at is null then claim_text end as text
    from reviews where seq > ${after} order by seq limit ${limit}`;
  return rows.map(({ text, ...row }) => ({ ...row, text: text ?? undefined }));
}

/** Returns the same with the vectors that the model which reranks has read. */
async function readingVectors(
  sql: Sql,
  reader: string,
  { after, limit }: { after: number; limit: number },
): Promise<FollowedVector[]> {
  const rows = await sql<(Omit<FollowedVector, "vector"> & { vector: Buffer })[]>`
    select review_id as id, seq, read_vector as vector from reviews
    where seq > ${after} and read_by = ${reader} and read_vector is not null order by seq limit ${limit}`;
  return rows.map(({ vector, ...row }) => ({ ...row, vector: signedBytes(vector) }));
}

/** Returns up to `limit` reviews with vectors of this model that were changed after a number, in that order. */
async function reviewVectors(
  sql: Sql,
  modelId: string,
  { after, limit }: { after: number; limit: number },
): Promise<FollowedVector[]> {
  const model = await modelNo(sql, modelId);
  const rows = await sql<(Omit<FollowedVector, "vector"> & { vector: Buffer })[]>`
    select review_id as id, seq, vector from reviews
    where seq > ${after} and model_no = ${model} and vector is not null order by seq limit ${limit}`;
  return rows.map(({ vector, ...row }) => ({ ...row, vector: signedBytes(vector) }));
}

/** A review as it is compared with a text; `read` is its vector by the model that reranks, where that has read it. */
export type ComparedReview = Pick<
  Review,
  "reviewId" | "claimText" | "lang" | "rating" | "ratingText" | "publisher" | "url"
> & {
  names: string[];
  vector: Int8Array | undefined;
  read: Int8Array | undefined;
};

/** Returns those of these reviews that there are. */
async function reviewsByIds(
  sql: Sql,
  ids: readonly number[],
  { embedder, reader }: { embedder: string; reader: string },
): Promise<ComparedReview[]> {
  if (ids.length === 0) return [];
  const model = await modelNo(sql, embedder);
  const rows = await sql<(Omit<ComparedReview, "vector" | "read"> & { vector: Buffer | null; read: Buffer | null })[]>`
    select review_id as "reviewId", claim_text as "claimText", lang, rating::int, rating_text as "ratingText", publisher,
      url, names, case when model_no = ${model} then vector end as vector, case when read_by = ${reader} then read_vector end as read
    from reviews where review_id = any(${[...ids]}::bigint[]) and deleted_at is null`;
  return rows.map(({ vector, read, ...row }) => ({
    ...row,
    vector: vector === null ? undefined : signedBytes(vector),
    read: read === null ? undefined : signedBytes(read),
  }));
}

/** A review that the models have not read. */
export type UnreadReview = { reviewId: number; seq: number; claimText: string; lang: string };

/** Returns up to `limit` reviews that one of these models has not read. */
async function unreadReviews(
  sql: Sql,
  { embedder, reader }: { embedder: string; reader: string },
  limit: number,
): Promise<UnreadReview[]> {
  const model = await modelNo(sql, embedder);
  const some = (condition: postgres.PendingQuery<postgres.Row[]>) => sql`
    (select review_id, seq, claim_text, lang from reviews where deleted_at is null and ${condition} limit ${limit})`;
  const own = sql`(${model}::smallint, ${reader}::text)`;
  return await sql<UnreadReview[]>`
    select distinct review_id as "reviewId", seq, claim_text as "claimText", lang from (
      ${some(sql`read_by is null`)} union all ${some(sql`(model_no, read_by) < ${own}`)}
      union all ${some(sql`(model_no, read_by) > ${own}`)}
    ) as r order by 1 limit ${limit}`;
}

/** A review with its vectors, and the claims that say what it is of. */
export type ReadReview = UnreadReview & {
  names: readonly string[];
  vector: Int8Array;
  read: Int8Array;
  claims: readonly { claimId: number; similarity: number }[];
};

/** Stores what the models made of reviews that were not changed meanwhile. One idempotent transaction. */
async function putReadReviews(
  sql: Sql,
  { embedder, reader }: { embedder: string; reader: string },
  reviews: readonly ReadReview[],
): Promise<void> {
  if (reviews.length === 0) return;
  const model = await modelNo(sql, embedder);
  await transaction(
    sql,
    async (tx) => {
      await lockChanges(tx);
      for (const { reviewId, seq, names, vector, read, claims } of reviews) {
        const { count } = await tx`
          update reviews set seq = nextval('change_seq'), model_no = ${model}, vector = ${bytesOf(vector)}, names = ${names.map(storableText)}, read_by = ${reader},
            read_vector = ${bytesOf(read)}
          where review_id = ${reviewId} and seq = ${seq} and deleted_at is null`;
        if (count === 0) continue;
        await linkReviews(
          tx,
          claims.map(({ claimId, similarity }) => ({ claim_id: claimId, review_id: reviewId, similarity })),
        );
      }
    },
    { repeatable: true },
  );
}
