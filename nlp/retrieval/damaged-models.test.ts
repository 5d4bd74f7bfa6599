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

const cases = (
  [
    ["embedding", "embed", "missing"],
    ["rerank", "rerank", "truncated"],
    ["check-worthiness", "classify", "altered"],
  ] as const
).map(([task, kind, name]) => ({ title: `${task}, ${name}`, task, kind, ...damages[name] }));

test.each(cases)("$title: said at the start, 503 for its routes alone, everything else is served", async (given) => {
  const { task, kind, file, code, harm } = given;
  const name = shipped.default(kind);
  mkdirSync(models, { recursive: true });
  cpSync(join(SHIPPED_MODELS, name), join(models, name), { recursive: true });
  harm(join(models, name, file));
  const service = await startRetrieval(env);
  try {
    if (task !== "embedding") await service.loaded();
    const said = service.lines.filter(({ task: of }) => of !== undefined);
    expect(said).toMatchObject([{ task, model: name, code, reason: expect.stringContaining(file) }]);
    for (const [needed, requests] of Object.entries(routes)) {
      for (const [path, body] of requests) {
        const answer = await service.ask(path, body);
        const label = `${needed} ${path} ${answer.status}`;
        if (needed !== task) expect(label).toBe(`${needed} ${path} 200`);
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
    expect(hybrid).toMatchObject({ status: 200, body: { total: 1, meta: { degraded: task === "embedding" } } });
    const retrieved = await service.ask("/retrieve", { query: "harbour" });
    expect(retrieved).toMatchObject({ status: 200, body: { degraded: task === "embedding" } });
    const health = await service.ask("/health");
    expect(health).toMatchObject({ status: 200, body: { status: "degraded" } });
    const failing = Object.entries(Object(health.body.deps)).filter(([, state]) => state === "fail");
    expect(failing.map(([dependency]) => dependency)).toEqual(FAILS[task]);
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
