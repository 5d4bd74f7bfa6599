import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type TestRetrieval, testRetrieval } from "../testing.ts";

setDefaultTimeout(300_000);

let service: TestRetrieval;
let classified: number;
let release: () => void;

beforeAll(async () => {
  const classifier = {
    modelId: "held@1",
    threshold: () => 0.5,
    classify: async (sentences: readonly string[]) => {
      classified += sentences.length;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return sentences.map(() => 1);
    },
  };
  service = await testRetrieval([{ title: "The harbour reopens", content: "x".repeat(200), axis: 1 }], {
    classifier: { model: classifier },
    env: { SEARCH_CONCURRENCY: "1", CLASSIFY_CONCURRENCY: "100", REQUEST_MAX_WAITING: "0" },
  });
});
afterAll(() => service.close());

test("of searches and retrievals at once, one is done and the others are refused with Retry-After", async () => {
  const answers = await Promise.all([
    ...Array.from({ length: 3 }, () => service.app.request("/search?q=harbour&mode=bm25")),
    ...Array.from({ length: 3 }, () =>
      service.app.request("/retrieve", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: "harbour" }),
      }),
    ),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503, 503, 503, 503, 503]);
  for (const answer of answers.filter(({ status }) => status === 503)) {
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await answer.json()).toMatchObject({ type: "/errors/overloaded" });
  }
  expect((await service.app.request("/search?q=harbour")).status).toBe(200);
});

test("check-worthiness counts sentences: what is too much at a time is refused before the model is asked", async () => {
  classified = 0;
  const check = (count: number) =>
    service.app.request("/s1/check-worthiness", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sentences: Array.from({ length: count }, (_, n) => `Sentence ${n}.`) }),
    });
  const first = check(60);
  while (classified < 60) await Bun.sleep(1);
  const refused = await check(41);
  expect([refused.status, refused.headers.get("retry-after"), classified]).toEqual([503, "1", 60]);
  release();
  expect((await first).status).toBe(200);
});
