import { afterAll, afterEach, expect, test } from "bun:test";
import { createMetrics } from "@isnad/lib/service/process";
import { createServiceClient } from "@isnad/lib/service/http";
import { admitItems, testItem, testStage } from "@isnad/lib/store/testing";
import { openPlatform } from "../testing/platform.ts";
import { until } from "@isnad/lib/std/testing-until";
import { findRelations, reportOf } from "./relations.ts";

const platform = await openPlatform();
const { store, queues } = platform;
const stage = testStage(store, "relations");

/** What the linguistic service says of a text; a test changes it. */
let answer: (text: string) => Response = () => Response.json({ relations: [] });
const asked: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { text } = Object(await request.json());
    asked.push(text);
    return answer(text);
  },
});
const nlp = createServiceClient({ name: "linguistic service", baseUrl: server.url.origin, timeoutMs: 30_000 });

afterEach(async () => {
  await platform.stopWorkers();
  asked.length = 0;
});
afterAll(async () => {
  await server.stop(true);
  await platform.close();
});

const WORD = "افتتح";
const arabic = () =>
  `${WORD} الوزير المستشفى الجديد في عمان رقم ${serial++}. ${"وقال الناس إن الخبر مهم للمدينة كلها. ".repeat(6)}`;
let serial = 0;

const place = (text: string, part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });

function found(text: string): Response {
  const one = (predicate: string, object: string, confidence = 0.8) => ({
    ...{ predicate, subject: WORD, object, event: "launch", confidence },
    offsets: { predicate: null, subject: place(text, WORD), object: place(text, object) },
  });
  return Response.json({
    relations: [
      one("agent", "الوزير"),
      one("target", "المستشفى الجديد"),
      one("place", "عمان"),
      one("time", "الوزير", 0.49),
    ],
  });
}

async function post(items: { lang: string; content: string }[]): Promise<number[]> {
  const ids = await admitItems(
    store,
    items.map((item) => testItem(item)),
  );
  await queues.add("ingestion", { id: `relations-${serial++}`, data: { articleIds: ids } });
  return ids;
}

const relations = async (id: number) => (await store.articles.get(id))?.relations ?? [];
const indexed = async (ids: number[]) =>
  (await store.articles.byIds(ids, ["state"])).every(({ state }) => state === "indexed");

test("an Arabic article comes to have its relations, whose arguments are no entities; an English one is not asked about", async () => {
  answer = found;
  const metrics = createMetrics();
  await platform.worker({}, { nlp, metrics });
  const english = `The minister opened the hospital. ${"People said that it mattered. ".repeat(10)}`;
  const [id = 0] = await post([
    { lang: "ar", content: arabic() },
    { lang: "en", content: english },
  ]);
  await until("its relations are there", async () => (await relations(id)).length > 0);
  expect(await relations(id)).toMatchObject([
    { type: "launch", args: { agent: "الوزير", target: "المستشفى الجديد", place: "عمان" } },
  ]);
  // what was found with little confidence is left out
  expect((await relations(id)).flatMap(({ args }) => Object.keys(args)).sort()).toEqual(["agent", "place", "target"]);
  const article = await store.articles.get(id);
  expect(article?.entities).toEqual([]);
  expect(article?.relations[0]?.meta.entities).toEqual({});
  await until("no more is to do", async () => (await stage.backlog()).waiting === 0);
  expect(asked).toHaveLength(1);
  expect(await metrics.metrics()).toContain('worker_stage_articles_total{stage="relations",outcome="done"} 2');
});

test("while the service is away nothing is lost, and no attempt counted; a text that it refuses is tried again later", async () => {
  answer = () => Response.json({ type: "/errors/service-unavailable", detail: "model relations-ar" }, { status: 503 });
  const metrics = createMetrics();
  await platform.worker({}, { nlp, metrics });
  const ids = await post([{ lang: "ar", content: arabic() }]);
  await until("it was asked twice", async () => asked.length >= 2);
  expect(await stage.backlog()).toEqual({ waiting: 1, setAside: 0 });
  answer = found;
  await until("its relations are there", async () => (await relations(ids[0] ?? 0)).length > 0);
  answer = () => Response.json({ type: "/errors/validation-error", detail: "no" }, { status: 422 });
  await post([{ lang: "ar", content: arabic() }]);
  await until("it was put off", async () =>
    (await metrics.metrics()).includes('worker_stage_articles_total{stage="relations",outcome="failed"} 1'),
  );
  await platform.stopWorkers();
  expect(await stage.backlog()).toEqual({ waiting: 1, setAside: 0 });
  expect(await stage.claim({ owner: "o", leaseS: 1, limit: 5 })).toEqual([]);
});

test("without the setting nothing is kept to be done", async () => {
  const { waiting } = await stage.backlog();
  await platform.worker();
  const ids = await post([{ lang: "ar", content: arabic() }]);
  await until("it is indexed", () => indexed(ids));
  expect((await stage.backlog()).waiting).toBe(waiting);
});

test("a long text is asked about in pieces of whole sentences, and the places are those of the whole", async () => {
  answer = (text) => {
    if (!text.includes(WORD)) return Response.json({ relations: [] });
    return found(text);
  };
  const text = `${"كلمات كثيرة لا تقول شيئا. ".repeat(900)}${WORD} الوزير المستشفى الجديد في عمان.`;
  const on = { requestId: "r", signal: new AbortController().signal };
  const all = await findRelations(nlp, text, on);
  expect(asked.length).toBe(2);
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(20_000);
  expect(all.map(({ offsets: { object } }) => text.slice(object.start, object.end))).toEqual([
    "الوزير",
    "المستشفى الجديد",
    "عمان",
  ]);
  asked.length = 0;
  await findRelations(nlp, "ك".repeat(45_000), on);
  expect(asked.map(({ length }) => length)).toEqual([20_000, 20_000, 5_000]);
});

test("the arguments of an event are one relation; a second argument of a role has a number", async () => {
  const at = (start: number) => ({ start, end: start + 2 });
  const one = (predicate: "agent" | "target", object: string, start: number, subject: number) => ({
    ...{ predicate, subject: "التقى", object, event: "meeting" as const, confidence: start / 100 },
    offsets: { predicate: null, subject: at(subject), object: at(start) },
  });
  const list = [one("agent", "زيد", 10, 4), one("agent", "عمر", 20, 4), one("target", "بكر", 60, 50)];
  expect(await reportOf(list, { articleId: 7, requestId: "r", tookMs: 12.4 })).toMatchObject({
    requestId: "r",
    replace: true,
    package: { doc_id: "7", enrichment_status: "ok", enrich_ms: 12 },
    relations: [
      { type: "meeting", args: { agent: "زيد", agent_2: "عمر" }, confidence: 0.1, start: 4, end: 22 },
      { type: "meeting", args: { target: "بكر" }, start: 50, end: 62 },
    ],
  });
  const { relations } = await reportOf(list, { articleId: 7, requestId: "r", tookMs: 1 });
  expect(relations[0]).toMatchObject({ entities: {}, spans: { agent: [10, 12], agent_2: [20, 22] } });
});
