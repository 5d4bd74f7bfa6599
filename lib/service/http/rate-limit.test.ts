import { expect, test } from "bun:test";
import { AppError } from "./problem.ts";
import { createRateLimit, createSharedRateLimit } from "./rate-limit.ts";

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

test("where processes count together, that count holds; while it cannot be asked each one counts by itself", async () => {
  let together: number | undefined | Error;
  const count = createSharedRateLimit(1, {
    count: async () => {
      if (together instanceof Error) throw together;
      return together;
    },
    isAway: (error) => error instanceof Error && error.message === "away",
  });
  await count("a");
  await count("a");
  together = 7;
  await expect(count("a")).rejects.toMatchObject({ status: 429, headers: { "Retry-After": "7" } });
  together = new Error("away");
  await count("a");
  await expect(count("a")).rejects.toMatchObject({ status: 429 });
  together = new Error("a bug");
  await expect(count("b")).rejects.toThrow("a bug");
});
