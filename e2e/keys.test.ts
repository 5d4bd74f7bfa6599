import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import type { Scope } from "@isnad/lib/contract";
import { NOT_LOADED } from "@isnad/lib/models";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { loadConfig } from "@isnad/lib/service/config";
import { listen, type Listening } from "@isnad/lib/service/http";
import { type TestApi, testApi } from "../api/testing.ts";
import { keys } from "../cli/keys/keys.ts";
import { attempt } from "../lib/arabic/attempt.ts";
import { openInventory } from "../lib/arabic/senses/inventory.ts";
import { openAnalysers } from "../nlp/linguistic/analysis.ts";
import { createApp as createNlp } from "../nlp/linguistic/app.ts";
import { type TestScraper, testScraper } from "../scraper/testing/scraper.ts";
import { testEdge } from "../edge/testing/edge.ts";
import { type TestRetrieval, testRetrieval } from "../nlp/retrieval/testing.ts";
import type { NewKey, Store } from "@isnad/lib/store";
import { type OperationRight, operationRights } from "../tools/clients/generate.ts";

setDefaultTimeout(300_000);

const ENV = {
  INTERNAL_TOKEN: "internal-token",
  METRICS_TOKEN: "m",
  SCRAPER_TOKEN: "scraper-token",
  EDGE_API_KEY: "edge-key",
};
const JSON_TYPE = { "content-type": "application/json" };
const RIGHTS = ["read", "ingest", "desk", "admin"] as const;

let api: TestApi;
let scraper: TestScraper;
let retrieval: TestRetrieval;
let edge: Awaited<ReturnType<typeof testEdge>>;
let server: Listening;
let nlp: ReturnType<typeof createNlp>;
const analysers = openAnalysers();
const nlpLines: string[] = [];

/** Keys of a database: one of each scope, those that are over, and one whose rate is met. */
type Keys = Record<(typeof RIGHTS)[number] | "expired" | "revoked" | "spent", string>;
let keysOf: Record<string, Keys> = {};
const allKeys = () => Object.values(keysOf).flatMap((each) => Object.values(each));

async function run(argv: string[]): Promise<string> {
  const { io, out, err } = captureIo({ DATABASE_URL: api.url, ...ENV });
  if ((await runCommand(keys, argv, io)) !== 0) throw new Error(err());
  return out();
}

async function makeKeys(store: Store): Promise<Keys> {
  const make = async (scopes: readonly Scope[], over: Partial<NewKey> = {}) =>
    await store.keys.create({ name: "k", scopes, ...over });
  const revoked = await make(["admin"]);
  await store.keys.revoke(revoked.keyId);
  const [read, ingest, desk, admin, expired, spent] = await Promise.all([
    ...[make(["read"]), make(["ingest"]), make(["desk"]), make(["admin"])],
    make(["admin"], { expiresAt: new Date(Date.now() - 1_000).toISOString() }),
    make(["admin"], { ratePerMin: 1 }),
  ]);
  const text = (made: { key: string } | undefined) => made?.key ?? "";
  return {
    ...{ read: text(read), ingest: text(ingest), desk: text(desk), admin: text(admin) },
    ...{ expired: text(expired), revoked: text(revoked), spent: text(spent) },
  };
}

beforeAll(async () => {
  [api, retrieval] = await Promise.all([testApi(ENV), testRetrieval([], { env: ENV })]);
  const [shared, own] = await Promise.all([makeKeys(api.store), makeKeys(retrieval.store)]);
  keysOf = { api: shared, scraper: shared, edge: shared, nlp: shared, retrieval: own };
  server = await listen(api.app.fetch, { host: "127.0.0.1", port: 0 });
  const remote = { ...ENV, API_URL: server.url };
  scraper = await testScraper(ENV, { store: api.store });
  edge = await testEdge({
    env: remote,
    models: { embedder: NOT_LOADED, reader: NOT_LOADED, reranker: NOT_LOADED, translators: [] },
  });
  const inventory = attempt(openInventory);
  const absent = () => {
    throw new Error("not here");
  };
  nlp = createNlp({
    config: loadConfig(remote, { service: "nlp" }),
    logger: createLogger({ service: "nlp", level: "debug", stream: { write: (line) => void nlpLines.push(line) } }),
    metrics: createMetrics(),
    analysers,
    senses: { inventory, chooser: absent },
    entities: { nested: absent, check: absent },
  });
});
afterAll(async () => {
  await server.stop(0);
  await analysers.close();
  await Promise.all([edge.close(), scraper.close(), api.close(), retrieval.close()]);
});

