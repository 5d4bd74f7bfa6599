import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { claimDeps, createClaimMatcher, storeClaims, signedBytesOf } from "@isnad/lib/claims";
import {
  articleEntities,
  createClassifier,
  createEmbedder,
  createReranker,
  createTagger,
  type Embedder,
  openRegistry,
  type Reranker,
  type Tagger,
} from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import type { TaggedArticle } from "@isnad/lib/store";
import { admitItems, queueWork, testItem, testStage, testStore, type TestStore } from "@isnad/lib/store/testing";
import { readNewsroom } from "../cli/demo/site.ts";
import { type Figure, quantile } from "./rounds.ts";

const ARTICLES = 400;
const WARM_UP = 80;
const COST_AIM_MS = 25;
const REVIEWS = 100_000;
const TEXTS = 200;
const MATCH_AIM_MS = 60;
const CLAIMS = 1_000_000;
const OF_ARTICLE = 5;
const LISTS = 40;
const DAY_MS = 86_400_000;
const LIST_AIM_MS = 50;

const { signal: never } = new AbortController();

type Models = { embedder: Embedder; reranker: Reranker; tagger: Tagger };

/**
 * Measures what claims cost: processor time of the stage, a match against many reviews, and a list of a day among many
 * claims; reviews and claims are made by statements.
 */
export async function claims(): Promise<Figure[]> {
  const registry = openRegistry();
  const models = {
    embedder: await createEmbedder({ registry, maxQueue: REVIEWS, timeoutMs: 600_000 }),
    reranker: await createReranker({ registry, timeoutMs: 600_000 }),
    tagger: await createTagger({ registry }),
  };
  const database = await testStore();
  try {
    return [await stageCost(database, models), await matchTime(database, models), ...(await listTimes(database))];
  } finally {
    await Promise.all([models.embedder.close(), models.reranker.close(), models.tagger.close()]);
    await database.close();
  }
}

/** Sentences of the newsroom of the demo, in both languages. */
function sentencesOfNews(): string[] {
  return readNewsroom().flatMap(({ content }) => content.split(/(?<=[.!?؟])\s+/));
}

/** Measures the processor time of the stage for an article; its claims are compared with those before. */
async function stageCost({ store, sql }: TestStore, { embedder, reranker, tagger }: Models): Promise<Figure> {
  const classifier = await createClassifier({ registry: openRegistry(), threads: 1, timeoutMs: 600_000 });
  const news = readNewsroom();
  const items = Array.from({ length: ARTICLES }, (_, i) => {
    const { title, content } = at(news, i % news.length);
    const own = i < news.length ? content : content.replace(/\d+/g, (digits) => String(Number(digits) + i));
    return testItem({ title, content: own, lang: /[\u0600-\u06ff]/.test(content) ? "ar" : "en" });
  });
  const ids = await admitItems(store, items);
  await sql`update articles set state = 'indexed'`;
  const texts = await store.articles.byIds(ids, ["articleId", "title", "content"]);
  const named: TaggedArticle[] = [];
  for (const article of texts) {
    const [title = [], content = []] = await tagger.tag([article.title, article.content]);
    named.push({ articleId: article.articleId, entities: articleEntities(article, { title, content }) });
  }
  await store.entities.put(named, { modelId: tagger.modelId });
  await queueWork(sql, "claims", ids);
  const work = testStage(store, "claims");
  const deps = claimDeps({ store, embedder, classifier, encoder: reranker.encoder });
  if (deps === undefined) throw new Error("the models of claims are missing");
  let before = process.cpuUsage();
  let count = 0;
  for (let done = 0; done < ids.length; ) {
    if (done < WARM_UP) [before, count] = [process.cpuUsage(), 0];
    const batch = await work.claim({ owner: "bench", leaseS: 600, limit: 16 });
    if (batch.length === 0) break;
    await storeClaims(
      deps,
      batch.map(({ articleId }) => articleId),
      { signal: never, step: work.step("bench") },
    );
    done += batch.length;
    count += batch.length;
  }
  const used = process.cpuUsage(before);
  await classifier.close();
  const [row] = await sql`select count(*)::int as claims from claims`;
  return {
    name: "claims: ms of processor time for an article",
    value: (used.user + used.system) / 1000 / Math.max(1, count),
    bound: { atMost: COST_AIM_MS },
    detail: `${count} articles after ${ARTICLES - count} others, ${row?.claims ?? 0} claims; the database's own time is not counted`,
  };
}

