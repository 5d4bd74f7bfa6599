import { expect, test } from "bun:test";
import { InferenceError } from "./errors.ts";

test("an altered file is not worth a retry, a full queue is", () => {
  expect(new InferenceError("model-altered", "x").retryable).toBe(false);
  expect(new InferenceError("queue-full", "x").retryable).toBe(true);
});

test("the error names its model and keeps its cause", () => {
  const cause = new Error("disk");
  const error = new InferenceError("model-missing", "m: model.onnx is missing", { model: "m", cause });
  expect(error).toMatchObject({ name: "InferenceError", code: "model-missing", model: "m", cause });
});
