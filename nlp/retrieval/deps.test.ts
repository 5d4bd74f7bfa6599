import { expect, test } from "bun:test";
import { InferenceError, NOT_LOADED } from "@isnad/lib/models";
import { installed } from "./deps.ts";

test("a model that was loaded is installed", () => {
  expect(installed({ model: "a model" })).toBe("a model");
});

test("asking for a model that is altered is a 503 that names it", () => {
  const problem = new InferenceError("model-altered", "tiny: model.onnx has 3 bytes, not 4", { model: "tiny" });
  expect(() => installed({ problem })).toThrow(
    expect.objectContaining({ slug: "model-not-installed", status: 503, message: expect.stringContaining("tiny") }),
  );
});

test("a model that nobody loaded is not installed", () => {
  expect(() => installed(NOT_LOADED)).toThrow(expect.objectContaining({ slug: "model-not-installed" }));
});
