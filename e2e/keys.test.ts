import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { loadConfig } from "@isnad/lib/service/config";
import { listen, type Listening } from "@isnad/lib/service/http";
import { type TestApi, testApi } from "../api/testing.ts";
import { keys } from "../cli/keys/keys.ts";
import { openAnalysers } from "../nlp/linguistic/analysers.ts";
import { createApp as createNlp } from "../nlp/linguistic/app.ts";
import { type TestScraper, testScraper } from "../scraper/testing/scraper.ts";
import { testEdge } from "../edge/testing/edge.ts";

setDefaultTimeout(60_000);

const ENV = {
  INTERNAL_TOKEN: "internal-token",
  METRICS_TOKEN: "m",
  SCRAPER_TOKEN: "scraper-token",
  EDGE_API_KEY: "edge-key",
};
const RIGHTS = ["read", "ingest", "desk", "admin"] as const;

let api: TestApi;
let scraper: TestScraper;
let edge: Awaited<ReturnType<typeof testEdge>>;
let server: Listening;
let nlp: ReturnType<typeof createNlp>;
const analysers = openAnalysers();
const made: Record<string, { key_id: string; key: string }> = {};

async function run(argv: string[]): Promise<string> {
  const { io, out, err } = captureIo({ DATABASE_URL: api.url, ...ENV });
  if ((await runCommand(keys, argv, io)) !== 0) throw new Error(err());
  return out();
}

beforeAll(async () => {
  api = await testApi(ENV);
  server = await listen(api.app.fetch, { host: "127.0.0.1", port: 0 });
  const remote = { ...ENV, API_URL: server.url };
  scraper = await testScraper(ENV, { store: api.store });
  edge = await testEdge({ env: remote });
  const absent = () => {
    throw new Error("not here");
  };
  nlp = createNlp({
    config: loadConfig(remote, { service: "nlp" }),
    logger: createLogger({ service: "nlp", level: "silent" }),
    metrics: createMetrics(),
    analysers,
    senses: { inventory: absent, chooser: absent },
    entities: { nested: absent, check: absent },
  });
  for (const scope of RIGHTS)
    made[scope] = JSON.parse(await run(["create", "--name", scope, "--scope", scope, "--json"]));
});
afterAll(async () => {
  await server.stop(0);
  await analysers.close();
  await edge.close();
  await scraper.close();
  await api.close();
});

type Row = { service: string; method: string; path: string; right: string };

const rows = readFileSync(join(import.meta.dirname, "..", "docs", "keys.md"), "utf8")
  .split("\n")
  .flatMap((line): Row[] => {
    const [, service, method, path, right] =
      /^\| (\w+) +\| (GET|POST|PATCH|DELETE) (\S+) +\| (\w+) +\|$/.exec(line) ?? [];
    if (service === undefined || method === undefined || path === undefined || right === undefined) return [];
    return [{ service, method, path: path.replace("{id}", "4711"), right }];
  });

async function ask({ service, method, path }: Row, headers: Record<string, string>): Promise<number> {
  const apps: Record<string, { request(path: string, init: RequestInit): Response | Promise<Response> }> = {
    api: api.app,
    scraper: scraper.app,
    edge: edge.app,
  };
  return (await apps[service]?.request(path, { method, headers }))?.status ?? 0;
}

describe("docs/keys.md: who may do what", () => {
  test("has a row for every route that asks for something", () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  for (const row of rows.filter(({ service }) => service !== "retrieval")) {
    test(`${row.service} ${row.method} ${row.path} needs ${row.right}`, async () => {
      expect(await ask(row, {})).toBe(401);
      expect(await ask(row, { "x-api-key": "isnad_wrong", authorization: "Bearer isnad_wrong" })).toBe(401);
      for (const scope of RIGHTS) {
        const isGood = scope === row.right || (scope === "admin" && row.right !== "internal");
        const key = made[scope]?.key ?? "";
        for (const headers of [{ "x-api-key": key }, { authorization: `Bearer ${key}` }]) {
          const status = await ask(row, headers);
          expect([scope, status === 403]).toEqual([scope, !isGood]);
          if (isGood) expect(status).not.toBe(401);
        }
      }
    });
  }

  test("a service without a database knows the keys by the API, also those that are revoked", async () => {
    const status = async (key: string) =>
      (await nlp.app.request("/ner?text=a", { headers: { "x-api-key": key } })).status;
    expect([await status(""), await status("isnad_wrong")]).toEqual([401, 401]);
    const own = JSON.parse(await run(["create", "--name", "n", "--scope", "read", "--json"]));
    while ((await status(own.key)) === 401) await Bun.sleep(20);
    expect(await status(made.ingest?.key ?? "")).toBe(403);
    await run(["revoke", own.key_id]);
    const since = performance.now();
    while ((await status(own.key)) !== 401) await Bun.sleep(20);
    expect(performance.now() - since).toBeLessThan(2_000);
  });
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
