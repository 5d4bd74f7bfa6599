import { expect, test } from "bun:test";
import { stops } from "./stops.ts";

test("the first stop is told its reason, the same one passed on is none, and a later one is another", async () => {
  const told: string[] = [];
  const stop = stops(
    (reason) => void told.push(reason),
    () => void told.push("again"),
  );
  stop("SIGINT");
  stop("SIGINT");
  stop("SIGTERM");
  expect(told).toEqual(["SIGINT"]);
  await Bun.sleep(510);
  stop("SIGINT");
  expect(told).toEqual(["SIGINT", "again"]);
});
