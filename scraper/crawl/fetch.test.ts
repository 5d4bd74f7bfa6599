import { afterEach, expect, test } from "bun:test";
import { createFetcher, EgressError } from "@isnad/lib/web/egress";
import { credentialHeader, failureOf, failureOfStatus } from "./fetch.ts";
import { startSite, type TestSite } from "./testing.ts";

const auth = { env: "SCRAPER_AUTH_PAPER", header: "Authorization", hosts: ["api.paper.example"] };
const profile = {
  auth,
  source: { id: "paper", homepage: "https://www.paper.example/" },
  feeds: [{ url: "https://feeds.paper.example/rss" }, { url: "https://feedproxy.example/paper" }],
};
const credentials = { SCRAPER_AUTH_PAPER: "Bearer secret" };

test.each([
  ["https://www.paper.example/news/1", true],
  ["https://feeds.paper.example/rss", true],
  ["https://api.paper.example/x", true],
  ["http://www.paper.example/news/1", false],
  ["http://api.paper.example/x", false],
  ["https://feedproxy.example/paper", false],
  ["https://www.paper.example:8443/", false],
  ["https://paper.example.evil.example/", false],
  ["no address", false],
])("%s gets the credential: %p", (address, expected) => {
  expect(credentialHeader(profile, address, credentials)).toEqual(expected ? { Authorization: "Bearer secret" } : {});
});

test("a variable that is not set is named, its value never", () => {
  const error = (() => {
    try {
      return credentialHeader(profile, "https://www.paper.example/", {});
    } catch (cause) {
      return cause;
    }
  })();
  expect(error).toBeInstanceOf(EgressError);
  expect(String(error)).toContain("no-credential: the environment variable SCRAPER_AUTH_PAPER");
});

const sites: TestSite[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.stop()));
});

test("the credential does not go along with a redirect to another host", async () => {
  const [own, other] = [await startSite(), await startSite()];
  sites.push(own, other);
  own.set("/a", { status: 302, headers: { location: `${other.url}/a` } });
  other.set("/a", { body: "there" });
  const paper = { auth, source: { id: "paper", homepage: own.url } };
  const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1" });
  await fetch(`${own.url}/a`, { headers: credentialHeader(paper, `${own.url}/a`, credentials) });
  expect(own.seen[0]?.headers.authorization).toBe("Bearer secret");
  expect(other.seen[0]?.headers).not.toHaveProperty("authorization");
});

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
