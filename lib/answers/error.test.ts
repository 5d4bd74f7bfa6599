import { describe, expect, test } from "bun:test";
import { codeOfStatus, LlmError, type LlmErrorCode, ModelNotInstalled } from "./tasks.ts";

describe("a status of an upstream says what can be done about it", () => {
  test.each<[number, LlmErrorCode, boolean]>([
    [401, "unauthorized", false],
    [403, "unauthorized", false],
    [404, "not-found", false],
    [408, "timed-out", true],
    [413, "refused", false],
    [429, "busy", true],
    [500, "failed", true],
    [504, "timed-out", true],
    [302, "bad-answer", false],
  ])("%d is %s, retryable: %p", (status, code, retryable) => {
    expect(codeOfStatus(status)).toBe(code);
    expect(new LlmError(codeOfStatus(status), "no answer", { status })).toMatchObject({ status, retryable });
  });
});

test("how long to wait is told in whole seconds, one at the least, and not where nobody said", () => {
  const after = (retryAfterMs?: number) => Object.assign(new LlmError("busy", "full"), { retryAfterMs }).retryAfterS;
  expect([after(), after(0), after(900), after(2_100)]).toEqual([undefined, 1, 1, 3]);
});

test("a model that is missing is named with what would help", () => {
  const cause = new Error("why");
  const error = new ModelNotInstalled("speech", "Set ASR_URL.", { cause });
  expect(error.message).toBe("No model for this is installed: speech. Set ASR_URL.");
  expect(error.cause).toBe(cause);
});
