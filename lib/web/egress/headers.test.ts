import { afterEach, expect, test } from "bun:test";
import { createFetcher } from "./fetcher.ts";
import { createCookieJar } from "./headers.ts";
import { codeOf, type LocalSite, serveSite } from "./testing.ts";

const sites: LocalSite[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

const after = (from: string, set: readonly string[], to: string): string | undefined => {
  const jar = createCookieJar();
  jar.take(new URL(from), set);
  return jar.headerFor(new URL(to));
};

test.each([
  ["https://a.example/", "id=1", "https://a.example/news/1", "id=1"],
  ["https://a.example/", "id=1", "https://www.a.example/", undefined],
  ["https://www.a.example/", "id=1; Domain=.a.example", "https://a.example/", "id=1"],
  ["https://www.a.example/", "id=1; Domain=a.example", "https://b.a.example/", "id=1"],
  ["https://www.a.example/", "id=1; Domain=b.example", "https://b.example/", undefined],
  ["https://a.example/", "id=1; Domain=example", "https://b.example/", undefined],
  ["https://a.example/", "id=1; Path=/consent", "https://a.example/consent/2", "id=1"],
  ["https://a.example/", "id=1; Path=/consent", "https://a.example/consents", undefined],
  ["https://a.example/x/y", "id=1", "https://a.example/x/z", "id=1"],
  ["https://a.example/x/y", "id=1", "https://a.example/z", undefined],
  ["https://a.example/", "id=1; Secure", "https://a.example/", "id=1"],
  ["https://a.example/", "id=1; Secure", "http://a.example/", undefined],
  ["http://a.example/", "id=1; Secure", "https://a.example/", undefined],
  ["https://a.example/", "id=1; Max-Age=0", "https://a.example/", undefined],
  ["https://a.example/", "id=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://a.example/", undefined],
  ["https://a.example/", "id=a b", "https://a.example/", undefined],
  ["https://a.example/", "=1", "https://a.example/", undefined],
  ["https://a.example/", "nothing", "https://a.example/", undefined],
])("from %s, %p goes to %s as %p", (from, set, to, header) => {
  expect(after(from, [set], to)).toBe(header);
});

test("the longer path comes first, and a value that is set again takes the place of the former", () => {
  const set = ["a=1", "b=2; Path=/news", "a=3"];
  expect(after("https://a.example/", set, "https://a.example/news/1")).toBe("b=2; a=3");
});

test("a cookie that a redirect sets opens the consent gate, in that fetch alone", async () => {
  const gate = await serveSite((request, response) => {
    const { cookie } = request.headers;
    if (request.url === "/consent")
      response.writeHead(302, { location: "/a", "set-cookie": "consent=yes; Path=/" }).end();
    else if (cookie === "consent=yes") response.end("the article");
    else response.writeHead(302, { location: "/consent" }).end();
  });
  sites.push(gate);
  const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1" });
  for (const _ of ["first", "second"]) {
    const answer = await fetch(`${gate.url}/a`, { cookies: true });
    expect(answer.text().text).toBe("the article");
    expect(answer.redirects).toHaveLength(2);
  }
  expect(gate.seen).toEqual(["/a", "/consent", "/a", "/a", "/consent", "/a"]);
  expect(await codeOf(fetch(`${gate.url}/a`))).toBe("too-many-redirects");
});

test("a cookie of one host is never sent to another", async () => {
  let sent: string | undefined = "unasked";
  const other = await serveSite((request, response) => {
    sent = request.headers.cookie;
    response.end();
  });
  const first = await serveSite((_, response) => {
    const location = other.url.replace("127.0.0.1", "localhost");
    response.writeHead(302, { location, "set-cookie": "id=1" }).end();
  });
  sites.push(other, first);
  const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1, localhost" });
  await fetch(first.url, { cookies: true });
  expect(sent).toBeUndefined();
});

test("a site that sets another cookie at every turn of a circle is given up", async () => {
  let turn = 0;
  const site = await serveSite((_, response) => {
    response.writeHead(302, { location: "/a", "set-cookie": `turn=${turn++}` }).end();
  });
  sites.push(site);
  const fetch = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.1" });
  expect(await codeOf(fetch(`${site.url}/a`, { cookies: true }))).toBe("too-many-redirects");
  expect(site.seen).toHaveLength(6);
});
