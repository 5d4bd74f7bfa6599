import { expect, test } from "bun:test";
import { createLogger } from "@isnad/lib/process";
import { InferenceError } from "@isnad/lib/inference";
import { installed, loadOptional, NOT_LOADED } from "./optional-model.ts";

function capturing(): { logger: ReturnType<typeof createLogger>; lines: () => string } {
  const written: string[] = [];
  const logger = createLogger({
    service: "test",
    stream: { write: (line: string) => void written.push(line) },
  });
  return { logger, lines: () => written.join("") };
}

test("a model that loads is there", async () => {
  const { logger, lines } = capturing();
  const found = await loadOptional("rerank", async () => "a model", logger);
  expect(installed(found)).toBe("a model");
  expect(lines()).toBe("");
});

test("a model that is altered is named in the log, and asking for it is a 503", async () => {
  const { logger, lines } = capturing();
  const altered = new InferenceError("model-altered", "tiny: model.onnx has 3 bytes, not 4", { model: "tiny" });
  const found = await loadOptional("rerank", () => Promise.reject(altered), logger);
  expect(lines()).toContain("model-altered");
  expect(lines()).toContain("tiny");
  expect(() => installed(found)).toThrow(
    expect.objectContaining({ slug: "model-not-installed", status: 503, message: expect.stringContaining("tiny") }),
  );
});

test("a fault of the code is not taken for a missing model", async () => {
  const { logger } = capturing();
  const failed = await loadOptional("rerank", () => Promise.reject(new TypeError("oops")), logger).catch(
    (e: unknown) => e,
  );
  expect(failed).toBeInstanceOf(TypeError);
});

test("a model that nobody loaded is not installed", () => {
  expect(() => installed(NOT_LOADED)).toThrow(expect.objectContaining({ slug: "model-not-installed" }));
});