/** Holds what a request has beside its key. */
type Given = { query?: string; headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> };

/** Asks an operation with a key in both places that it may stand in; its input does not matter to a guard. */
async function ask({ service, method, path }: OperationRight, key?: string, given?: Given): Promise<Response> {
  const apps: Record<string, { request(path: string, init: RequestInit): Response | Promise<Response> }> = {
    ...{ api: api.app, scraper: scraper.app, edge: edge.app, retrieval: retrieval.app, nlp: nlp.app },
  };
  const app = apps[service];
  if (app === undefined) throw new RangeError(`there is no service ${service}`);
  const shown: Record<string, string> = key === undefined ? {} : { "x-api-key": key, authorization: `Bearer ${key}` };
  const body = method === "GET" || method === "DELETE" ? undefined : given?.body;
  return await app.request(path.replaceAll(/\{\w+\}/g, "4711") + (given?.query ?? ""), {
    ...{ method, headers: { ...shown, ...(given && { "x-dev-key": "local-dev" }), ...given?.headers } },
    ...(body !== undefined && { body }),
  });
}

const documents = new Map(
  ["api", "edge", "nlp", "retrieval", "scraper"].map((name) => {
    const text = readFileSync(join(import.meta.dirname, `../clients/openapi/${name}.json`), "utf8");
    return [name, JSON.parse(text)] as const;
  }),
);
const operations = operationRights(documents);
const guarded = operations.filter(({ right }) => right !== null);
const named = ({ service, id, right }: OperationRight) => `${service} ${id} (${right})`;

/** Returns the scopes that are good for a right: `admin` is for each, `desk` reads, too; none has those of tokens. */
const goodFor = (right: string | null) =>
  RIGHTS.filter((scope) => scope === right || scope === "admin" || (scope === "desk" && right === "read"));

describe("every operation that needs a right, of all documents,", () => {
  /** Asks each, and returns those whose answer is another than `expected`, with it. */
  async function wrong(
    key: string | undefined | ((of: OperationRight) => string),
    expected: number,
  ): Promise<string[]> {
    const answers = await Promise.all(
      guarded.map(async (operation) => {
        const answer = await ask(operation, typeof key === "function" ? key(operation) : key);
        const isProblem = answer.headers.get("content-type")?.startsWith("application/problem+json") === true;
        const retryAfter = Number(answer.headers.get("retry-after"));
        const isRight = answer.status === expected && isProblem && (expected !== 429 || retryAfter >= 1);
        await answer.body?.cancel();
        return isRight ? [] : [`${named(operation)}: ${answer.status}`];
      }),
    );
    return answers.flat();
  }
  const keyOf = (name: keyof Keys) => (operation: OperationRight) => keysOf[operation.service]?.[name] ?? "";

  test("is 401 without a key, with a wrong one, one that has expired and one that was revoked", async () => {
    expect(guarded.length).toBeGreaterThan(60);
    // The services without a database learn of the keys.
    for (const operation of guarded.filter(({ id }) => id === "getMorphology" || id === "queryChunks"))
      while ((await ask(operation, keysOf.api?.read)).status === 401) await Bun.sleep(20);
    expect(await wrong(undefined, 401)).toEqual([]);
    expect(await wrong("isnad_000000000000_wrong", 401)).toEqual([]);
    expect(await wrong(keyOf("expired"), 401)).toEqual([]);
    expect(await wrong(keyOf("revoked"), 401)).toEqual([]);
  });

  test("is 403 with a key of any other scope, and neither with its own nor with admin", async () => {
    for (const scope of RIGHTS) {
      const others = await Promise.all(
        guarded.map(async (operation) => {
          const answer = await ask(operation, keyOf(scope)(operation));
          await answer.body?.cancel();
          const isGood = goodFor(operation.right).includes(scope);
          const isRight = isGood ? ![401, 403, 429].includes(answer.status) : answer.status === 403;
          return isRight ? [] : [`${named(operation)} with ${scope}: ${answer.status}`];
        }),
      );
      expect(others.flat()).toEqual([]);
    }
  });

  test("is 429 with Retry-After beyond the rate of its key, which is one for all operations of a service", async () => {
    // The scraper counts with the API: one key has one rate in one database.
    const [first] = guarded.filter(({ id }) => id === "ingestArticles");
    if (first !== undefined) expect((await ask(first, keyOf("spent")(first))).status).not.toBe(429);
    await wrong(keyOf("spent"), 429);
    expect(await wrong(keyOf("spent"), 429)).toEqual([]);
  });

  test("takes its key in either place", async () => {
    const [row] = guarded.filter(({ id }) => id === "listSources");
    const key = keysOf.api?.read ?? "";
    for (const headers of [{ "x-api-key": key }, { authorization: `Bearer ${key}` }])
      expect((await api.app.request(row?.path ?? "", { headers })).status).toBe(200);
  });

  test("has left no key in a log", async () => {
    const logs = [...api.lines, ...scraper.lines, ...edge.lines, ...nlpLines]
      .map((line) => JSON.stringify(line))
      .join("\n");
    expect(logs.length).toBeGreaterThan(50_000);
    for (const key of allKeys()) {
      const [, id = "", secret = ""] = /^isnad_(\w+?)_(.+)$/.exec(key) ?? [];
      expect([id !== "" && secret.length > 40, logs.includes(secret)]).toEqual([true, false]);
    }
    expect(logs).not.toContain("isnad_000000000000_wrong");
  });
});

