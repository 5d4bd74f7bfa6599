import { expect, test } from "bun:test";
import { InferenceError } from "@isnad/lib/models";
import { noVectors } from "./no-vectors.ts";

test("without an embedding model every call to the vectors says which model and what to do", async () => {
  const problem = new InferenceError("model-altered", "tiny: model.onnx has 3 bytes, not 4", { model: "tiny" });
  const vectors = noVectors({ problem });
  const said = expect.objectContaining({
    slug: "model-not-installed",
    status: 503,
    message: expect.stringContaining("tiny"),
  });
  const calls = [vectors.search(Float32Array.of(1), 1, {}), vectors.check(), vectors.status()];
  for (const call of calls) expect(await call.catch((error: unknown) => error)).toEqual(said);
  expect(await vectors.close()).toBeUndefined();
});
