import { afterAll, expect, test } from "bun:test";
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Env, loadConfig } from "../../service/config/mod.ts";
import { checkEngines, openKeyword } from "./open.ts";
import { freePort } from "../../std/ports.ts";

/** Answers every request with the same status and body, one for a mapping with another, and counts writes. */
let answer: { status: number; body: unknown; mapping?: unknown } = { status: 200, body: {} };
let writes = 0;
const server = createServer((request, response) => {
  if (request.method !== "GET") writes++;
  response
    .writeHead(answer.status, { "content-type": "application/json" })
    .end(JSON.stringify(request.url?.includes("/_mapping") ? answer.mapping : answer.body));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
const dir = mkdtempSync(join(tmpdir(), "isnad-settings-"));
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(dir, { recursive: true });
});

const store = {
  chunks: {
    head: async () => ({ database: "x", seq: 0 }),
  },
  sources: { list: async () => [] },
};

const failure = (work: () => Promise<unknown>): Promise<string> =>
  work().then(
    () => "none",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

async function opening(env: Env, body: unknown = {}, status = 200): Promise<string> {
  answer = { status, body };
  writes = 0;
  return await failure(async () => {
    const { keyword } = loadConfig(env).engines;
    await openKeyword({ engine: keyword, store, dir });
  });
}

test.each([
  [{ OPENSEARCH_URL: "a" }, "OPENSEARCH_URL must be a URL"],
  [{ OPENSEARCH_URL: "http://u:p@a" }, "OPENSEARCH_URL must not hold a user or password"],
  [{ KEYWORD_ENGINE: "opensearch" }, "OPENSEARCH_URL must be set when KEYWORD_ENGINE is opensearch"],
  [{ VECTOR_ENGINE: "opensearch" }, "OPENSEARCH_URL must be set when VECTOR_ENGINE is opensearch"],
  [{ KEYWORD_ENGINE: "meilisearch" }, "MEILI_URL must be set when KEYWORD_ENGINE is meilisearch"],
  [{ KEYWORD_ENGINE: "solr" }, "KEYWORD_ENGINE must be one of embedded, fts5, meilisearch, opensearch"],
  [
    { OPENSEARCH_URL: "http://a", MEILI_URL: "http://b" },
    "KEYWORD_ENGINE must be set when OPENSEARCH_URL and MEILI_URL both are",
  ],
  [{ OPENSEARCH_URL: "http://a", OPENSEARCH_USER: "u" }, "OPENSEARCH_PASSWORD must be set when OPENSEARCH_USER is"],
  [{ OPENSEARCH_URL: "http://a", OPENSEARCH_PASSWORD: "p" }, "OPENSEARCH_USER must be set when OPENSEARCH_PASSWORD is"],
  [{ MEILI_API_KEY: "k" }, "MEILI_URL must be set when MEILI_API_KEY is"],
])("settings that contradict each other are told by their names: %j", (env, message) => {
  expect(() => loadConfig(env)).toThrow(message);
});

test("the engine follows from the URL that is set, unless it is named", () => {
  const enginesOf = (env: Env) => {
    const { keyword, vectors } = loadConfig(env).engines;
    return [keyword.engine, vectors.engine];
  };
  expect(enginesOf({})).toEqual(["embedded", "usearch"]);
  expect(enginesOf({ KEYWORD_ENGINE: "fts5" })).toEqual(["embedded", "usearch"]);
  expect(enginesOf({ MEILI_URL: "http://a" })).toEqual(["meilisearch", "usearch"]);
  expect(enginesOf({ OPENSEARCH_URL: "http://a,http://b" })).toEqual(["opensearch", "opensearch"]);
  expect(enginesOf({ OPENSEARCH_URL: "http://a", KEYWORD_ENGINE: "embedded" })).toEqual(["embedded", "opensearch"]);
  const both = { OPENSEARCH_URL: "http://a", MEILI_URL: "http://b", KEYWORD_ENGINE: "meilisearch" };
  expect(enginesOf(both)).toEqual(["meilisearch", "opensearch"]);
});

test.each([
  [
    { version: { number: "8.11.0" } },
    200,
    "OPENSEARCH_URL: <url> serves Elasticsearch 8.11.0; OpenSearch 2 or 3 is needed",
  ],
  [
    { version: { number: "4.0.0", distribution: "opensearch" } },
    200,
    "OPENSEARCH_URL: <url> serves opensearch 4.0.0; OpenSearch 2 or 3 is needed",
  ],
  [{ hello: "world" }, 200, "OPENSEARCH_URL: <url> is no OpenSearch"],
  [{}, 401, "OPENSEARCH_USER and OPENSEARCH_PASSWORD: a user is needed at <url>"],
])(
  "a cluster that cannot be used is told by the setting, and nothing is written: %j",
  async (body, status, message) => {
    expect(await opening({ OPENSEARCH_URL: url }, body, status)).toBe(message.replace("<url>", url));
    expect(writes).toBe(0);
  },
);

test.each([
  [{ pkgVersion: "0.30.0", commitSha: "", commitDate: "" }, 200, "serves version 0.30.0; Meilisearch 1 is needed"],
  [{ message: "x", code: "missing_authorization_header", type: "auth" }, 401, "MEILI_API_KEY: a key is needed"],
  [{ message: "x", code: "not_found", type: "x" }, 404, "is no Meilisearch"],
])(
  "a Meilisearch that cannot be used is told by the setting, and nothing is written: %j",
  async (body, status, message) => {
    const said = await opening({ MEILI_URL: url }, body, status);
    expect(said).toContain(message);
    expect(said).toStartWith("MEILI_");
    expect(writes).toBe(0);
  },
);

test("what is checked before anything changes: that servers can be used; an index of another analyser is its follower's", async () => {
  const checking = async (env: Env) => await failure(async () => await checkEngines(loadConfig(env).engines));
  const nobody = `http://127.0.0.1:${await freePort()}`;
  expect(await checking({})).toBe("none");
  for (const engine of ["KEYWORD_ENGINE", "VECTOR_ENGINE"]) {
    const one = { KEYWORD_ENGINE: "embedded", VECTOR_ENGINE: "usearch", [engine]: "opensearch" };
    expect(await checking({ ...one, OPENSEARCH_URL: nobody })).toStartWith(
      `OPENSEARCH_URL: ${nobody} cannot be reached`,
    );
  }
  answer = { status: 200, body: { version: { number: "3.5.0", distribution: "opensearch" } } };
  writes = 0;
  expect(await checking({ OPENSEARCH_URL: url })).toBe("none");
  expect(writes).toBe(0);
});

test("an address where nobody listens, and certificates that are not there, are told by the setting", async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  expect(await opening({ OPENSEARCH_URL: nobody })).toStartWith(`OPENSEARCH_URL: ${nobody} cannot be reached`);
  expect(await opening({ MEILI_URL: nobody })).toStartWith(`MEILI_URL: ${nobody} cannot be reached`);
  const env = { OPENSEARCH_URL: url, OPENSEARCH_CA_FILE: "/none.pem" };
  expect(await opening(env)).toBe("OPENSEARCH_CA_FILE: /none.pem cannot be read");
});
