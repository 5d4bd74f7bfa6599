import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { SearchBody } from "@isnad/lib/contract";
import { reportOf } from "@isnad/lib/stories";
import { type TestRetrieval, testRetrieval } from "../testing.ts";

setDefaultTimeout(300_000);

const filler = "The council met on the first floor and nobody raised a hand. ".repeat(4);
const article = (title: string, sourceId: string, hour: number) => ({
  title,
  content: `${title}. ${filler}`,
  axis: 0,
  sourceId,
  publishedAt: new Date(Date.UTC(2024, 2, 1, hour)).toISOString(),
});

/** Two stories of the harbour with three articles and two, one article without a story. */
const ARTICLES = [
  article("Harbour strike begins", "wire", 1),
  article("Harbour strike goes on", "paper", 2),
  article("Strike at the harbour ends", "wire", 3),
  article("Harbour bridge opens", "paper", 4),
  article("New bridge over the harbour", "wire", 5),
  article("Harbour seals counted", "paper", 6),
];

let service: TestRetrieval;
beforeAll(async () => {
  service = await testRetrieval(ARTICLES);
  const { ids, store } = service;
  const placed = ids.slice(0, 5);
  await store.articles.markNormalized(placed.map((articleId) => ({ articleId, lang: "en" })));
  const bare = placed.map((articleId) => ({ articleId, chunks: [] }));
  await store.indexing.commit(bare, { modelId: undefined });
  await store.stories.place((await store.stories.texts(placed)).map(reportOf), {
    version: 1,
    weigh: () => [],
    part: (members) => [...Map.groupBy(members, ({ id }) => ids.indexOf(id) < 3).values()],
  });
});
afterAll(() => service.close());

const ask = async (query: Record<string, string>) => {
  const { status, body } = await service.get(`/search?${new URLSearchParams({ mode: "bm25", ...query })}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return SearchBody.parse(body);
};
const places = (body: SearchBody): number[] => body.results.map(({ article_id }) => service.ids.indexOf(article_id));

test("one hit a story, its best, with what the story holds", async () => {
  const body = await ask({ q: "harbour", group: "story", sort: "newest" });
  expect(places(body)).toEqual([5, 4, 2]);
  expect(body.total).toBe(3);
  expect(body.results.map(({ story }) => story?.size ?? null)).toEqual([null, 2, 3]);
  expect(body.results[2]?.story?.sources).toEqual([
    { source_id: "wire", source_name: "wire", count: 2, first_at: "2024-03-01T01:00:00.000Z" },
    { source_id: "paper", source_name: "paper", count: 1, first_at: "2024-03-01T02:00:00.000Z" },
  ]);
  const plain = await ask({ q: "harbour" });
  expect(plain.total).toBe(6);
  expect(plain.results[0]?.story).toBeUndefined();
});

test("a cursor goes through the stories, once", async () => {
  const pages: number[] = [];
  let cursor: string | null | undefined;
  do {
    const body = await ask({ group: "story", limit: "1", ...(cursor && { cursor }) });
    pages.push(...places(body));
    cursor = body.meta.next_cursor;
  } while (cursor);
  expect(pages).toEqual([5, 4, 2]);
});

test("hits are counted by story, and narrowed to one", async () => {
  const { facets } = await ask({ q: "harbour", facets: "story" });
  expect(facets?.story?.map(({ count }) => count)).toEqual([3, 2]);
  expect(facets?.story?.[1]?.label).toContain("bridge");
  const [{ value } = { value: "" }] = facets?.story ?? [];
  const narrowed = await ask({ q: "harbour", story: value, sort: "oldest" });
  expect(places(narrowed)).toEqual([0, 1, 2]);
  expect((await ask({ q: "bridge", story: value })).total).toBe(0);
  expect((await ask({ story: "999999" })).total).toBe(0);
});

test("evidence and passages come from the story that is named, by word and by meaning", async () => {
  const { facets } = await ask({ q: "harbour", facets: "story" });
  const [first, second] = (facets?.story ?? []).map(({ value }) => Number(value));
  const titles = async (path: string, over: object) => {
    const { status, body } = await service.post(path, { query: "axis:0 harbour", ...over });
    if (status !== 200) throw new Error(JSON.stringify(body));
    const results = Array.isArray(body.results) ? body.results : [];
    return results.map(({ title }) => ARTICLES.findIndex((each) => each.title === title)).toSorted();
  };
  const evidence = (filters: object) => titles("/retrieve", { filters });
  expect(await evidence({ story_id: first })).toEqual([0, 1, 2]);
  expect(await evidence({ story_id: first, article_id: service.ids[1] })).toEqual([1]);
  expect(await evidence({ story_id: first, article_id: service.ids[3] })).toEqual([]);
  expect(await evidence({ story_id: 999_999 })).toEqual([]);
  const passages = (filters: object) => titles("/passages", { filters });
  expect(await passages({ story_id: second })).toEqual([3, 4]);
  expect(await passages({ story_id: [first, second] })).toEqual([0, 1, 2, 3, 4]);
  expect(await passages({ story_id: second, source: "wire" })).toEqual([4]);
  expect(await passages({ story_id: 999_999 })).toEqual([]);
});
