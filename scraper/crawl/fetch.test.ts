import { afterEach, expect, test } from "bun:test";
import { createFetcher, EgressError } from "@isnad/lib/web/egress";
import { credentialHeader } from "./fetch.ts";
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
