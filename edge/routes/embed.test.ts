import { afterAll, beforeAll, expect, test } from "bun:test";
import { EmbedAnswer } from "@isnad/lib/contract";
import { KEY, type TestEdge, testEdge } from "../testing/edge.ts";

let edge: TestEdge;
beforeAll(async () => {
  edge = await testEdge();
});
afterAll(() => edge.close());

test("each text gets a vector of unit length, in order, by the model that it names", async () => {
  const response = await edge.post("/llm/embed", {
    texts: ["أسعار الفائدة", "interest rates", "a draw"],
    kind: "passage",
  });
  const { model, vectors } = EmbedAnswer.parse(await response.json());
  expect(model).toContain("@");
  const dot = (a: number[] = [], b: number[] = []) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
  const [arabic, english, other] = vectors;
  expect(dot(arabic, arabic)).toBeCloseTo(1, 3);
  expect(dot(arabic, english)).toBeGreaterThan(dot(arabic, other));
});

test("needs the key, a text, and no more than it takes", async () => {
  expect((await edge.post("/llm/embed", { texts: ["a"] }, { "x-api-key": `${KEY}x` })).status).toBe(401);
  for (const body of [{ texts: [] }, { texts: ["a".repeat(100_001)] }, { texts: ["a"], kind: "title" }, {}]) {
    expect((await edge.post("/llm/embed", body)).status).toBe(422);
  }
});
