import { expect, test } from "bun:test";
import { createLogger } from "../../service/process/mod.ts";
import { InferenceError } from "../runtime/errors.ts";
import { loadOptional } from "./optional.ts";

const task = { task: "entities", without: "articles wait" };

/** A logger, and what it wrote. */
function listening() {
  const said: unknown[] = [];
  const logger = createLogger({
    service: "test",
    stream: { write: (line: string) => void said.push(JSON.parse(line)) },
  });
  return { said, logger };
}

test("a model that loads is there, and nothing is said", async () => {
  const { said, logger } = listening();
  expect(await loadOptional(task, async () => "a tagger", logger)).toEqual({ model: "a tagger" });
  expect(said).toEqual([]);
});

test("a model that cannot be used is said once, with task, code and file, and there is none", async () => {
  const { said, logger } = listening();
  const altered = new InferenceError("model-altered", "tiny: model.onnx has 3 bytes, not 4", { model: "tiny" });
  expect(await loadOptional(task, () => Promise.reject(altered), logger)).toEqual({ problem: altered });
  expect(said).toMatchObject([
    {
      level: "error",
      task: "entities",
      model: "tiny",
      code: "model-altered",
      reason: altered.message,
      msg: "a model cannot be used: articles wait",
    },
  ]);
});

test("a fault of the code is not taken for a damaged model", async () => {
  const { said, logger } = listening();
  await expect(loadOptional(task, () => Promise.reject(new TypeError("oops")), logger)).rejects.toThrow("oops");
  expect(said).toEqual([]);
});