describe("every documented error is met:", () => {
  const json = (value: unknown): Given => ({ headers: JSON_TYPE, body: JSON.stringify(value) });
  const CHAT = { messages: [{ role: "user", content: "a" }] };

  /** Holds what brings about a status in whatever operation documents it. */
  const PROVOCATIONS: Record<number, Given> = {
    400: { headers: JSON_TYPE, body: "{" },
    404: {},
    413: { headers: JSON_TYPE, body: new Uint8Array(2_000_000).fill(0x20) },
    414: { query: `?text=${"a".repeat(70_000)}` },
    415: { headers: { "content-type": "text/plain" }, body: "a" },
    422: { query: "?no_such_parameter=1" },
  };

  /** Holds what takes more than that: an input that is right but for the one thing. */
  const OWN: Record<string, Given> = {
    "ingestRelations 404": json({ doc_id: "4711", enrichment_status: "ok", relations: [] }),
    "changeReview 404": json({ publisher: "a" }),
    "updateSavedSearch 404": json({ name: "a" }),
    "updateSource 404": json({ tier: 1 }),
    "getSearchAtomFeed 404": { query: "?key=k" },
    "getSearchJsonFeed 404": { query: "?key=k" },
    "createOpenAiCompletion 404": json({ ...CHAT, model: "nothing" }),
    "retrieveEvidence 404": json({ query: "a", filters: { index: "nothing" } }),
    "createRun 404": json({ profile_id: "nothing" }),
    "scrapeSources 404": json({ sources: ["nothing"] }),
    "analyseDialectSentence 404": json({ sentence_id: 99_999_999 }),
    "getDialectSentence 404": { query: "?sentence_id=99999999" },
    "getDialectSentence 400": {
      query: `?sentence_id=1&text=${encodeURIComponent("بكرا عندي فحص رياضيات وما درست شي.")}`,
    },
    "transcribeAudio 400": { headers: { "content-type": "multipart/form-data; boundary=x" }, body: "a" },
    "transcribeAudio 413": { body: new Uint8Array(25_000_001) },
    "replayArticles 404": json({ profile_id: "nothing" }),
  };

  /** Holds what needs an edge worker with a model: api/routes/openai.test.ts has it. */
  const IN_OPENAI_TEST = new Set(["getOpenAiModel 404", "createOpenAiEmbeddings 404"]);

  test.each([400, 404, 413, 414, 415, 422])("%d", async (status) => {
    const wrong: string[] = [];
    for (const operation of operations.filter(({ statuses }) => statuses.includes(status))) {
      if (IN_OPENAI_TEST.has(`${operation.id} ${status}`)) continue;
      const given = OWN[`${operation.id} ${status}`] ?? PROVOCATIONS[status];
      const answer = await ask(operation, keysOf[operation.service]?.admin, given);
      const said = await answer.text();
      if (answer.status !== status)
        wrong.push(`${operation.service} ${operation.id}: ${answer.status} ${said.slice(0, 120)}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("every other operation", () => {
  test("is open, or asks for what its document names", async () => {
    const open = operations.filter(({ right, path }) => right === null && !/readyz|health|docs|openapi/.test(path));
    const answers = await Promise.all(
      open.map(async (operation) => {
        const answer = await ask(operation);
        await answer.body?.cancel();
        return [operation.path, answer.status] as const;
      }),
    );
    const refused = answers.filter(([, status]) => status === 401 || status === 403).map(([path]) => path);
    // Developers show a key of theirs.
    expect(new Set(refused)).toEqual(
      new Set([...["/rag/dev/echo-embed", "/rag/dev/vectorize-smoke", "/rag/dev/upsert-batch"]]),
    );
  });

  test("of the services among each other is theirs", async () => {
    const status = async (headers: Record<string, string>) =>
      (await api.app.request("/internal/keys", { method: "POST", headers })).status;
    expect(await status({})).toBe(401);
    for (const scope of RIGHTS) expect(await status({ "x-api-key": keysOf.api?.[scope] ?? "" })).toBe(403);
    expect(await status({ "x-internal-token": "internal-token" })).not.toBe(401);
  });
});

test("a service without a database knows the keys by the API, also those that are revoked", async () => {
  const status = async (key: string) =>
    (await nlp.app.request("/ner?text=a", { headers: { "x-api-key": key } })).status;
  const own = JSON.parse(await run(["create", "--name", "n", "--scope", "read", "--json"]));
  while ((await status(own.key)) === 401) await Bun.sleep(20);
  await run(["revoke", own.key_id]);
  while ((await status(own.key)) !== 401) await Bun.sleep(20);
});

describe("tokens of the environment", () => {
  const status = async (method: string, path: string, headers: Record<string, string>) =>
    (await api.app.request(path, { method, headers })).status;

  test("the ingest token reads, submits and deletes, the latter unless INGEST_MAY_DELETE says no", async () => {
    const headers = { authorization: "Bearer ingest-token" };
    expect(await status("GET", "/v1/articles/4711", headers)).toBe(404);
    expect(await status("DELETE", "/v1/articles/4711", headers)).toBe(404);
    const strict = await testApi({ ...ENV, INGEST_MAY_DELETE: "false" });
    const answer = await strict.app.request("/v1/articles/4711", { method: "DELETE", headers });
    expect(answer.status).toBe(403);
    await strict.close();
  });
});

describe("the command keys", () => {
  test("keeps no key, and lists each with its last use", async () => {
    const { key_id, key } = JSON.parse(
      await run([
        "create",
        "--name",
        "Partner",
        "--scope",
        "read,desk",
        "--expires",
        "2099-01-31",
        "--rate-per-min",
        "60",
        "--json",
      ]),
    );
    expect(JSON.stringify(await api.snapshot())).not.toContain(key);
    const listed = JSON.parse(await run(["list", "--json"]));
    expect(listed.find((each: { key_id: string }) => each.key_id === key_id)).toEqual({
      ...{ key_id, name: "Partner", scopes: ["read", "desk"], rate_per_min: 60, revoked_at: null, last_used_at: null },
      ...{ created_at: expect.stringMatching(/Z$/), expires_at: "2099-01-31T23:59:59.999Z" },
    });
    expect(await run(["list"])).not.toContain(key);
    await api.store.keys.current([{ key_id, at: new Date().toISOString() }]);
    expect(await run(["list", "--json"])).toMatch(/"last_used_at": "\d{4}-/);
  });

  test("refuses what is no name, scope, date or id", async () => {
    for (const argv of [
      ["create", "--scope", "read"],
      ["create", "--name", "x", "--scope", "all"],
      ["create", "--name", "x", "--scope", ""],
      ["create", "--name", "x", "--scope", "read", "--expires", "soon"],
      ["create", "--name", "x", "--scope", "read", "--expires", "2020-01-01"],
      ["revoke"],
      ["revoke", "nothing"],
      ["drop"],
    ])
      await expect(run(argv)).rejects.toThrow();
  });

  test("makes no reading key where the services could not ask each other then", async () => {
    const { io, err } = captureIo({ DATABASE_URL: api.url, APP_ENV: "production" });
    expect(await runCommand(keys, ["create", "--name", "x", "--scope", "read"], io)).toBe(1);
    expect(err()).toContain("INTERNAL_TOKEN");
  });
});
