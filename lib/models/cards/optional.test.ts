import { expect, test } from "bun:test";
import { createLogger } from "../../service/process/mod.ts";
import { InferenceError } from "../runtime/errors.ts";
import { checkIfOpen, loadOptional } from "./optional.ts";

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

test("a model that rests is not opened for a check, one that runs or failed is asked", async () => {
  const asked: number[] = [];
  const check = (state: { alive: number; failing: number }) => {
    const threads = () => ({ threads: 1, restarts: 0, lastError: undefined, ...state });
    return checkIfOpen({ threads }, async () => asked.push(state.alive - state.failing));
  };
  await check({ alive: 0, failing: 0 });
  await check({ alive: 1, failing: 0 });
  await check({ alive: 0, failing: 1 });
  expect(asked).toEqual([1, -1]);
});
