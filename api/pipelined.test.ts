import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServiceProcess, spawnService } from "@isnad/lib/service/process/testing";
import { type TestDatabase, testDatabase } from "@isnad/lib/store/testing";
import { bodyOf, item } from "./testing.ts";

setDefaultTimeout(300_000);

let db: TestDatabase;
let dataDir: string;
let api: ServiceProcess;
let url: URL;

beforeAll(async () => {
  db = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "isnad-api-pipelined-"));
  api = spawnService(new URL("main.ts", import.meta.url), {
    DATA_DIR: dataDir,
    DATABASE_URL: db.url,
    API_PORT: "0",
    INGEST_TOKEN: "t",
  });
  url = new URL(String((await api.said("the API is listening")).url));
});
afterAll(async () => {
  api.child.kill("SIGKILL");
  await db.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const headers = { authorization: "Bearer t", "content-type": "application/json" };
const batch = (name: string) => [1, 2, 3].map((n) => item({ external_id: `${name}-${n}` }));

/** A request that posts articles, as it goes over the wire. */
function requestFor(articles: readonly object[]): string {
  const body = Buffer.from(JSON.stringify({ articles }));
  const lines = Object.entries({ ...headers, host: "localhost", "content-length": body.length }).map((pair) =>
    pair.join(": "),
  );
  return [`POST /v1/ingest/articles HTTP/1.1`, ...lines, "", body.toString()].join("\r\n");
}

/** Sends all at once on one connection; the answers that came until each was there, or the server closed it. */
function pipelined(requests: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let text = "";
    const answers = () => text.match(/HTTP\/1\.1 \d+/g) ?? [];
    const socket = connect(Number(url.port), url.hostname, () => socket.write(requests.join("")));
    socket.on("data", (data) => {
      text += data;
      if (answers().length === requests.length) socket.destroy();
    });
    socket.on("error", reject).on("close", () => resolve(answers()));
  });
}

async function post(articles: readonly object[]): Promise<string[]> {
  const request = { method: "POST", body: JSON.stringify({ articles }), headers };
  const { results } = await bodyOf(await fetch(new URL("/v1/ingest/articles", url), request));
  return Array.isArray(results) ? results.map(({ status }) => String(status)) : [];
}

test("batches that are pipelined are taken whole or not at all, and can be sent again", async () => {
  for (let round = 0; round < 10; round++) {
    const batches = ["a", "b", "c"].map((name) => batch(`${name}-${round}`));
    const answers = await pipelined(batches.map(requestFor));
    for (const [n, articles] of batches.entries()) {
      const again = new Set(await post(articles));
      expect(again.size).toBe(1);
      // What was answered is there.
      if (n < answers.length) expect([...again]).toEqual(["duplicate"]);
      expect(await post(articles)).toEqual(["duplicate", "duplicate", "duplicate"]);
    }
  }
});
