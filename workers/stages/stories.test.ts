import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { reportOf, STORY_RULES } from "@isnad/lib/stories";
import { admitItems, queueWork, testItem, testStage, testStore } from "@isnad/lib/store/testing";
import { rerank } from "./rerank.ts";
import { stories } from "../stages.ts";

setDefaultTimeout(300_000);

const { store, sql, close, another } = await testStore();
const stage = stories({ store });
const work = testStage(store, "stories");
afterAll(close);

beforeEach(async () => {
  await store.articles.removeBefore("9999-01-01T00:00:00Z");
  await sql`delete from outbox`;
});

type News = { title: string; content: string; lang?: string; hour?: number; sourceId?: string };

const FERRY: News[] = [
  {
    title: "Ferry sinks off Sulawesi with 74 aboard",
    content:
      "An Indonesian ferry with 74 people aboard sank in rough seas off Sulawesi on Tuesday. The rescue agency Basarnas saved 49 people and looks for 25 others near Kendari.",
  },
  {
    title: "Indonesian ferry sinks off Sulawesi, 25 missing",
    content:
      "Rescuers of the agency Basarnas were looking for 25 people after an Indonesian ferry sank off Sulawesi in rough seas. Of 74 people aboard the ferry from Kendari 49 were saved.",
  },
  {
    title: "Search for 25 missing after Sulawesi ferry sinking",
    content:
      "The search went on for 25 people of a ferry that sank off Sulawesi, Indonesia, Basarnas said. The ferry had left Kendari with 74 people; 49 were saved.",
  },
];
const DERBY: News = {
  title: "Raja beat Wydad with late header in Casablanca derby",
  content:
    "Raja Casablanca beat rivals Wydad 2-1 with a header by Yassine Belhaj in stoppage time. Wydad ended the derby with ten men at the Mohammed V stadium.",
};
const DERBY_AGAIN: News = {
  title: "Belhaj header gives Raja the Casablanca derby against Wydad",
  content:
    "A header by Yassine Belhaj in stoppage time gave Raja a 2-1 win over Wydad in the Casablanca derby at the Mohammed V stadium. Wydad had ten men.",
};

/** Stores articles and queues them for the stage. */
async function arrive(...news: News[]): Promise<number[]> {
  const ids: number[] = [];
  for (const { hour = 0, lang = "en", ...item } of news) {
    const publishedAt = new Date(Date.UTC(2024, 2, 5, hour)).toISOString();
    ids.push(...(await admitItems(store, [testItem({ lang, publishedAt, ...item })])));
  }
  await sql`update articles set state = 'indexed' where article_id = any(${ids}::bigint[])`;
  await queueWork(sql, "stories", ids);
  return ids;
}

let owner = 0;

/** Runs the stage over all that waits, so many articles at a time. */
async function tell(limit = 100, on = stage): Promise<void> {
  for (;;) {
    const name = `o${owner++}`;
    const items = await work.claim({ owner: name, leaseS: 3_600, limit });
    if (items.length === 0) return;
    await on.run?.(items, { signal: new AbortController().signal, step: work.step(name) });
  }
}

const storyOf = async (id: number): Promise<number | undefined> => (await store.stories.idsOf([id])).get(id);
const storiesOf = async (ids: readonly number[]) => {
  const stories = await store.stories.idsOf(ids);
  return ids.map((id) => stories.get(id));
};
const events = async () =>
  (
    await sql<
      { type: string; data: unknown }[]
    >`select type, data from outbox where type like 'story.%' order by event_id`
  ).map(({ type, data }) => ({ type, data }));

/** Takes down that the source of an article tells it otherwise now. */
async function revise(id: number, { title, content }: News): Promise<void> {
  const { sourceId = "", externalId = "" } = (await store.articles.get(id)) ?? {};
  const pair = { sourceId, externalId, requestId: null, url: null };
  await store.revisions.record({ ...pair, kind: "changed", title, content, contentHash: "ab".repeat(32) });
}

/** Rows that belong to articles which are not there. */
const left = async () =>
  await sql`
    select 'key' from story_keys where article_id not in (select article_id from story_articles)
    union all select 'link' from story_links
      where article_id not in (select article_id from story_articles) or other_id not in (select article_id from story_articles)
    union all select 'article' from story_articles where article_id not in (select article_id from articles)
    union all select 'story' from stories s where merged_into is null
      and size is distinct from (select count(*) from story_articles m where m.story_id = s.story_id)
    union all select 'empty' from stories where merged_into is null and size = 0`;

