import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { createReranker, openRegistry } from "@isnad/lib/models";
import { models } from "../../../cli/models/models.ts";
import { crossEncoderFolder, type TinyCrossEncoder } from "../../../lib/models/tasks/rerank/testing.ts";
import { prepareData, startRetrieval } from "../testing-process.ts";

setDefaultTimeout(300_000);

const TITLES = [
  "Interest rates of the central bank",
  "Prices and interest rates rose",
  "The bank on Monday",
  "رفع البنك أسعار الفائدة: the bank rates",
];
const ASKED = { query: "interest rates of the bank", rerank: true };
const data = await prepareData(TITLES);
const home = join(data.dir, "models", "tiny");
afterAll(() => data.remove());

/** Puts a cross-encoder where `models pull` puts it. */
function install(graph: TinyCrossEncoder): void {
  const made = crossEncoderFolder(graph);
  rmSync(home, { recursive: true, force: true });
  cpSync(made.dir, home, { recursive: true });
  made.remove();
}

type Hit = { title: string; passage: string; rerank_score: number };

test("a cross-encoder taken into use orders the hits by its own scores", async () => {
  install("wordpiece");
  const { io } = captureIo(data.env);
  expect(await runCommand(models, ["use", "tiny"], io)).toBe(0);
  const service = await startRetrieval(data.env);
  await service.loaded();
  const { status, body } = await service.ask("/retrieve", ASKED);
  expect(await service.end()).toBe(0);
  expect({ status, degraded: body.degraded }).toEqual({ status: 200, degraded: false });
  const hits: Hit[] = JSON.parse(JSON.stringify(body.results));
  expect(hits.map(({ title }) => title).toSorted()).toEqual(TITLES.toSorted());

  const reranker = await createReranker({ registry: openRegistry({ dataDir: data.dir }), model: "tiny" });
  const expected = await reranker.rerank(
    ASKED.query,
    hits.map(({ title, passage }) => ({ title, text: passage })),
  );
  await reranker.close();
  for (const [i, { rerank_score: score }] of hits.entries()) expect(score).toBeCloseTo(expected[i] ?? Number.NaN, 5);
  const scores = hits.map((hit) => hit.rerank_score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(new Set(scores).size).toBe(TITLES.length);
});

/** One fault: the reranker's own tests try every one. */
test("a graph that asks for what nobody knows: said at the start, 503 for reranking alone", async () => {
  install("unknown-input");
  const service = await startRetrieval(data.env);
  await service.loaded();
  const problems = service.lines.filter(({ task }) => task === "rerank");
  const reason = expect.stringContaining("position_ids");
  expect(problems).toMatchObject([{ model: "tiny", code: "model-invalid", reason }]);
  const refused = await service.ask("/retrieve", ASKED);
  expect(refused).toMatchObject({ status: 503, body: { type: "/errors/model-not-installed" } });
  expect(refused.body.detail).toContain("tiny");
  expect((await service.ask("/retrieve", { query: ASKED.query })).status).toBe(200);
  expect(await service.end()).toBe(0);
});
