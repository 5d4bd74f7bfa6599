import { describe, expect, test } from "bun:test";
import { asciiHost, canonicalUrl, hostOf, InvalidUrlError, isPlainUrl, isWebUrl, withoutCredentials } from "./url.ts";

test("scheme, host, port, fragment and trailing slash take one form", () => {
  expect(canonicalUrl("HTTPS://WWW.Example.COM:443/News/#top")).toBe("https://www.example.com/News");
  expect(canonicalUrl("http://example.com:8080/a//")).toBe("http://example.com:8080/a");
  expect(canonicalUrl("http://example.com")).toBe("http://example.com/");
  expect(canonicalUrl("http://example.com./?")).toBe("http://example.com/");
  expect(canonicalUrl("https://user:secret@example.com/a")).toBe("https://example.com/a");
});

test("tracking parameters go, the others are sorted by name", () => {
  expect(
    canonicalUrl("https://a.com/x?utm_source=t&b=2&fbclid=1&a=1&UTM_Medium=m&gclid=&mc_cid=1&mc_eid=2&igshid=3"),
  ).toBe("https://a.com/x?a=1&b=2");
  expect(canonicalUrl("https://a.com/x?id=2&id=1&&flag")).toBe("https://a.com/x?flag&id=2&id=1");
  expect(canonicalUrl("https://a.com/x/?utm_id=1")).toBe("https://a.com/x");
  expect(canonicalUrl("https://a.com/x?utmost=1")).toBe("https://a.com/x?utmost=1");
});

test("numbers of a visit go, from the query and from the path", () => {
  expect(canonicalUrl("https://a.com/x?PHPSESSID=1f&id=2")).toBe("https://a.com/x?id=2");
  expect(canonicalUrl("https://a.com/x;jsessionid=1A2B.node3?id=2")).toBe("https://a.com/x?id=2");
  expect(canonicalUrl("https://a.com/x;JSESSIONID=1A2B;v=2/y")).toBe("https://a.com/x;v=2/y");
  expect(canonicalUrl("https://a.com/x?sid=7&session=2")).toBe("https://a.com/x?session=2&sid=7");
});

test("international names are punycode, percent-encoding has one form", () => {
  expect(canonicalUrl("https://موقع.example/خبر?س=١")).toBe(
    "https://xn--4gbrim.example/%D8%AE%D8%A8%D8%B1?%D8%B3=%D9%A1",
  );
  expect(canonicalUrl("https://a.com/%7euser/%d8%ae%2f")).toBe("https://a.com/~user/%D8%AE%2F");
});

test("a canonical address is its own canonical address", () => {
  const urls = [
    "https://a.com/x/?b=2&a=%41#f",
    "http://A.com:80//",
    "https://a.com/%2541?q=a+b&q=%20",
    "http://[::1]:80/a/",
  ];
  for (const url of urls) expect(canonicalUrl(canonicalUrl(url))).toBe(canonicalUrl(url));
});

test("what is no web address is refused", () => {
  for (const bad of [
    "",
    "example.com",
    "ftp://a.com/",
    "javascript:alert(1)",
    "http://",
    "mailto:a@b.c",
    "/path",
    "http://a b/",
  ]) {
    expect(() => canonicalUrl(bad)).toThrow(InvalidUrlError);
  }
});

test("withoutCredentials() takes user name and password off, and nothing else", () => {
  expect(withoutCredentials("https://user:secret@Example.com/a?b=c@d#e")).toBe("https://example.com/a?b=c@d#e");
  expect(withoutCredentials("http://user@a.test")).toBe("http://a.test/");
  expect(withoutCredentials("https://a%40b:c@موقع.example/x")).toBe("https://xn--4gbrim.example/x");
  for (const address of ["HTTPS://A.test/@user?q=a@b#@", "https://@a.test/", "https://a.test"]) {
    expect(withoutCredentials(address)).toBe(address);
  }
});

