import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRegistry, SHIPPED_MODELS } from "@isnad/lib/models";
import { prepareData, startRetrieval } from "./testing-process.ts";

setDefaultTimeout(300_000);

const data = await prepareData(["The harbour reopens after the storm"]);
const { env } = data;
const models = join(data.dir, "models");
const shipped = openRegistry();

afterAll(() => data.remove());

/** One for each model: the registry's own tests try every one. */
const damages = {
  missing: { file: "model.onnx", code: "model-missing", harm: (path: string) => rmSync(path) },
  truncated: { file: "model.onnx", code: "model-altered", harm: (path: string) => truncateSync(path, 1_000) },
  altered: { file: "model.onnx", code: "model-altered", harm: flip },
};

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  writeFileSync(path, bytes);
}

/** Routes by the model they need, each with a request that is answered with 200 when it is whole. */
const routes = {
  "no model": [["/search?q=harbour&mode=bm25"]],
  embedding: [["/search?q=harbour&mode=vector"], ["/retrieve", { query: "harbour", k_bm25: 0 }]],
  rerank: [["/retrieve", { query: "harbour", rerank: true }]],
  "check-worthiness": [
    ["/s1/check-worthiness", { text: "Prices rose by 5 percent in May." }],
    ["/s1/score", { sentences: ["Prices rose by 5 percent in May."] }],
  ],
} satisfies Record<string, [string, object?][]>;

/** What the health route says fails without the task's model. */
const FAILS = { embedding: ["vectors", "embedding"], rerank: ["rerank"], "check-worthiness": ["check_worthiness"] };

const embedding = { task: "embedding", kind: "embed", damage: "missing" } as const;
const rerank = { task: "rerank", kind: "rerank", damage: "truncated" } as const;
const classification = { task: "check-worthiness", kind: "classify", damage: "altered" } as const;

test.each([
  ["embedding is missing", [embedding]],
  ["reranking and check-worthiness are damaged", [rerank, classification]],
] as const)("%s: said at the start, 503 for its routes alone, everything else is served", async (_, given) => {
  const nameOf = new Map<string, string>();
  for (const { task, kind, damage } of given) {
    const name = shipped.default(kind);
    nameOf.set(task, name);
    mkdirSync(models, { recursive: true });
    cpSync(join(SHIPPED_MODELS, name), join(models, name), { recursive: true });
    damages[damage].harm(join(models, name, damages[damage].file));
  }
  const service = await startRetrieval(env);
  const isSearchDegraded = nameOf.has("embedding");
  try {
    if (!isSearchDegraded) await service.loaded();
    const said = service.lines.filter(({ task: of }) => of !== undefined);
    const expected = given.map(({ task, damage }) => {
      const { code, file } = damages[damage];
      return expect.objectContaining({ task, model: nameOf.get(task), code, reason: expect.stringContaining(file) });
    });
    expect(said).toHaveLength(given.length);
    expect(said).toEqual(expect.arrayContaining(expected));
    for (const [needed, requests] of Object.entries(routes)) {
      for (const [path, body] of requests) {
        const answer = await service.ask(path, body);
        const label = `${needed} ${path} ${answer.status}`;
        const name = nameOf.get(needed);
        if (name === undefined) expect(label).toBe(`${needed} ${path} 200`);
        else {
          expect(label).toBe(`${needed} ${path} 503`);
          expect(answer.body).toMatchObject({
            type: "/errors/model-not-installed",
            detail: expect.stringContaining(name),
          });
        }
      }
    }
    const hybrid = await service.ask("/search?q=harbour");
    expect(hybrid).toMatchObject({ status: 200, body: { total: 1, meta: { degraded: isSearchDegraded } } });
    const retrieved = await service.ask("/retrieve", { query: "harbour" });
    expect(retrieved).toMatchObject({ status: 200, body: { degraded: isSearchDegraded } });
    const health = await service.ask("/health");
    expect(health).toMatchObject({ status: 200, body: { status: "degraded" } });
    const failing = Object.entries(Object(health.body.deps)).filter(([, state]) => state === "fail");
    const failed = given.flatMap(({ task }) => FAILS[task]);
    expect(failing.map(([dependency]) => dependency).toSorted()).toEqual(failed.toSorted());
  } finally {
    expect(await service.end()).toBe(0);
    rmSync(models, { recursive: true });
  }
});

test("made whole again and started again, all of it is served", async () => {
  const service = await startRetrieval(env);
  await service.loaded();
  for (const [path, body] of Object.values(routes).flat()) {
    expect(`${path} ${(await service.ask(path, body)).status}`).toBe(`${path} 200`);
  }
  expect((await service.ask("/health")).body).toMatchObject({ status: "ok" });
  expect(await service.end()).toBe(0);
});

test("a name in the settings that no model has is one line and exit code 1", async () => {
  const failed = await startRetrieval({ ...env, EMBED_MODEL: "no-such-model" }).catch((error: unknown) => error);
  expect(String(failed)).toContain("no model named no-such-model");
});