test("reports of one event are one story, others are not of it, and the stage ends", async () => {
  const ids = await arrive(...FERRY, DERBY);
  await tell();
  const [a, b, c, derby] = await storiesOf(ids);
  expect(a).toBeGreaterThan(0);
  expect([b, c]).toEqual([a, a]);
  expect(derby).not.toBe(a);
  expect((await work.backlog()).waiting).toBe(0);
  const story = await store.stories.get(a ?? 0);
  expect(story).toMatchObject({ size: 3, languages: ["en"], mergedInto: null });
  expect(story?.articles.map(({ articleId }) => articleId)).toEqual(ids.slice(0, 3));
  expect(await left()).toHaveLength(0);
});

test("a story is told of from its second article on, and when it changes", async () => {
  await arrive(FERRY[0] ?? DERBY, DERBY);
  await tell();
  expect(await events()).toEqual([]);
  const [second = 0] = await arrive(FERRY[1] ?? DERBY);
  await tell();
  const storyId = await storyOf(second);
  const told = { story_id: storyId, size: 2, languages: ["en"] };
  expect(await events()).toMatchObject([{ type: "story.created", data: { story: told } }]);
  await arrive(FERRY[2] ?? DERBY);
  await tell();
  expect((await events()).at(-1)).toMatchObject({ type: "story.updated", data: { story: { ...told, size: 3 } } });
  await store.stories.enlist({ afterId: 0, limit: 100, version: 0, again: true });
  await tell();
  expect(await events()).toHaveLength(2);
});

test("reports more than two days apart are of two stories", async () => {
  const [first, ...others] = FERRY;
  const ids = await arrive({ ...(first ?? DERBY) }, ...others.map((news) => ({ ...news, hour: 60 })));
  await tell();
  const [a, b, c] = await storiesOf(ids);
  expect(b).toBe(c);
  expect(a).not.toBe(b);
});

test("a late report joins two stories; the one that ended answers with its successor", async () => {
  // Three days between them: nothing joins the two before the report of the day between comes.
  const [first, second, third] = await arrive(
    { ...(FERRY[0] ?? DERBY), hour: 0 },
    { ...(FERRY[1] ?? DERBY), hour: 70 },
    { ...(FERRY[2] ?? DERBY), hour: 71 },
  );
  await tell();
  const [early, late] = await storiesOf([first ?? 0, second ?? 0]);
  expect(early).not.toBe(late);
  await arrive({ title: "Sulawesi ferry sinking: 25 missing, 49 saved", content: FERRY[0]?.content ?? "", hour: 35 });
  await tell();
  expect(await storiesOf([first ?? 0, second ?? 0, third ?? 0])).toEqual([late, late, late]);
  expect(await store.stories.get(early ?? 0)).toMatchObject({ storyId: late, mergedInto: late, size: 4 });
  expect((await events()).map(({ type }) => type)).toEqual(["story.created", "story.updated"]);
  expect(await left()).toHaveLength(0);
});

test("told apart anew, stories keep their numbers, whatever the order and however many at a time", async () => {
  const news = [...FERRY, DERBY, DERBY_AGAIN];
  const ids = await arrive(...news);
  await tell(1);
  const before = await storiesOf(ids);
  await store.stories.enlist({ afterId: 0, limit: 100, version: 0, again: true });
  await tell(2);
  expect(await storiesOf(ids)).toEqual(before);
  for (const id of ids) await store.articles.remove(id);
  const again = await arrive(...news.toReversed());
  await tell(1);
  const parts = (await storiesOf(again)).toReversed();
  expect(parts.map((story) => parts.indexOf(story))).toEqual(before.map((story) => before.indexOf(story)));
});

test("a deleted article leaves nothing behind, its story is counted anew, and goes with its last one", async () => {
  const ids = await arrive(...FERRY);
  await tell();
  const storyId = (await storyOf(ids[0] ?? 0)) ?? 0;
  await store.articles.remove(ids[0] ?? 0);
  expect(await store.stories.get(storyId)).toMatchObject({ size: 2 });
  expect(await left()).toHaveLength(0);
  await tell();
  expect((await events()).at(-1)).toMatchObject({ type: "story.updated", data: { story: { size: 2 } } });
  const page = await store.stories.list({ from: 0, to: Date.now(), minSize: 2, sort: "size", limit: 9 });
  expect(page.stories.map((story) => [story.storyId, story.size])).toEqual([[storyId, 2]]);
  for (const id of ids.slice(1)) await store.articles.remove(id);
  expect(await store.stories.get(storyId)).toBeUndefined();
  expect(await left()).toHaveLength(0);
  expect(await sql`select from stories`).toHaveLength(0);
});

test("an article that its source has changed into another report leaves its story", async () => {
  const ids = await arrive(...FERRY, DERBY);
  await tell();
  const [changed = 0] = ids;
  const ferry = await storyOf(changed);
  await revise(changed, DERBY_AGAIN);
  await tell();
  const [now, second, , derby] = await storiesOf(ids);
  expect(now).toBe(derby);
  expect(second).toBe(ferry);
  expect(await store.stories.get(ferry ?? 0)).toMatchObject({ size: 2 });
  expect(await left()).toHaveLength(0);
});

