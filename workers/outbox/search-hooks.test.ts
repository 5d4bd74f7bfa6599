import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createLogger } from "@isnad/lib/service/process";
import { followSearches } from "@isnad/lib/search/watch";
import { openStore, type SearchInput } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem } from "@isnad/lib/store/testing";
import { hostsForHooks } from "@isnad/lib/web/egress";
import { until } from "@isnad/lib/std/testing-until";
import { type SearchHooks, type SearchHooksOptions, startSearchHooks } from "./search-hooks.ts";
import { createSend } from "./send.ts";
import { type PostOptions, signature } from "./webhook.ts";

setDefaultTimeout(300_000);

const database = await testDatabase();
const store = openStore(database.url);
const logger = createLogger({ service: "test", level: process.env.TEST_LOG ?? "silent" });
const vector = new Float32Array([1, 0, 0, 0]);

type Sent = {
  id: number;
  type: string;
  search_id: number;
  name: string;
  repeated: boolean;
  article?: { article_id: number };
};
type Hook = { url: string; taken: Sent[]; headers: Record<string, string>[]; bodies: string[]; stop(): Promise<void> };

const stops: (() => Promise<unknown>)[] = [];
beforeAll(() => {
  // Its position is where the log ends now.
  return store.searches.setPosition({ seq: 0, mark: "" });
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** A receiver of webhooks; `answer` decides, before a request counts as taken. */
function receiver(answer: (sent: Sent) => number | Promise<number> = () => 200): Hook {
  const hook: Hook = { url: "", taken: [], headers: [], bodies: [], stop: async () => {} };
  // A search of an earlier test may post to the same port.
  const path = `/${crypto.randomUUID()}`;
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    async fetch(request) {
      if (new URL(request.url).pathname !== path) return new Response("", { status: 410 });
      const body = await request.text();
      const sent: Sent = JSON.parse(body);
      const status = await answer(sent);
      if (status === 200) {
        hook.taken.push(sent);
        hook.headers.push(Object.fromEntries(request.headers));
        hook.bodies.push(body);
      }
      return new Response("", { status });
    },
  });
  hook.url = `http://127.0.0.1:${server.port}${path}`;
  hook.stop = () => server.stop(true);
  stops.push(hook.stop);
  return hook;
}

const base: SearchInput = {
  ...{ name: "ports", query: { q: "harbour", mode: "bm25", match: "all" }, minSimilarity: null },
  ...{ active: true, webhook: null, digest: "none", ofEntities: false, ofClaims: false },
};
const keep = (over: Partial<SearchInput> = {}) => store.searches.create({ ...base, ...over });

/** Articles that have just become searchable, their titles as given. */
async function come(titles: readonly string[]): Promise<number[]> {
  const items = titles.map((title) => testItem({ title, content: `${title}. Nothing else ${crypto.randomUUID()}.` }));
  const ids = await admitItems(store, items);
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  const chunk = { no: 0, start: 0, end: 10, vector };
  await store.indexing.commit(
    ids.map((articleId) => ({ articleId, chunks: [chunk] })),
    { modelId: "test@1" },
  );
  return ids;
}

function follow(owner = "watch") {
  const follower = followSearches({ store, logger, owner, model: undefined, pollMs: 20 });
  stops.push(() => follower.close());
  return follower;
}

const sender = (rules: PostOptions) =>
  createSend({ ...rules, notices: { lang: "en", baseUrl: "https://isnad.example" } });

function deliver(over: Partial<SearchHooksOptions> = {}): SearchHooks {
  const hooks = startSearchHooks({
    ...{ hooks: store.searches.hooks, logger, instance: "test", idleMs: 20, secret: "secret", retryS: () => 0.05 },
    send: sender({ allowPrivateHosts: hostsForHooks({ appEnv: "local", allowPrivateHosts: "" }), timeoutMs: 120_000 }),
    ...over,
  });
  stops.push(() => hooks.stop());
  return hooks;
}

const matchesOf = async (searchId: number) =>
  (await store.searches.matches(searchId, { limit: 100 })).map(({ articleId }) => articleId).toReversed();
const idsOf = ({ taken }: Hook) => taken.map(({ article }) => article?.article_id);

test("what matches is posted once, in order, signed, to the search's own webhook alone", async () => {
  const [mine, other] = [receiver(), receiver()];
  const search = await keep({ name: `"ports" \u0000 &`.replaceAll("\u0000", ""), webhook: mine.url });
  const silent = await keep();
  const airports = await keep({ query: { q: "airport", mode: "bm25", match: "all" }, webhook: other.url });
  follow();
  deliver();
  const ids = await come(["Harbour one", "Airport", "Harbour two", "Harbour three"]);
  await until("they arrived", () => mine.taken.length === 3 && other.taken.length === 1);
  expect(idsOf(mine)).toEqual([ids[0], ids[2], ids[3]]);
  expect(idsOf(other)).toEqual([ids[1]]);
  expect(await matchesOf(silent.searchId)).toEqual([ids[0] ?? 0, ids[2] ?? 0, ids[3] ?? 0]);
  expect(mine.taken[0]).toEqual({
    ...{ id: expect.any(Number), type: "search.matched", occurred_at: expect.any(String), repeated: false },
    ...{ search_id: search.searchId, name: `"ports"  &` },
    article: expect.objectContaining({ article_id: ids[0], title: "Harbour one", source_id: "test-source" }),
  });
  expect(mine.headers[0]).toMatchObject({
    ...{ "x-event-type": "search.matched", "x-event-attempt": "1", "x-event-id": String(mine.taken[0]?.id) },
    "x-signature": signature(mine.bodies[0] ?? "", "secret"),
  });
  expect(mine.taken.map(({ id }) => id)).toEqual(mine.taken.map(({ id }) => id).toSorted((a, b) => a - b));
  await until("nothing is due", async () => (await store.searches.get(airports.searchId))?.dueAt === null);
});

