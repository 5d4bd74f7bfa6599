import { afterAll, afterEach, describe, expect, test } from "bun:test";
import type { ClaimBatch, ClaimQuery, NewClaim, NewMention, ReviewInput } from "../mod.ts";
import { admitItems, queueWork, testItem, testStage, testStore } from "../testing.ts";

const { store, sql, close } = await testStore();
afterAll(close);
afterEach(async () => {
  await sql`truncate articles, article_pairs, claims, reviews, work, outbox, stories cascade`;
});

const PUT = { embedder: "test@1", classifier: "check@1" };
const DAY = { from: Date.parse("2024-05-06T00:00:00Z"), to: Date.parse("2024-05-06T23:59:59Z") };

const claim = (text: string, over: Partial<NewClaim> = {}): NewClaim => ({
  ...{ text, lang: "en", terms: text.toLowerCase().split(" "), names: [], reviews: [] },
  vector: Int8Array.from({ length: 64 }, (_, i) => ((i * text.length) % 250) - 125),
  ...over,
});

const mention = (over: Partial<NewMention> = {}): NewMention => ({
  ...{ start: 0, end: 7, score: 0.8, lang: "en", speaker: undefined, claim: { place: 0 } },
  ...over,
});

/** Admits indexed articles of these texts, all but the first of sources of their own. */
async function articles(...texts: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const [i, content] of texts.entries()) {
    ids.push(...(await admitItems(store, [testItem({ content, sourceId: `source-${i}` })])));
  }
  await sql`update articles set state = 'indexed'`;
  await sql`truncate work`;
  return ids;
}

const lastSeq = async (): Promise<number> => (await sql`select coalesce(max(seq), 0) as seq from claims`)[0]?.seq ?? 0;
const put = async (batch: ClaimBatch, after?: number) =>
  await store.claims.put(batch, { ...PUT, after: after ?? (await lastSeq()) });
const list = (over: Partial<ClaimQuery> = {}) => store.claims.list({ sort: "score", limit: 10, ...over });
const idsOf = async (over: Partial<ClaimQuery> = {}) => (await list(over)).map(({ claimId }) => claimId);

/** Stores one claim an article, each new. */
async function newClaims(ids: readonly number[], over: (i: number) => Partial<NewMention> = () => ({})) {
  await put({
    articles: ids.map((articleId, i) => ({ articleId, mentions: [mention({ claim: { place: i }, ...over(i) })] })),
    claims: ids.map((id) => claim(`Claim of ${id}`)),
  });
}

async function reviewOf(over: Partial<ReviewInput> = {}): Promise<number> {
  const input = { claimId: null, claimText: "It fell", lang: "en", rating: 1, ratingText: null, url: null };
  const { outcomes } = await store.reviews.create(
    [{ ...input, publisher: "Desk", publishedAt: null, item: null, ...over }],
    "desk",
  );
  return outcomes[0]?.review.reviewId ?? 0;
}

