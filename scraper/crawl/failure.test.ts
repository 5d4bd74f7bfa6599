import { expect, test } from "bun:test";
import { EgressError } from "@isnad/lib/web/egress";
import { failureOf, failureOfStatus } from "./failure.ts";

const error = (code: ConstructorParameters<typeof EgressError>[0]) =>
  new EgressError(code, "https://example.org", "so");

test.each([
  ["robots-denied", "skipped", "none"],
  ["private-address", "failed", "none"],
  ["too-large", "failed", "none"],
  ["too-many-redirects", "failed", "none"],
  ["timed-out", "retry", "unclear"],
  ["dns-failed", "retry", "host"],
  ["busy-host", "retry", "host"],
  ["robots-unreachable", "retry", "host"],
] as const)("%s means %s for an article", (code, state, outage) => {
  expect(failureOf(error(code))).toMatchObject({ state, reason: code, outage, feedMayServe: true });
});

test("a robots.txt that cannot be had says what was in the way", () => {
  const cause = error("dns-failed");
  const unreachable = new EgressError("robots-unreachable", "https://example.org", "so", { cause });
  expect(failureOf(unreachable)).toMatchObject({
    state: "retry",
    reason: "robots-unreachable: dns-failed",
    tried: false,
  });
});

test("an abort, and what is no error of the client, is thrown on", () => {
  for (const other of [error("aborted"), new TypeError("bug")]) expect(() => failureOf(other)).toThrow(other);
});

test.each([
  [404, "skipped", false],
  [410, "skipped", false],
  [451, "skipped", false],
  [401, "failed", true],
  [403, "failed", true],
  [408, "retry", true],
  [429, "retry", true],
  [500, "retry", true],
  [503, "retry", true],
] as const)("status %i means %s", (status, state, feedMayServe) => {
  expect(failureOfStatus(status, undefined)).toMatchObject({
    state,
    feedMayServe,
    reason: `http-${status}`,
    waitMs: 0,
  });
});

test("a host that asks to be left alone is out of reach as a whole; an error of its own may be the page's", () => {
  const outages = [failureOfStatus(429, undefined), failureOfStatus(503, 1000), failureOfStatus(503, undefined)];
  expect(outages.map(({ outage }) => outage)).toEqual(["host", "host", "unclear"]);
  expect(failureOfStatus(500, 1000).outage).toBe("unclear");
  expect(failureOfStatus(404, undefined).outage).toBe("none");
});

test("what the site asks to wait is kept", () => {
  expect(failureOfStatus(429, 90_000).waitMs).toBe(90_000);
});

test("what was never asked for does not count as a try", () => {
  expect(
    (["busy-host", "robots-unreachable", "timed-out"] as const).map((code) => failureOf(error(code)).tried),
  ).toEqual([false, false, true]);
});
