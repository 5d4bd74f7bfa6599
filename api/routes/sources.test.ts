import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { until } from "@isnad/lib/std/testing-until";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { NO_PULL_COUNTS } from "@isnad/lib/store";
import { bodyOf, type TestApi, testApi, TOKEN } from "../testing.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ API_PUBLIC_KEYS: "reader" });
}, 300_000);
afterAll(() => api.close());

const desk = { authorization: `Bearer ${TOKEN}`, "x-api-key": "reader" };

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = desk) {
  const response = await api.app.request(path, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const isEmpty = response.status === 204;
  return { status: response.status, headers: response.headers, body: isEmpty ? {} : Object(await bodyOf(response)) };
}

let serial = 0;
async function register(over: Record<string, unknown> = {}): Promise<string> {
  const key = `source-${++serial}`;
  const { status } = await ask("POST", "/v1/sources", { key, feed_url: "https://feed.example/rss?key=s", ...over });
  expect(status).toBe(201);
  return key;
}
const show = async (key: string) => (await ask("GET", `/v1/sources/${encodeURIComponent(key)}`)).body;
const due = () => api.store.pulls.requestDue({ providers: ["rss"], everyS: 900 });
const pulls = (key: string) => api.store.pulls.list({ sourceKey: key });

describe("a source", () => {
  test("is registered, shown and listed with what came of it", async () => {
    const { status, headers, body } = await ask("POST", "/v1/sources", {
      key: "الوطن/1",
      name: "الوطن",
      feed_url: "https://feed.example/rss",
      language: "ar",
      tier: 2,
      unheard_of: 1,
    });
    expect(status).toBe(201);
    expect(await show("الوطن/1")).toEqual(body);
    expect((await ask("GET", headers.get("location") ?? "")).body).toEqual(body);
    expect(body).toMatchObject({
      provider: "rss",
      active: true,
      status: "waiting",
      state: "not pulled yet; no article yet",
      last_pull: null,
      next_pull: null,
      last_article: null,
      articles_per_day: 0,
      volume: null,
      feed_url: "https://feed.example/rss",
    });
    const ids = await admitItems(api.store, [testItem({ sourceId: "الوطن/1" }), testItem({ sourceId: "الوطن/1" })]);
    const begun = await api.store.pulls.start(
      { sourceKey: "الوطن/1", provider: "rss", trigger: "schedule" },
      { owner: "w", leaseS: 3_600 },
    );
    const runId = "run" in begun ? begun.run.runId : "";
    expect(await show("الوطن/1")).toMatchObject({ status: "running", next_pull: null });
    await api.store.pulls.finish(runId, "w", { status: "succeeded", counts: NO_PULL_COUNTS });
    expect(await show("الوطن/1")).toMatchObject({
      status: "ok",
      state: expect.stringMatching(/^pulled \d{4}-\d\d-\d\d; 2 articles a day$/),
      last_pull: { run_id: runId, by: "workers", status: "succeeded", error: null },
      last_article: { article_id: Math.max(...ids) },
      articles_per_day: 2,
    });
    const { last_pull, next_pull } = await show("الوطن/1");
    expect(Date.parse(next_pull) - Date.parse(last_pull.at)).toBe(900_000);
    await ask("PATCH", "/v1/sources/%D8%A7%D9%84%D9%88%D8%B7%D9%86%2F1", { active: false });
    expect(await show("الوطن/1")).toMatchObject({ next_pull: null });
  });

  test("that was pulled by hand alone says when, and that it failed", async () => {
    const key = "by-hand.example";
    await admitItems(api.store, [testItem({ sourceId: key })]);
    const pull = async (status: "succeeded" | "failed") => {
      const lease = { owner: "w", leaseS: 3_600 };
      const begun = await api.store.pulls.start({ sourceKey: key, provider: "rss", trigger: "cli" }, lease);
      const runId = "run" in begun ? begun.run.runId : "";
      await api.store.pulls.finish(runId, "w", { status, counts: NO_PULL_COUNTS });
      return await show(key);
    };
    const state = (end: string) =>
      expect.stringMatching(new RegExp(`^not pulled by itself; last [0-9-]{10}${end}; last article [0-9-]{10}$`));
    expect(await pull("succeeded")).toMatchObject({ status: "not-pulled", state: state("") });
    expect(await pull("failed")).toMatchObject({ status: "not-pulled", state: state(", which failed") });
  });

  test("switched off is not pulled, what waits of it is dropped, and on again it is", async () => {
    const key = await register();
    await due();
    expect(await pulls(key)).toHaveLength(1);
    const off = await ask("PATCH", `/v1/sources/${key}`, { active: false });
    expect(off.body).toMatchObject({ active: false, status: "off" });
    expect(off.body.state).toStartWith("switched off since ");
    expect(await pulls(key)).toEqual([]);
    await due();
    expect(await pulls(key)).toEqual([]);
    expect([...(await api.store.sourceStates.off()).keys()]).toContain(key);
    expect((await ask("PATCH", `/v1/sources/${key}`, { active: true })).body).toMatchObject({ status: "waiting" });
    expect([...(await api.store.sourceStates.off()).keys()]).not.toContain(key);
    await due();
    expect(await pulls(key)).toHaveLength(1);
  });

  test("that articles made known can be switched off, too; it is told apart from one that nobody pulls", async () => {
    await admitItems(api.store, [testItem({ sourceId: "pushed" })]);
    expect(await show("pushed")).toMatchObject({ active: false, status: "not-pulled" });
    expect([...(await api.store.sourceStates.off()).keys()]).not.toContain("pushed");
    await ask("PATCH", "/v1/sources/pushed", { active: false });
    expect(await show("pushed")).toMatchObject({ status: "off" });
  });

  test("that is removed while it is changed stays removed", async () => {
    const key = await register();
    const sql = new Bun.SQL(api.url, { max: 2 });
    const waiting = async () =>
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const changed = await sql.begin(async (tx) => {
      await tx`delete from sources where key = ${key}`;
      const change = ask("PATCH", `/v1/sources/${key}`, { name: "Back" });
      await until("the change waits for the removal", async () => (await waiting()).length > 0);
      return { change };
    });
    expect((await changed.change).status).toBe(404);
    expect((await ask("GET", `/v1/sources/${key}`)).status).toBe(404);
    await sql.end();
  });

  test("is changed field by field", async () => {
    const key = await register({ name: "Old" });
    const { body } = await ask("PATCH", `/v1/sources/${key}`, { name: "New", tier: 1 });
    expect(body).toMatchObject({ name: "New", tier: 1, provider: "rss", active: true });
    expect((await ask("PATCH", `/v1/sources/${key}`, {})).body).toMatchObject({ name: "New" });
  });

  test("removed is gone, its articles stay, and only who registers it anew has it pulled again", async () => {
    const key = await register();
    const [id] = await admitItems(api.store, [testItem({ sourceId: key })]);
    await due();
    expect((await ask("DELETE", `/v1/sources/${key}`)).status).toBe(204);
    expect((await ask("GET", `/v1/sources/${key}`)).status).toBe(404);
    expect((await ask("DELETE", `/v1/sources/${key}`)).status).toBe(404);
    expect(await pulls(key)).toEqual([]);
    expect(await api.store.articles.get(id ?? 0)).toMatchObject({ sourceId: key });
    expect([...(await api.store.sourceStates.off()).keys()]).toContain(key);
    expect((await ask("POST", "/v1/sources", { key, feed_url: "https://feed.example/rss" })).status).toBe(201);
    expect([...(await api.store.sourceStates.off()).keys()]).not.toContain(key);
  });

  test("that the scraper brings shows its last run", async () => {
    const key = await register({ provider: "scraper-push", feed_url: undefined });
    const { runs } = api.store.scraper;
    await runs.create({ profileId: `${key}-profile`, provider: "p", trigger: "schedule", sourceKey: key });
    expect(await show(key)).toMatchObject({ status: "waiting", last_pull: { by: "scraper", status: "queued" } });
  });
});

test("the list goes page by page", async () => {
  const keys: string[] = [];
  for (let cursor = ""; ; ) {
    const { status, body } = await ask("GET", `/v1/sources?limit=2${cursor}`);
    expect(status).toBe(200);
    keys.push(...body.sources.map(({ key }: { key: string }) => key));
    if (body.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  expect(keys).toEqual((await api.store.sources.list()).map(({ key }) => key));
});

test("where a source is at home and what it speaks are kept, and stay where a change leaves them out", async () => {
  const home = { homepage: "https://watan.example/", language: "ar-LB" };
  const key = await register(home);
  expect(await show(key)).toMatchObject(home);
  const { body } = await ask("PATCH", `/v1/sources/${key}`, { name: "Al Watan" });
  expect(body).toMatchObject({ ...home, name: "Al Watan" });
});

test("a source that is known from its articles alone is not pulled", async () => {
  await admitItems(api.store, [testItem({ sourceId: "articles-alone" })]);
  const { status, body } = await ask("POST", "/v1/sources/articles-alone/pull");
  expect([status, body.detail]).toEqual([409, expect.stringContaining("known from its articles alone")]);
  expect(await pulls("articles-alone")).toEqual([]);
});

test("of requests that register one key at once, one does, and the source is as that said", async () => {
  const names = ["Al Watan", "الوطن", "El Watan", "Watan", "The Homeland"];
  const answers = await Promise.all(
    names.map((name) => ask("POST", "/v1/sources", { key: "watan", name, feed_url: "https://feed.example/rss" })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const made = answers.find(({ status }) => status === 201);
  expect(await show("watan")).toMatchObject({ name: made?.body.name });
});

test("a source that articles brought under a blank key can be named, too; none is registered so", async () => {
  await admitItems(api.store, [testItem({ sourceId: "   " })]);
  expect(await show("   ")).toMatchObject({ key: "   ", active: false });
  const feed = { key: " ", feed_url: "https://feeds.example/blank" };
  expect(Object.keys((await ask("POST", "/v1/sources", feed)).body.errors)).toEqual(["key"]);
});

test("a cursor that no source's key can be is refused by its name", async () => {
  for (const cursor of ["", "%00", "k".repeat(129)]) {
    const { status, body } = await ask("GET", `/v1/sources?cursor=${cursor}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, ["cursor"]]);
  }
});

test("a reader sees neither feeds' addresses nor errors, which may hold credentials, and changes nothing", async () => {
  const key = await register();
  const begun = await api.store.pulls.start(
    { sourceKey: key, provider: "rss", trigger: "schedule" },
    { owner: "w", leaseS: 3_600 },
  );
  const runId = "run" in begun ? begun.run.runId : "";
  const error = "https://feed.example/rss?key=s answers 404";
  await api.store.pulls.finish(runId, "w", { status: "failed", counts: NO_PULL_COUNTS, error });
  const reader = { "x-api-key": "reader" };
  const { status, body } = await ask("GET", `/v1/sources/${key}`, undefined, reader);
  expect([status, body.status, body.feed_url, body.last_pull.error]).toEqual([200, "failing", undefined, null]);
  expect(JSON.stringify((await ask("GET", "/v1/sources", undefined, reader)).body)).not.toContain("key=s");
  expect((await show(key)).last_pull.error).toBe(error);
  for (const [method, path, sent] of [
    ["POST", "/v1/sources", { key: "mine", feed_url: "https://feed.example/rss" }],
    ["PATCH", `/v1/sources/${key}`, { active: false }],
    ["DELETE", `/v1/sources/${key}`, undefined],
  ] as const) {
    expect((await ask(method, path, sent, reader)).status).toBe(403);
  }
  expect((await ask("GET", "/v1/sources", undefined, {})).status).toBe(401);
  expect(await show(key)).toMatchObject({ active: true });
});

test.each([
  [{ key: "", provider: "scraper" }, ["key"]],
  [{ key: "a\u0000b", feed_url: "https://a.example/" }, ["key"]],
  [{ key: "x".repeat(129), feed_url: "https://a.example/" }, ["key"]],
  [{ key: "bad" }, ["feed_url"]],
  [{ key: "bad", feed_url: "file:///etc/passwd" }, ["feed_url"]],
  [{ key: "bad", feed_url: "http://169.254.169.254/latest" }, ["feed_url"]],
  [{ key: "bad", feed_url: "http://2130706433/rss" }, ["feed_url"]],
  [{ key: "bad", provider: "telepathy" }, ["provider"]],
  [{ key: "bad", provider: "scraper", tier: 4 }, ["tier"]],
  [{ key: "bad", provider: "scraper", language: "Arabic!" }, ["language"]],
  [{ key: "bad", provider: "scraper", active: "no" }, ["active"]],
  [[], ["body"]],
])("%j is 422 and names the field", async (sent, fields) => {
  const { status, body } = await ask("POST", "/v1/sources", sent);
  expect([status, Object.keys(Object(body.errors))]).toEqual([422, fields]);
  expect(await api.store.sources.get("bad")).toBeUndefined();
});

test("what there is already conflicts, and what there is not is 404", async () => {
  const key = await register();
  expect((await ask("POST", "/v1/sources", { key, feed_url: "https://a.example/" })).status).toBe(409);
  expect((await ask("PATCH", "/v1/sources/nobody", { tier: 1 })).status).toBe(404);
  const push = await register({ provider: "scraper-push", feed_url: undefined });
  const { status, body } = await ask("PATCH", `/v1/sources/${push}`, { provider: "rss" });
  expect([status, Object.keys(Object(body.errors))]).toEqual([422, ["feed_url"]]);
  const inside = await ask("PATCH", `/v1/sources/${key}`, { feed_url: "http://[::1]:8081/" });
  expect([inside.status, String(inside.body.errors?.feed_url)]).toEqual([
    422,
    "must lead to a public address, or to one of SCRAPER_ALLOW_PRIVATE_HOSTS",
  ]);
});

test("a source whose last day is unusual is named so in words, with what is usual, and counted", async () => {
  const key = await register({ provider: "scraper-push", feed_url: undefined });
  await admitItems(api.store, [testItem({ sourceId: key })]);
  const sql = new Bun.SQL(api.url, { max: 1 });
  await sql`insert into source_volumes (source_key, first_hour, state, since, last_day, usual)
    values (${key}, now(), 'quiet', now(), 1, 12.5)`;
  await sql.end();
  const body = await show(key);
  expect(body.state).toMatch(
    /^has gone quiet since \d{4}-\d\d-\d\d: 1 article in 24 hours, usually 13; not pulled yet; last article \d{4}-\d\d-\d\d$/,
  );
  expect(body.volume).toMatchObject({ state: "quiet", since: expect.any(String), usual: 12.5 });
  expect(await (await api.app.request("/metrics")).text()).toContain('sources_unusual{state="quiet"} 1\n');
});

test("a source is pulled by hand, once while it waits, and only where it is pulled at all", async () => {
  const key = await register();
  const pull = (which: string, headers = desk) => ask("POST", `/v1/sources/${which}/pull`, undefined, headers);
  const first = await pull(key);
  expect(first).toMatchObject({ status: 202, body: { status: "queued", fresh: true } });
  expect((await pull(key)).body).toEqual({ ...first.body, fresh: false });
  expect(await pulls(key)).toMatchObject([{ runId: first.body.run_id, trigger: "api", status: "queued" }]);
  await ask("PATCH", `/v1/sources/${key}`, { active: false });
  const push = await register({ provider: "scraper-push", feed_url: undefined });
  expect([(await pull(key)).status, (await pull(push)).status, (await pull("nobody")).status]).toEqual([409, 409, 404]);
  expect((await pull(key, { ...desk, authorization: "" })).status).toBe(403);
});
