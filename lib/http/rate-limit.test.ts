import { expect, test } from "bun:test";
import { AppError } from "./app-error.ts";
import { createRateLimit } from "./rate-limit.ts";

test("a client has so many requests in any minute, each client its own", () => {
  let at = 0;
  const count = createRateLimit(3, { now: () => at });
  const refusal = (client: string): string | undefined => {
    try {
      count(client);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect([error.slug, error.status]).toEqual(["rate-limit-exceeded", 429]);
      return error.headers["Retry-After"];
    }
  };
  for (at of [0, 10_000, 20_000]) expect(refusal("a")).toBeUndefined();
  at = 30_500;
  expect(refusal("a")).toBe("30");
  expect(refusal("b")).toBeUndefined();
  at = 59_999;
  expect(refusal("a")).toBe("1");
  at = 60_000;
  expect(refusal("a")).toBeUndefined();
  expect(refusal("a")).toBe("10");
});