describe("claims", () => {
  test("are kept with the words of their article, and counted over articles and sources", async () => {
    const [first = 0, second = 0] = await articles("It fell by five.", "Prices: It fell by 5.");
    const speaker = { name: "Sara", start: 0, end: 2, entityId: 4 };
    await put({ articles: [{ articleId: first, mentions: [mention({ speaker })] }], claims: [claim("It fell")] });
    const [{ claimId } = { claimId: 0 }] = await list();
    await put({
      articles: [{ articleId: second, mentions: [mention({ start: 8, end: 15, score: 0.9, claim: { id: claimId } })] }],
      claims: [],
    });
    expect(await list()).toMatchObject([
      { claimId, text: "It fell", start: 8, end: 15, articleId: second, articles: 2, sources: 2, withdrawn: false },
    ]);
    expect((await list({ articleId: first }))[0]).toMatchObject({ text: "It fell", speaker, articles: 2 });
    expect((await list())[0]?.score).toBeCloseTo(0.9);
  });

  test("are compared again where somebody stored a newer one, or one is gone that is named", async () => {
    const [first = 0, second = 0] = await articles("It fell by five.", "It fell again.");
    await newClaims([first]);
    expect(await put({ articles: [{ articleId: second, mentions: [mention()] }], claims: [claim("x")] }, 0)).toBe(
      "behind",
    );
    const gone = { articles: [{ articleId: second, mentions: [mention({ claim: { id: 12345 } })] }], claims: [] };
    expect(await put(gone)).toBe("behind");
    expect(await list()).toHaveLength(1);
  });

  test("end the step of their articles with what is stored, and only of those that are held", async () => {
    const [held = 0, lost = 0] = await articles("It fell by five.", "It fell again.");
    await queueWork(sql, "claims", [held]);
    const stage = testStage(store, "claims");
    await stage.claim({ owner: "me", leaseS: 60, limit: 5 });
    const batch = {
      articles: [held, lost].map((articleId, place) => ({ articleId, mentions: [mention({ claim: { place } })] })),
      claims: [claim("one"), claim("two")],
    };
    expect(await store.claims.put(batch, { ...PUT, after: 0, step: stage.step("me") })).toEqual([held]);
    expect((await list()).map(({ articleId }) => articleId)).toEqual([held]);
    expect(await stage.backlog()).toEqual({ waiting: 0, setAside: 0 });
  });

  test("of an article that is read again take the place of those before", async () => {
    const [only = 0] = await articles("It fell by five.");
    await newClaims([only]);
    await newClaims([only], () => ({ start: 3, end: 7 }));
    expect(await list()).toMatchObject([{ text: "fell", start: 3 }]);
    expect(await sql`select from claims`).toHaveLength(1);
  });

  test("go with their article, and are shown by the next one that makes them", async () => {
    const [first = 0, second = 0] = await articles("It fell by five.", "So it fell, they say.");
    await newClaims([first]);
    const [{ claimId } = { claimId: 0 }] = await list();
    const again = mention({ start: 3, end: 10, claim: { id: claimId } });
    await put({ articles: [{ articleId: second, mentions: [again] }], claims: [] });
    await store.articles.remove(first);
    expect(await list()).toMatchObject([{ claimId, text: "it fell", articles: 1 }]);
    expect(await store.claims.stale("test@1", 10)).toEqual([{ claimId, text: "it fell" }]);
    await store.articles.remove(second);
    expect(await list()).toEqual([]);
    expect(await sql`select from claims`).toHaveLength(0);
  });

  test("go with a text that changes, which is queued to be read again", async () => {
    const [only = 0] = await articles("It fell by five.");
    await newClaims([only]);
    await sql`update articles set content = 'It rose.'`;
    expect(await list()).toEqual([]);
    expect(await testStage(store, "claims").backlog()).toEqual({ waiting: 1, setAside: 0 });
  });

  test("whose text or model is another one are made again, and followed again", async () => {
    const [only = 0] = await articles("It fell by five.");
    await newClaims([only]);
    const before = await lastSeq();
    const [stale] = await store.claims.stale("other@1", 10);
    expect(stale).toMatchObject({ text: `Claim of ${only}` });
    if (stale === undefined) throw new Error("none is stale");
    const vector = new Int8Array(64).fill(9);
    await store.claims.renew("other@1", [{ ...stale, terms: ["new"], vector }]);
    expect(await store.claims.stale("other@1", 10)).toEqual([]);
    expect(await store.claims.vectors("other@1", { after: before, limit: 9 })).toMatchObject([
      { id: stale.claimId, vector },
    ]);
    expect(await idsOf({ words: [["new"]] })).toEqual([stale.claimId]);
  });

  test("of an archive are queued once, behind what comes in, but not of articles that wait for their entities", async () => {
    const [read = 0, waits = 0, unread = 0] = await articles("It fell by five.", "It fell again.", "It rose.");
    await newClaims([read]);
    await queueWork(sql, "entities", [waits]);
    const stretch = { below: Number.MAX_SAFE_INTEGER, limit: 10 };
    expect(await store.claims.enlist(stretch)).toEqual({ lastId: read, enlisted: 1 });
    expect(await store.claims.enlist(stretch)).toEqual({ lastId: read, enlisted: 0 });
    expect(await store.claims.enlist({ below: read, limit: 10 })).toEqual({ lastId: undefined, enlisted: 0 });
    expect([...(await sql`select article_id as id, priority from work where stage = 'claims'`)]).toEqual([
      { id: unread, priority: -1 },
    ]);
  });
});