test("hostOf() is the host alone", () => {
  expect(hostOf("https://News.BBC.co.uk:8443/a")).toBe("news.bbc.co.uk");
  expect(() => hostOf("nonsense")).toThrow(InvalidUrlError);
});

test("a host has one form, whatever its spelling; what is no host has none", () => {
  for (const spelling of [
    "موقع.وزارة-الاتصالات.مصر",
    "xn--4gbrim.xn----ymcbaaajlc6dj7bxne2c.xn--wgbh1c.",
    "XN--4GBRIM.xn----ymcbaaajlc6dj7bxne2c.XN--WGBH1C",
  ]) {
    expect(asciiHost(spelling)).toBe("xn--4gbrim.xn----ymcbaaajlc6dj7bxne2c.xn--wgbh1c");
  }
  for (const spelling of ["News.Example", "news.example.", " NEWS.EXAMPLE "])
    expect(asciiHost(spelling)).toBe("news.example");
  expect(asciiHost("bücher.example")).toBe(hostOf("https://BÜCHER.example./a"));
  expect(asciiHost("[::1]")).toBe("[::1]");
  for (const no of ["", " ", ".", "a..b", "a b", "a/b", "http://a.test", "a.test:80", "u@a.test", "a?b", "\u0000"]) {
    expect(asciiHost(no)).toBeUndefined();
  }
});

test("a plain address is what the parser would make of it", () => {
  const labels = ["a", "news", "xn--mgberp4a5d4ar", "a-b", "-a", "a--b", "1", "0x7f", "127", "w".repeat(70), ""];
  const tops = ["test", "com", "x", "1", "org.", "xn--p1ai", "com:8080"];
  const paths = [
    "",
    "/",
    "/a",
    "/a/b.html",
    "/a/",
    "//a",
    "/./a",
    "/../a",
    "/a/..",
    "/.a",
    "/a~_-.",
    "/%41",
    "/a?b=c",
    "/مقال",
  ];
  let plain = 0;
  for (const scheme of ["http", "https", "HTTP"]) {
    for (const label of labels) {
      for (const top of tops) {
        for (const path of paths) {
          const address = `${scheme}://${label}.${top}${path}`;
          if (!isPlainUrl(address)) continue;
          plain++;
          // A fragment is taken off, but only by the parser.
          expect(canonicalUrl(`${address}#`)).toBe(address);
          expect(canonicalUrl(address)).toBe(address);
          expect(hostOf(address)).toBe(new URL(address).hostname);
        }
      }
    }
  }
  expect(plain).toBeGreaterThan(50);
});

describe("isWebUrl()", () => {
  test("takes absolute http and https URLs", () => {
    const right = [
      "http://a.test",
      "HTTPS://A.test:8443/x?y=z#w",
      "https://أخبار.test/مقال",
      "http://127.0.0.1/",
      "http://[::1]/",
      "https://u:p@a.test/",
      `https://${"a".repeat(60)}.${"b".repeat(60)}.${"ä".repeat(20)}.test/${"c/".repeat(50_000)}`,
      `https://${"u".repeat(1_000)}@${"a.".repeat(124)}test./`,
    ];
    for (const url of right) expect(isWebUrl(url)).toBe(true);
  });

  test("refuses everything else", () => {
    const wrong = [
      "",
      "a.test",
      "//a.test",
      "/a",
      "ftp://a.test",
      "mailto:a@b.test",
      "data:,x",
      "http://",
      "http://.",
      "https://a b.test",
      "http://a.test/\n",
      "http://a.test/\u007f",
      "http://a.test/\ud800",
      `https://${"a.".repeat(126)}test/x`,
      `https://${"a.".repeat(126)}test:80/`,
      // What a parser would take minutes for.
      `https://${"ä.".repeat(500_000)}test/`,
      `https:\\\\${"ä.".repeat(500_000)}test/`,
      ` http:${"ä".repeat(1_000_000)}`,
    ];
    for (const url of wrong) expect(isWebUrl(url)).toBe(false);
  });
});
