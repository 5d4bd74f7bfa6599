import { describe, expect, test } from "bun:test";
import { itemError } from "../contract/problem.ts";
import { createLogger } from "../service/process/mod.ts";
import type { NewJob } from "../work/queue/open.ts";
import { acceptedIds, createEnqueuer, mergeResults, submittedOf } from "./admit.ts";
import { checkItem } from "./check.ts";

const valid = (id: string) =>
  checkItem({ source_id: "s", external_id: id, url: "https://a.test", title: "t", content: "x".repeat(200) });
const wrong = { externalId: null, error: itemError("invalid-field", "the item must be an object") };

describe("mergeResults()", () => {
  test("puts verdicts back between the items that failed", () => {
    const merged = mergeResults(submittedOf([wrong, valid("a"), wrong, valid("b"), valid("c")]), [
      { status: "accepted", articleId: 1 },
      { status: "conflict", articleId: 2 },
      { status: "failed" },
    ]);
    expect(merged.map(({ external_id, status }) => [external_id, status])).toEqual([
      [null, "failed"],
      ["a", "accepted"],
      [null, "failed"],
      ["b", "conflict"],
      ["c", "failed"],
    ]);
    expect(merged[3]).toEqual({ external_id: "b", status: "conflict" });
    expect(merged[1]).toEqual({ external_id: "a", status: "accepted", article_id: 1 });
    expect(merged[4]?.error?.type).toBe("/errors/unknown-source");
  });

  test("notices a verdict too few", () => {
    expect(() => mergeResults(submittedOf([valid("a")]), [])).toThrow("left out an item");
  });
});

test("acceptedIds() names the new articles only", () => {
  expect(
    acceptedIds([
      { external_id: "a", status: "accepted", article_id: 7 },
      { external_id: "b", status: "duplicate", article_id: 3 },
      { external_id: "c", status: "accepted" },
    ]),
  ).toEqual([7]);
});

function setUp() {
  const calls: NewJob[] = [];
  const gates: { open(): void; fail(error: Error): void }[] = [];
  const queues = {
    add: (_name: string, job: NewJob) => {
      calls.push(job);
      return new Promise<void>((resolve, reject) => gates.push({ open: resolve, fail: reject }));
    },
  };
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({ service: "t", stream: { write: (line: string) => void lines.push(JSON.parse(line)) } });
  return { enqueuer: createEnqueuer(queues, logger), calls, gates, lines };
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

describe("the enqueuer", () => {
  test("adds one job for the articles of a request, named after the first", async () => {
    const { enqueuer, calls, gates } = setUp();
    enqueuer.enqueue([7, 8, 9]);
    expect(calls).toEqual([{ id: "articles-7", data: { articleIds: [7, 8, 9] } }]);
    gates[0]?.open();
    await enqueuer.settled();
  });

  test("gathers what comes while an addition is under way in one job", async () => {
    const { enqueuer, calls, gates } = setUp();
    enqueuer.enqueue([1]);
    enqueuer.enqueue(range(2, 60));
    enqueuer.enqueue(range(62, 60));
    expect(calls).toHaveLength(1);
    gates[0]?.open();
    while (calls.length < 2) await Bun.sleep(1);
    expect(calls[1]).toEqual({ id: "articles-2", data: { articleIds: range(2, 120) } });
    gates[1]?.open();
    await enqueuer.settled();
    expect(calls).toHaveLength(2);
  });

  test("logs what cannot be added and goes on with what comes after", async () => {
    const { enqueuer, calls, gates, lines } = setUp();
    enqueuer.enqueue([1, 2]);
    gates[0]?.fail(new Error("queue away"));
    await enqueuer.settled();
    expect(lines).toMatchObject([{ level: "warn", articles: 2, msg: "the workers were not called" }]);
    enqueuer.enqueue([3]);
    gates[1]?.open();
    await enqueuer.settled();
    expect(calls).toHaveLength(2);
  });

  test("does nothing for no articles", async () => {
    const { enqueuer, calls } = setUp();
    enqueuer.enqueue([]);
    await enqueuer.settled();
    expect(calls).toEqual([]);
  });
});
