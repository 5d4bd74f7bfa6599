import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServiceProcess, spawnService } from "@isnad/lib/service/process/testing";
import { type FreezablePostgres, freezablePostgres } from "@isnad/lib/store/testing";
import { bodyOf, item } from "./testing.ts";

setDefaultTimeout(300_000);

let postgres: FreezablePostgres;
let dataDir: string;
let api: ServiceProcess;
let url: string;

beforeAll(async () => {
  postgres = await freezablePostgres();
  dataDir = await mkdtemp(join(tmpdir(), "isnad-api-frozen-"));
  api = spawnService(new URL("main.ts", import.meta.url), {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    DATABASE_TIMEOUT_MS: "300",
    API_PORT: "0",
    INGEST_TOKEN: "t",
  });
  url = String((await api.said("the API is listening")).url);
});
afterEach(() => postgres.thaw());
afterAll(async () => {
  api.child.kill("SIGKILL");
  await postgres.close();
  await rm(dataDir, { recursive: true, force: true });
});

const post = (articles: readonly object[], headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/ingest/articles`, {
    method: "POST",
    body: JSON.stringify({ articles }),
    headers: { authorization: "Bearer t", "content-type": "application/json", ...headers },
  });
const batch = (name: string) => [1, 2, 3].map((n) => item({ external_id: `${name}-${n}` }));
const statuses = async (response: Response): Promise<unknown[]> => {
  const { results } = await bodyOf(response);
  return Array.isArray(results) ? results.map(({ status }) => status) : [];
};

describe("while the database is frozen", () => {
  test("submitting and showing articles is 503 with Retry-After, for each of many", async () => {
    const { results } = await bodyOf(await post(batch("shown")));
    const id = Object(results)[0].article_id;
    postgres.freeze();
    const routes = ["/livez", "/health", "/metrics"].map(async (path) => (await fetch(`${url}${path}`)).status);
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => post(batch(`many-${n}`))),
      ...Array.from({ length: 5 }, (_, n) => post(batch(`key-${n}`), { "idempotency-key": `key-${n}` })),
      ...Array.from({ length: 20 }, () => fetch(`${url}/v1/articles/${id}`)),
      fetch(`${url}/v1/articles/${id}`, { method: "DELETE", headers: { authorization: "Bearer t" } }),
    ]);
    for (const answer of answers) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await bodyOf(answer)).toMatchObject({ type: "/errors/service-unavailable" });
    }
    expect(await Promise.all(routes)).toEqual([200, 503, 200]);
    postgres.thaw();
    expect((await fetch(`${url}/v1/articles/${id}`)).status).toBe(200);
  });

  test("what was submitted is there once when it is submitted again afterwards", async () => {
    postgres.freeze();
    const refused = [post(batch("again")), post(batch("keyed"), { "idempotency-key": "keyed" })];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([503, 503]);
    postgres.thaw();
    const again = [await post(batch("again")), await post(batch("again"))];
    expect(again.map(({ status }) => status)).toEqual([202, 202]);
    const [first, second] = [await bodyOf(again[0] ?? Response.error()), await bodyOf(again[1] ?? Response.error())];
    const ids = (results: unknown) => (Array.isArray(results) ? results.map(({ article_id }) => article_id) : []);
    expect(ids(second.results)).toEqual(ids(first.results));
    const keyed = [
      await post(batch("keyed"), { "idempotency-key": "keyed" }),
      await post(batch("keyed"), { "idempotency-key": "keyed" }),
    ];
    expect(keyed[1]?.headers.get("idempotency-replayed")).toBe("true");
    for (const answer of keyed) expect(await statuses(answer)).toEqual(["accepted", "accepted", "accepted"]);
  });

  test("SIGTERM still ends the API, with exit code 0", async () => {
    postgres.freeze();
    void post(batch("last")).catch(() => {});
    expect(await api.end("SIGTERM")).toBe(0);
  });
});
