import { expect, test } from "bun:test";
import { readScale } from "./scale.ts";

const SERVICES = ["api", "workers", "retrieval"];

test("services that are not named get one process", () => {
  expect(readScale("", SERVICES)).toEqual(new Map(SERVICES.map((name) => [name, 1])));
  expect(readScale("workers=2, retrieval=3", SERVICES).get("retrieval")).toBe(3);
  expect(readScale("workers=2", SERVICES).get("api")).toBe(1);
});

test.each(["web=2", "api", "api=0", "api=-1", "api=1.5", "api=33", "api=2=3", ","])("%p is refused", (text) => {
  expect(() => readScale(text, SERVICES)).toThrow("--scale");
});