test("an article matches again only where it did not before, and takes its matches away", async () => {
  const hook = receiver();
  const search = await keep({ webhook: hook.url });
  follow();
  deliver();
  const [id = 0, gone = 0] = await come(["Harbour news", "Harbour closed"]);
  await until("it arrived", () => hook.taken.length === 2);
  // As after a change of the model: it is indexed again.
  await store.indexing.commit([{ articleId: id, chunks: [{ no: 0, start: 0, end: 10, vector }] }], {
    modelId: "test@2",
  });
  await store.articles.remove(gone);
  const [later = 0] = await come(["Harbour again"]);
  await until("the later one arrived", () => hook.taken.length === 3);
  expect(idsOf(hook)).toEqual([id, gone, later]);
  expect(await matchesOf(search.searchId)).toEqual([id, later]);
});

test("a search matches nothing of before it was kept, while it is paused, or under its query of before", async () => {
  follow();
  const [old = 0] = await come(["Harbour of old"]);
  const search = await keep();
  const { searchId } = search;
  const marker = await keep({ query: { mode: "bm25", match: "all" } });
  const seen = async (ids: readonly number[]) =>
    until("they were looked at", async () => (await matchesOf(marker.searchId)).includes(ids.at(-1) ?? 0));
  const first = await come(["Harbour one"]);
  await seen(first);
  await store.searches.update(searchId, { active: false });
  await seen(await come(["Harbour two"]));
  await store.searches.update(searchId, { active: true });
  const third = await come(["Harbour three"]);
  await seen(third);
  await store.searches.update(searchId, { query: { q: "airport", mode: "bm25", match: "all" } });
  const fourth = await come(["Harbour four", "Airport four"]);
  await seen(fourth);
  // The log tells of them again.
  await store.searches.setPosition({ seq: 0, mark: "" });
  await seen(await come(["Nothing"]));
  expect(await matchesOf(searchId)).toEqual([first[0] ?? 0, third[0] ?? 0, fourth[1] ?? 0]);
  expect(await matchesOf(searchId)).not.toContain(old);
});

test("webhooks that are down hold up no other; theirs come in order when they are back, marked", async () => {
  const [good, refusing] = [receiver(), receiver(() => (failing ? 500 : 200))];
  let failing = true;
  const hanging = receiver(() => (failing ? new Promise<number>(() => {}) : 200));
  const dead = await Promise.all(Array.from({ length: 20 }, () => keep({ webhook: "http://127.0.0.1:9/" })));
  const [bad, slow] = [await keep({ webhook: refusing.url }), await keep({ webhook: hanging.url })];
  const fine = await keep({ webhook: good.url });
  follow();
  // No other is in a hurry, or a busy machine would be a failure.
  const allowPrivateHosts = hostsForHooks({ appEnv: "local", allowPrivateHosts: "" });
  const [hasty, patient] = [500, 120_000].map((timeoutMs) => sender({ allowPrivateHosts, timeoutMs }));
  if (hasty === undefined || patient === undefined) throw new Error("unreachable");
  deliver({ send: (address, ...rest) => (address === hanging.url && failing ? hasty : patient)(address, ...rest) });
  const ids = await come(["Harbour a", "Harbour b"]);
  await until("the good one has them", () => good.taken.length === 2);
  const more = await come(["Harbour c"]);
  await until("and what comes later", () => good.taken.length === 3);
  expect([refusing.taken, hanging.taken]).toEqual([[], []]);
  await until("failures are noted", async () => ((await store.searches.get(bad.searchId))?.failures ?? 0) > 0);
  expect(await store.searches.get(bad.searchId)).toMatchObject({ lastError: "answered 500" });
  failing = false;
  // One that was taken too late for its sender is sent again.
  const late = () => [...new Set(idsOf(hanging))];
  await until("the others have theirs", () => refusing.taken.length === 3 && late().length === 3);
  expect(idsOf(refusing)).toEqual([...ids, ...more]);
  expect(late()).toEqual([...ids, ...more]);
  expect(refusing.taken.map(({ repeated }) => repeated)).toEqual([true, false, false]);
  expect(Number(refusing.headers[0]?.["x-event-attempt"])).toBeGreaterThan(1);
  expect(good.taken.every(({ repeated }) => !repeated)).toBe(true);
  for (const { searchId } of [...dead, bad, slow, fine]) await store.searches.remove(searchId);
});