describe("a refuted claim that comes back", () => {
  const events = async () =>
    (await sql`select subject, article_id as id, data from outbox where type = 'claim.repeated' order by event_id`).map(
      ({ subject, id, data }) => ({ subject, id, data }),
    );

  test("has an event for each article that makes it after the review, and for none that made it before", async () => {
    const [first = 0, second = 0] = await articles("It fell by five.", "So it fell, they say.");
    await newClaims([first]);
    const claimId = (await list())[0]?.claimId ?? 0;
    const review = await reviewOf({ claimId, rating: 2, publishedAt: "2024-05-01T00:00:00Z" });
    await reviewOf({ claimId, rating: 4, publishedAt: "2024-05-01T00:00:00Z" });
    const again = mention({ start: 3, end: 10, claim: { id: claimId } });
    const saved = { name: "n", query: { claims: "refuted" }, minSimilarity: null, active: true, webhook: null };
    await store.searches.create({ ...saved, digest: "none", ofEntities: false, ofClaims: true });
    await put({ articles: [{ articleId: second, mentions: [again] }], claims: [] });
    await put({ articles: [{ articleId: second, mentions: [again] }], claims: [] });
    expect([...(await sql`select article_id as id, refuted from search_rechecks`)]).toEqual([
      { id: second, refuted: true },
    ]);
    expect(await events()).toEqual([
      {
        subject: `claim:${claimId}`,
        id: second,
        data: {
          claim: { claim_id: claimId, lang: "en", text: "it fell", offsets: { start: 3, end: 10 }, articles: 2 },
          reviews: [{ review_id: review, rating: 2, publisher: "Desk", url: null }],
        },
      },
    ]);
  });

  test("has none in an article from before the review, which an archive is full of", async () => {
    const [first = 0, second = 0] = await articles("It fell by five.", "So it fell, they say.");
    await newClaims([first]);
    const claimId = (await list())[0]?.claimId ?? 0;
    await reviewOf({ claimId, publishedAt: "2024-05-07T00:00:00Z" });
    const again = mention({ start: 3, end: 10, claim: { id: claimId } });
    await put({ articles: [{ articleId: second, mentions: [again] }], claims: [] });
    expect(await events()).toEqual([]);
  });
});

describe("a list of claims", () => {
  test("is ordered by score, by time or by repeats, and goes on behind a claim", async () => {
    const ids = await articles("It fell by five.", "It fell again.", "It rose today.");
    await newClaims(ids, (i) => ({ score: [0.5, 0.9, 0.7][i] ?? 0 }));
    await sql`update claim_mentions set at = timestamptz '2024-05-06' + article_id * interval '1 minute'`;
    await sql`select recount_claims(array(select claim_id from claims))`;
    const [a = 0, b = 0, c = 0] = (await sql`select claim_id as id from claims order by 1`).map(({ id }) => Number(id));
    for (const over of [{}, DAY]) {
      expect(await idsOf(over)).toEqual([b, c, a]);
      expect(await idsOf({ sort: "newest", ...over })).toEqual([c, b, a]);
      expect(await idsOf({ sort: "repeats", ...over })).toEqual([c, b, a]);
      for (const sort of ["score", "newest", "repeats"] as const) {
        const [first, second, third] = await list({ sort, ...over });
        const after = { value: first?.value ?? "", id: first?.claimId ?? 0 };
        expect(await idsOf({ sort, ...over, after })).toEqual([second?.claimId ?? 0, third?.claimId ?? 0]);
      }
    }
  });

  test("holds what passes every condition", async () => {
    const ids = await articles("It fell by five.", "It fell again.");
    await newClaims(ids, (i) => ({ lang: ["en", "ar"][i] ?? "" }));
    const [first = 0, second = 0] = (await sql`select claim_id as id from claims order by 1`).map(({ id }) =>
      Number(id),
    );
    const [entity] = await sql`insert into entities (name, name_key) values ('Sara', 'sara') returning entity_id as id`;
    await sql`insert into article_entities (article_id, entity_id, tagged) values (${ids[1] ?? 0}, ${entity?.id ?? 0}, true)`;
    expect(await idsOf({ lang: "ar" })).toEqual([second]);
    expect(await idsOf({ source: "source-0" })).toEqual([first]);
    expect(await idsOf({ from: DAY.to })).toEqual([]);
    expect(await idsOf({ to: DAY.from })).toEqual([]);
    expect(await idsOf({ ...DAY, lang: "en" })).toEqual([first]);
    expect(await idsOf({ words: [["claim"], [String(ids[0])]] })).toEqual([first]);
    expect(await idsOf({ words: [["claim"], ["nothing", String(ids[1])]], ...DAY })).toEqual([second]);
    expect(await idsOf({ entity: { id: undefined, key: "sara" } })).toEqual([second]);
    expect(await idsOf({ entity: { id: Number(entity?.id), key: "?" } })).toEqual([second]);
    await sql`insert into stories (story_id) overriding system value values (7)`;
    await sql`insert into stories (story_id, merged_into) overriding system value values (5, 7)`;
    await sql`
      insert into story_articles (article_id, story_id, at, version, stems, keys, traits)
      values (${ids[1] ?? 0}, 7, now(), 1, '{}', '{}', '')`;
    for (const storyId of [5, 7]) expect(await idsOf({ storyId })).toEqual([second]);
    expect(await idsOf({ storyId: 8 })).toEqual([]);
    await reviewOf({ claimId: first });
    expect(await idsOf({ reviewed: true })).toEqual([first]);
    expect(await idsOf({ reviewed: false, ...DAY })).toEqual([second]);
  });

  test("shows reviews, and what a source does not say any more", async () => {
    const [first = 0, second = 0, third = 0] = await articles("It fell by five.", "It fell again.", "It fell too.");
    await newClaims([first, second, third]);
    const pairs = await sql<{ source: string; external: string; id: number }[]>`
      select source_id as source, external_id as external, article_id as id from article_pairs`;
    const of = (id: number) => pairs.find((pair) => pair.id === id);
    const report = (id: number) => ({
      sourceId: of(id)?.source ?? "",
      externalId: of(id)?.external ?? "",
      requestId: "r",
      url: null,
    });
    await store.revisions.record({ kind: "deleted_at_source", ...report(first) });
    const changed = { kind: "changed" as const, title: "T", contentHash: "00" };
    await store.revisions.record({ ...changed, content: "It rose again.", ...report(second) });
    await store.revisions.record({ ...changed, contentHash: "01", content: "Today It fell too.", ...report(third) });
    const shown = new Map((await list()).map(({ articleId, withdrawn }) => [articleId, withdrawn]));
    expect(shown).toEqual(
      new Map([
        [first, true],
        [second, true],
        [third, false],
      ]),
    );
    const claimId = (await list({ articleId: first }))[0]?.claimId ?? 0;
    const review = await reviewOf({ claimId, rating: 2, url: "https://r.example" });
    expect((await list({ articleId: first }))[0]?.reviews).toEqual([
      { reviewId: review, rating: 2, ratingText: null, publisher: "Desk", url: "https://r.example", similarity: 1 },
    ]);
    expect(await store.claims.appearances(review, 5)).toMatchObject([{ title: expect.any(String) }]);
  });
});

