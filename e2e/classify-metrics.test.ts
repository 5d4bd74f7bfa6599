import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServiceProcess, spawnService } from "@isnad/lib/service/process/testing";
import { type TestDatabase, testDatabase } from "@isnad/lib/store/testing";

setDefaultTimeout(300_000);

let database: TestDatabase;
let dataDir: string;
const services: ServiceProcess[] = [];
let api: string;
let retrieval: string;

/** Starts a service, and resolves to its URL. */
async function start(main: string, env: Record<string, string>, listening: string): Promise<string> {
  const shared = { DATA_DIR: dataDir, DATABASE_URL: database.url, INGEST_TOKEN: "t" };
  const service = spawnService(new URL(main, import.meta.url), { ...shared, ...env });
  services.push(service);
  return String((await service.said(listening)).url);
}

beforeAll(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "isnad-e2e-"));
  retrieval = await start("../nlp/retrieval/main.ts", { RETRIEVAL_PORT: "0" }, "the retrieval service is listening");
  api = await start("../api/main.ts", { API_PORT: "0", RETRIEVAL_URL: retrieval }, "the API is listening");
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.end()));
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const metrics = async (): Promise<string> => (await fetch(`${api}/metrics`)).text();
/** The value of the one series of this name with these labels, in whatever order they are. */
async function series(name: string, labels: Record<string, string>): Promise<number | undefined> {
  const parts = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const lines = (await metrics()).split("\n").filter((line) => line.startsWith(`${name}{`));
  const line = lines.find((each) => parts.every((label) => each.includes(label)));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}
const check = (body: object): Promise<Response> =>
  fetch(`${retrieval}/s1/check-worthiness`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("the API shows the metrics of classifications before there was any", async () => {
  const text = await metrics();
  expect(text).toContain("# TYPE ai_classify_requests_total counter");
  expect(text).toContain("# TYPE ai_classify_latency_ms histogram");
  expect(text).toContain("# TYPE ai_classify_failures_total counter");
});

test("what the retrieval service classified is in the API's metrics soon after", async () => {
  expect((await check({ sentences: ["Unemployment fell to 3.9 percent in May."] })).status).toBe(200);
  expect((await check({ text: "Thank you. Prices rose by a tenth." })).status).toBe(200);
  const counted = () => series("ai_classify_requests_total", { task: "check-worthiness", status: "ok" });
  while ((await counted()) !== 2) await Bun.sleep(50);
  const text = await metrics();
  expect(await series("ai_classify_latency_ms_count", { task: "check-worthiness" })).toBe(2);
  expect(text).toMatch(/^ai_classify_requests_total\{.*upstream="[a-z-]+"/m);
  expect(text).not.toContain("inference_requests_total");
});