test("a private address that nobody allowed is not asked, and the reason is told", async () => {
  const hook = receiver();
  const search = await keep({ webhook: hook.url });
  follow();
  deliver({ send: sender({ allowPrivateHosts: hostsForHooks({ appEnv: "production", allowPrivateHosts: "" }) }) });
  await come(["Harbour"]);
  const failed = async () => (await store.searches.get(search.searchId))?.lastError ?? "";
  await until("it failed", async () => (await failed()) !== "");
  expect(await failed()).toStartWith("private-address");
  expect(hook.taken).toEqual([]);
  await store.searches.remove(search.searchId);
});

test("what a process that dies has sent is sent again, marked, and what it has not is sent once", async () => {
  const hook = receiver();
  const search = await keep({ webhook: hook.url });
  follow();
  const ids = await come(["Harbour 1", "Harbour 2", "Harbour 3"]);
  await until("they matched", async () => (await matchesOf(search.searchId)).length === 3);
  // It dies after its second event was taken, before it could note that: from then on it asks for nothing more.
  const { hooks } = store.searches;
  const dead = () => hook.taken.length >= 2;
  const asked = new Set<Promise<unknown>>();
  const dying = {
    ...hooks,
    claim: async (...of: Parameters<typeof hooks.claim>) => {
      if (dead()) return new Promise<never>(() => {});
      const claim = hooks.claim(...of);
      asked.add(claim);
      return claim.finally(() => asked.delete(claim));
    },
    heartbeat: async (...of: Parameters<typeof hooks.heartbeat>) => (dead() ? 0 : hooks.heartbeat(...of)),
    ack: async (...[owner, searchId, upTo]: Parameters<typeof hooks.ack>) => {
      if (dead()) return new Promise<boolean>(() => {});
      return hooks.ack(owner, searchId, upTo);
    },
    release: async () => {},
  };
  const send = sender({ allowPrivateHosts: "127.0.0.0/8" });
  startSearchHooks({ hooks: dying, send, secret: undefined, logger, instance: "dying", idleMs: 20 });
  await until("two were taken", dead);
  await Promise.all(asked);
  const sql = new Bun.SQL(database.url, { max: 1 });
  await sql`update saved_searches set lease_until = now() - interval '1 minute' where lease_owner like 'dying%'`;
  await sql.end();
  deliver();
  await until("the rest was taken", () => hook.taken.length === 4);
  expect(idsOf(hook)).toEqual([ids[0], ids[1], ids[1], ids[2]]);
  expect(hook.taken.map(({ repeated }) => repeated)).toEqual([false, false, true, false]);
  expect(hook.headers[0]?.["x-signature"]).toBe(signature(hook.bodies[0] ?? "", search.feedKey ?? ""));
});

test("a digest is one event of all that matched, when it is due", async () => {
  const hook = receiver();
  const search = await keep({ webhook: hook.url, digest: "hourly" });
  follow();
  deliver();
  const before = Date.now();
  const ids = await come(["Harbour x", "Harbour y"]);
  await until("they matched", async () => (await matchesOf(search.searchId)).length === 2);
  const due = new Date((await store.searches.get(search.searchId))?.dueAt ?? 0);
  expect([due.getUTCMinutes(), due.getUTCSeconds(), due.getTime() > before]).toEqual([0, 0, true]);
  // The hour may end just now.
  expect(hook.taken.length === 0 || Date.now() >= due.getTime()).toBe(true);
  const sql = new Bun.SQL(database.url, { max: 1 });
  await sql`update saved_searches set due_at = now() where search_id = ${search.searchId}`;
  await sql.end();
  await until("it arrived", () => hook.taken.length === 1);
  expect(hook.taken).toEqual([
    expect.objectContaining({
      ...{ type: "search.digest", search_id: search.searchId, name: "ports", repeated: false },
      matches: ids.map((id) => expect.objectContaining({ article: expect.objectContaining({ article_id: id }) })),
    }),
  ]);
});

test("two processes that match the same changes store and tell each match once", async () => {
  const hook = receiver();
  const search = await keep({ webhook: hook.url });
  const position = { seq: 0, mark: "" };
  await store.searches.setPosition(position);
  const [id = 0] = await come(["Harbour once"]);
  const version = await store.searches.version();
  const head = await store.log.head();
  const batch = {
    ...{ version, matches: [{ searchId: search.searchId, articleId: id, similarity: 0.5 }] },
    step: { from: position, to: head },
  };
  const outcomes = await Promise.all([store.searches.putMatches(batch), store.searches.putMatches(batch)]);
  expect(outcomes.map(({ state }) => state).toSorted()).toEqual(["overtaken", "stored"]);
  expect(await store.searches.hooks.events(search.searchId, 9)).toHaveLength(1);
  const { step: _, ...again } = batch;
  expect(await store.searches.putMatches(again)).toEqual({ state: "stored", matches: 0, told: 0 });
  await store.searches.update(search.searchId, { name: "other" });
  expect(await store.searches.putMatches(again)).toEqual({ state: "changed" });
});