describe("a review", () => {
  test("is stored once by its address and claim", async () => {
    const url = "https://r.example/1";
    const first = await reviewOf({ url });
    expect(await reviewOf({ url, rating: 5 })).toBe(first);
    expect((await store.reviews.get(first))?.rating).toBe(1);
    expect(await reviewOf({ url, claimText: "It rose" })).not.toBe(first);
    expect(await reviewOf()).not.toBe(await reviewOf());
    expect((await store.reviews.create([{ ...(await stored(first)), claimId: 99 }], "desk")).unknownClaims).toEqual([
      99,
    ]);
  });

  test("that is changed is read again where its text is another one", async () => {
    const id = await reviewOf({ url: "https://r.example/1" });
    const models = { embedder: "test@1", reader: "read@1" };
    const read = async () => {
      const unread = await store.reviews.unread(models, 10);
      const vector = new Int8Array(64).fill(3);
      await store.reviews.putRead(
        models,
        unread.map((review) => ({ ...review, names: ["Sara"], vector, read: vector, claims: [] })),
      );
      return unread.length;
    };
    expect(await read()).toBe(1);
    await store.reviews.change(id, { rating: 4 });
    expect(await read()).toBe(0);
    expect(await store.reviews.byIds([id], models)).toMatchObject([{ names: ["Sara"], rating: 4 }]);
    await store.reviews.change(id, { claimText: "It rose" });
    expect(await read()).toBe(1);
    expect(await store.reviews.unread({ ...models, reader: "other" }, 10)).toHaveLength(1);
    const other = await reviewOf({ url: "https://r.example/1" });
    expect(await store.reviews.change(other, { claimText: "It rose" })).toEqual({ status: "conflict" });
    expect(await store.reviews.change(other, { claimId: 77 })).toEqual({ status: "unknown-claim" });
  });

  test("that was changed while it was read is read again", async () => {
    const id = await reviewOf();
    const models = { embedder: "test@1", reader: "read@1" };
    const [unread] = await store.reviews.unread(models, 10);
    await store.reviews.change(id, { claimText: "It rose" });
    const vector = new Int8Array(64).fill(3);
    if (unread !== undefined)
      await store.reviews.putRead(models, [{ ...unread, names: [], vector, read: vector, claims: [] }]);
    expect(await store.reviews.unread(models, 10)).toMatchObject([{ claimText: "It rose" }]);
  });

  test("that is deleted leaves its claim and its text, and who follows hears of it", async () => {
    const [only = 0] = await articles("It fell by five.");
    await newClaims([only]);
    const claimId = (await list())[0]?.claimId ?? 0;
    const id = await reviewOf({ claimId, url: "https://r.example/1" });
    const [before] = await store.reviews.since({ after: 0, limit: 10 });
    expect(await store.reviews.remove(id)).toBe(true);
    expect(await store.reviews.remove(id)).toBe(false);
    expect((await list())[0]?.reviews).toEqual([]);
    expect(await store.reviews.since({ after: before?.seq ?? 0, limit: 10 })).toMatchObject([
      { reviewId: id, text: undefined },
    ]);
    expect(await reviewOf({ url: "https://r.example/1" })).not.toBe(id);
  });
});

async function stored(id: number): Promise<ReviewInput> {
  const review = await store.reviews.get(id);
  if (review === undefined) throw new Error(`there is no review ${id}`);
  return review;
}