/** Measures a match against reviews of sentences with changing numbers. */
async function matchTime({ store, sql }: TestStore, models: Models): Promise<Figure> {
  const sentences = sentencesOfNews();
  const texts = Array.from(
    { length: REVIEWS },
    (_, i) => `${at(sentences, i % sentences.length)} ${i} ${(i * 7919) % 100_003}`,
  );
  const reads = (await models.reranker.encoder?.read(sentences.map((text) => ({ kind: "passage", text })))) ?? [];
  await sql`insert into embedding_models (model_id) values (${models.embedder.modelId}) on conflict do nothing`;
  const [model] = await sql`select model_no as no from embedding_models where model_id = ${models.embedder.modelId}`;
  for (let start = 0; start < REVIEWS; start += 1_000) {
    const some = texts.slice(start, start + 1_000);
    const vectors = (await models.embedder.embed(some, "passage")).map(signedBytesOf);
    const rows = some.map((claim_text, i) => ({ claim_text, place: (start + i) % sentences.length, n: i }));
    const bytes = Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer)));
    const readBytes = Buffer.concat(rows.map(({ place }) => Buffer.from(signedBytesOf(at(reads, place)).buffer)));
    const [size, readSize] = [bytes.length / some.length, readBytes.length / some.length];
    await sql`
      insert into reviews (seq, claim_text, lang, rating, publisher, origin, model_no, vector, read_by, read_vector)
      select nextval('change_seq'), claim_text, 'en', 1, 'Desk', 'import', ${model?.no ?? 1},
        substring(${bytes}::bytea from n * ${size}::int + 1 for ${size}::int), ${models.reranker.encoder?.modelId ?? ""},
        substring(${readBytes}::bytea from n * ${readSize}::int + 1 for ${readSize}::int)
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (claim_text text, n int)`;
  }
  const dir = await mkdtemp(join(tmpdir(), "isnad-bench-claims-"));
  const { embedder, reranker, tagger } = models;
  const matcher = createClaimMatcher({ store, dir, embedder, encoder: reranker.encoder, tagger });
  const times: number[] = [];
  for (let i = 0; i < TEXTS; i++) {
    const text = `${at(sentences, (i * 13) % sentences.length)
      .split(" ")
      .slice(1)
      .join(" ")} ${i}`;
    const start = performance.now();
    await matcher.match({ texts: [text], k: 5 }, never);
    if (i >= 10) times.push(performance.now() - start);
  }
  await matcher.close();
  await rm(dir, { recursive: true, force: true });
  return {
    name: `claims: ms for a match against ${REVIEWS.toLocaleString("en")} reviews, p95`,
    value: quantile(times, 0.95),
    bound: { atMost: MATCH_AIM_MS },
    detail: `p50 ${quantile(times, 0.5).toFixed(1)} ms`,
  };
}

/** Measures the list of a day, ordered as clients may ask for it. */
async function listTimes({ store, sql }: TestStore): Promise<Figure[]> {
  await sql`truncate claims, reviews, articles, article_pairs cascade`;
  await sql.unsafe(`set statement_timeout = 0;
    alter table articles disable trigger all; alter table claims disable trigger all; alter table claim_mentions disable trigger all;
    insert into articles (source_id, external_id, url, canonical_url, domain, title, content, content_hash, state, published_at, lang)
      select 's' || i % 40, 'e' || i, 'http://a/' || i, 'http://a/' || i, 'a', 'T ' || i, repeat('Bread rose to ' || i || '. ', 20),
        decode(md5(i::text), 'hex'), 'indexed', timestamptz '2024-01-01' + i * interval '43 seconds', 'en'
      from generate_series(1, ${CLAIMS / OF_ARTICLE}) i;
    insert into claims (claim_id, seq, text, lang, article_id, terms, names, model_no, vector, score, articles, sources, first_at, last_at)
      overriding system value
      select article_id * ${OF_ARTICLE} + n, article_id * ${OF_ARTICLE} + n, 'Bread rose', 'en', article_id,
        array['bread', 'w' || article_id % 5000], '{}',
        (select min(model_no) from embedding_models), decode(repeat(md5(n::text), 16), 'hex'), .5 + random() / 2,
        case when random() < .05 then 2 + (random() * 20)::int else 1 end, 1, published_at, published_at
      from articles, generate_series(0, ${OF_ARTICLE - 1}) n;
    insert into claim_mentions (article_id, start_offset, end_offset, claim_id, score, lang, source_id, at)
      select c.article_id, c.claim_id % ${OF_ARTICLE} * 20, c.claim_id % ${OF_ARTICLE} * 20 + 19, c.claim_id, c.score, 'en', 's', c.last_at
      from claims c;
    analyze`);
  const figures: Figure[] = [];
  for (const sort of ["score", "newest", "repeats"] as const) {
    const times: number[] = [];
    for (let i = 0; i < LISTS; i++) {
      const from = Date.parse("2024-01-05") + i * DAY_MS;
      const start = performance.now();
      await store.claims.list({ from, to: from + DAY_MS - 1, sort, limit: 20 });
      times.push(performance.now() - start);
    }
    figures.push({
      name: `claims: ms for the list of a day by ${sort} among ${CLAIMS.toLocaleString("en")} claims, p95`,
      value: quantile(times, 0.95),
      bound: { atMost: LIST_AIM_MS },
      detail: `10,000 sentences a day, p50 ${quantile(times, 0.5).toFixed(1)} ms`,
    });
  }
  return figures;
}
