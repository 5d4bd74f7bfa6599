import { expect, test } from "bun:test";
import { assertThreadsRun } from "./pool.ts";

const idle = { threads: 2, alive: 0, failing: 0, restarts: 0, lastError: undefined };

test("threads that run, that nobody has needed yet and that are not there are well", () => {
  const restarted = { threads: 2, alive: 2, failing: 0, restarts: 3, lastError: "its thread has ended: exit code 7" };
  expect(() => assertThreadsRun({ parser: idle, keyword: restarted, tagger: undefined })).not.toThrow();
});

test("threads that do not run are named with the reason", () => {
  const lastError = "keyword index: its thread could not start: Cannot find package 'x'";
  const keyword = { threads: 2, alive: 1, failing: 1, restarts: 4, lastError };
  expect(() => assertThreadsRun({ parser: idle, keyword })).toThrow(
    `keyword: 1 of 2 failing after 4 restarts, ${lastError}`,
  );
});
