import { expect, test } from "bun:test";
import { CATALOGUE, catalogueEntry } from "./catalogue.ts";

test("every task that needs a large model has one that can be pulled, under a licence that allows free use", () => {
  const tasks = new Set(CATALOGUE.map(({ task }) => task));
  for (const task of ["embed", "rerank", "transcribe", "translate"] as const) expect(tasks).toContain(task);
  for (const { licence } of CATALOGUE) expect(["MIT", "Apache-2.0"]).toContain(licence);
});

test("an embedding model says all that is needed to run it", () => {
  for (const { task, architecture, dims, pooling, files } of CATALOGUE) {
    if (task !== "embed") continue;
    expect({ architecture, known: dims !== undefined && pooling !== undefined }).toEqual({
      architecture: "encoder",
      known: true,
    });
    expect(Object.keys(files).sort()).toEqual(["model.onnx", "tokenizer.json"]);
  }
});

test("a reranker is a cross-encoder with its length and its two files", () => {
  for (const { task, architecture, max_tokens, files } of CATALOGUE) {
    if (task !== "rerank") continue;
    expect({ architecture, known: max_tokens !== undefined }).toEqual({ architecture: "cross-encoder", known: true });
    expect(Object.keys(files).sort()).toEqual(["model.onnx", "tokenizer.json"]);
  }
});

test("names are unique, and an unknown one is answered with those there are", () => {
  expect(new Set(CATALOGUE.map(({ name }) => name)).size).toBe(CATALOGUE.length);
  expect(() => catalogueEntry("gpt")).toThrow("multilingual-e5-small");
});
