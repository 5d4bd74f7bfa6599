import { expect, test } from "bun:test";
import { retryAfterMs } from "./response.ts";

const NOW = Date.UTC(2026, 0, 1, 12);

test.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["Thu, 01 Jan 2026 12:01:00 GMT", 60_000],
  ["Thu, 01 Jan 2026 11:00:00 GMT", 0],
  ["999999999", 86_400_000],
  ["soon", undefined],
  ["-5", undefined],
  ["1.5", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %p asks for %p ms", (value, ms) => {
  expect(retryAfterMs(value, NOW)).toBe(ms);
});