test("a story shows the headlines and the names of sources as they are now", async () => {
  const ids = await arrive({ ...(FERRY[0] ?? DERBY), sourceId: "paper" });
  await tell();
  const title = "Ferry sinks off Sulawesi, all 74 aboard saved";
  await revise(ids[0] ?? 0, { ...(FERRY[0] ?? DERBY), title });
  await store.sources.upsert([{ key: "paper", name: "The Island Paper" }]);
  await arrive(FERRY[1] ?? DERBY);
  await tell();
  const storyId = (await storyOf(ids[0] ?? 0)) ?? 0;
  // Of one report before the second came: the headline is of the earlier one, which the event tells, too.
  expect(await events()).toMatchObject([{ type: "story.created", data: { story: { title, size: 2 } } }]);
  const page = await store.stories.list({ from: 0, to: Date.now(), minSize: 2, sort: "size", limit: 9 });
  const sources = [{ sourceName: "The Island Paper" }, {}];
  expect(page.stories).toMatchObject([{ storyId, title, sources }]);
  expect((await store.stories.get(storyId))?.articles[0]).toMatchObject({ title, sourceName: "The Island Paper" });
  expect(await store.stories.count(ids, 1)).toEqual([{ storyId, title, count: 1 }]);
});

test("two processes at once come to the same as one", async () => {
  const news = [...FERRY, DERBY, DERBY_AGAIN].flatMap((item, i) =>
    [0, 1, 2].map((n) => ({ ...item, sourceId: `s${n}`, content: `${item.content} Note ${i}${n}.` })),
  );
  const ids = await arrive(...news);
  await Promise.all([tell(2), tell(2, stories({ store: another() }))]);
  const parts = await storiesOf(ids);
  expect(new Set(parts.slice(0, 9)).size).toBe(1);
  expect(new Set(parts.slice(9)).size).toBe(1);
  expect(parts[0]).not.toBe(parts[9]);
  expect(await left()).toHaveLength(0);
});

test("deleted while it is told apart: whoever is first, nothing is left", async () => {
  const ids = await arrive(...FERRY, DERBY);
  await Promise.all([tell(1), ...ids.map((id) => store.articles.remove(id))]);
  await tell();
  expect(await left()).toHaveLength(0);
  expect(await sql`select from story_articles`).toHaveLength(0);
});

test("cut off in the middle, nothing is stored; done again, all is", async () => {
  const ids = await arrive(...FERRY);
  const reports = (await store.stories.texts(ids)).map(reportOf);
  const broken = {
    ...STORY_RULES,
    part: () => {
      throw new Error("the process ended");
    },
  };
  await expect(store.stories.place(reports, broken)).rejects.toThrow("the process ended");
  expect(await sql`select from story_articles union all select from story_keys`).toHaveLength(0);
  await store.stories.place(reports, STORY_RULES);
  await store.stories.place(reports, STORY_RULES);
  expect(new Set(await storiesOf(ids)).size).toBe(1);
  expect(await left()).toHaveLength(0);
});

test("an article that an older version of the rules has read is compared again once it is read anew", async () => {
  const ids = await arrive(...FERRY);
  await tell();
  await sql`update story_articles set version = 1, traits = '\\x00' where article_id = ${ids[0] ?? 0}`;
  await store.stories.enlist({ afterId: 0, limit: 100, version: STORY_RULES.version });
  await queueWork(sql, "stories", ids.slice(1));
  await tell(1);
  expect(new Set(await storiesOf(ids)).size).toBe(1);
  expect(await left()).toHaveLength(0);
});

test("what the reranker read of an article is what it is compared by, where the model is the one that ships", async () => {
  const [one = 0, two = 0] = await arrive(...FERRY.slice(0, 2));
  const vectors = [new Int8Array(384).fill(5), new Int8Array(384).fill(-7)];
  await store.rerank.put([{ articleId: one, vectors }], { modelId: "rerank-ar-en@1.128.a" });
  await store.rerank.put([{ articleId: two, vectors }], { modelId: "another@1.128.a" });
  const texts = await store.stories.texts([one, two]);
  const readOf = new Map(texts.map(({ articleId, read }) => [articleId, read]));
  expect(readOf.get(one)).toEqual(new Int8Array(384).fill(5));
  expect(readOf.get(two)).toBeUndefined();
  await tell();
  expect(new Set(await storiesOf([one, two])).size).toBe(1);
});

test("stories come after the names, and where articles are read beforehand after that, which comes after the names", () => {
  const reader = { model: { modelId: "m", read: async () => [] } };
  expect(stories({ store }).after).toBe("entities");
  expect(stories({ store, isRead: true }).after).toBe("rerank");
  expect(rerank({ store, reader }).after).toBe("analysis");
  expect(rerank({ store, reader, after: "entities" }).after).toBe("entities");
});
