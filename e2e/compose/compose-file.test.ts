import { expect, test } from "bun:test";
import { namesIn } from "./testing-compose-file.ts";

test("metrics and labels of an expression are told apart from functions, words and ranges", () => {
  expect(
    namesIn('histogram_quantile(0.99, sum by (le, job) (rate(a_bucket{route="/x", code=~"5.."}[5m]))) > 2.7e9'),
  ).toEqual({ metrics: ["a_bucket"], labels: ["route", "code", "le", "job"] });
  expect(namesIn("max(a) > 1 and sum(rate(b[$__rate_interval])) == 0").metrics).toEqual(["a", "b"]);
});
