import { describe, expect, test } from "bun:test";
import { parsePage } from "./dom.ts";
import { firstMeta, readLinkedData, readMeta, statedTitle } from "./metadata.ts";

describe("meta", () => {
  const read = (head: string) => readMeta(parsePage(`<html><head>${head}</head><body></body></html>`));

  test("contents stand under each name in lower case, in the order of the page, on one line", () => {
    const tags = read(`<meta name="Author" content=" A.\n Writer "><meta property="author og:x" content="B. Writer">
    <meta itemprop="keywords" value="dam"><meta http-equiv="Refresh" content="5">`);
    expect([...tags]).toEqual([
      ["author", ["A. Writer", "B. Writer"]],
      ["og:x", ["B. Writer"]],
      ["keywords", ["dam"]],
      ["refresh", ["5"]],
    ]);
  });

  test("an element without a name or a content says nothing, and beyond 500 none is read", () => {
    expect(read('<meta content="x"><meta name="a"><meta name="b" content=" "><meta name="" content="y">').size).toBe(0);
    const many = Array.from({ length: 501 }, (_, i) => `<meta name="n${i}" content="x">`).join("");
    expect([read(many).size, read(many).has("n499"), read(many).has("n500")]).toEqual([500, true, false]);
  });

  test("the first of several names that is there counts", () => {
    const tags = read('<meta name="b" content="second"><meta name="b" content="third"><meta name="c" content="last">');
    expect(firstMeta(tags, ["a", "b", "c"])).toBe("second");
    expect(firstMeta(tags, ["a"])).toBe("");
  });

  test("a page's own title is that for links, else that of its window", () => {
    const title = (head: string) => statedTitle(parsePage(`<html><head>${head}</head><body></body></html>`));
    expect(title('<title>Window</title><meta property="og:title" content=" For  links ">')).toBe("For links");
    expect(title('<title>Window</title><meta property="og:title" content=" ">')).toBe("Window");
    expect(title('<meta name="og:title" content="no property">')).toBe("");
  });
});

describe("jsonld", () => {
  const read = (...scripts: string[]) =>
    readLinkedData(parsePage(scripts.map((json) => `<script type="application/ld+json">${json}</script>`).join("")));

  test("the article is found in a graph, and references are followed", () => {
    const data = read(`{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"Site"},
    {"@type":"WebPage","datePublished":"2025-05-01"},
    {"@type":["NewsArticle","Article"],"headline":"A &amp; B","author":{"@id":"#layla"},"publisher":{"@type":"Organization","name":"The Daily"},
     "image":[{"url":"https://a.example/1.jpg"}],"inLanguage":"ar","articleSection":["World","News"],"mainEntityOfPage":{"@id":"https://a.example/1"}},
    {"@type":"Person","@id":"#layla","name":"Layla"}]}`);
    expect(data).toMatchObject({
      headline: "A & B",
      authors: ["Layla"],
      publisher: "The Daily",
      published: "2025-05-01",
      image: "https://a.example/1.jpg",
      language: "ar",
      section: "World",
      url: "https://a.example/1",
    });
  });

  test("of several articles the one that says most counts", () => {
    expect(
      read(
        '{"@type":"Article","name":"teaser"}',
        '{"@type":"NewsArticle","headline":"main","author":"A","datePublished":"2025"}',
      ),
    ).toMatchObject({ headline: "main", authors: ["A"] });
  });

  test.each([
    ["in a comment", '<!-- {"@type":"Article","headline":"x"} -->'],
    ["with a comma too many", '{"@type":"Article","headline":"x",}'],
    ["with a line break in a string", '{"@type":"Article","headline":"x\n"}'],
    ["with a semicolon behind it", '{"@type":"Article","headline":"x"};'],
    ["in CDATA", '//<![CDATA[\n{"@type":"Article","headline":"x"}\n//]]>'.replaceAll("//", "")],
  ])("data %s are read all the same", (_, json) => {
    expect(read(json)?.headline).toBe("x");
  });

  test.each(["", "null", "7", "[]", "{", '{"@type":"Person","name":"x"}', '{"@type":7}', `[${"[".repeat(5000)}`])(
    "%# holds no article",
    (json) => {
      expect(read(json)).toBeNull();
    },
  );

  test("values of the wrong type are passed over", () => {
    expect(read('{"@type":"Article","headline":{"a":1},"author":[null,7,{"name":["N"]}],"image":false}')).toMatchObject(
      {
        headline: "",
        authors: ["7", "N"],
        image: "",
      },
    );
  });

  test.each([
    ["as a given and a family name", '{"@type":"Person","givenName":"Layla","familyName":"Haddad"}'],
    ["as a value", '{"@type":"Person","name":{"@value":"Layla Haddad","@language":"en"}}'],
    ["in a list", '{"@list":[{"name":"Layla Haddad"}]}'],
    ["in a name of a name", '{"@type":"Person","name":{"@type":"Text","name":"Layla Haddad"}}'],
    ["in arrays of arrays", '[[{"name":["Layla Haddad"]}]]'],
  ])("an author is named %s", (_, author) => {
    expect(read(`{"@type":"NewsArticle","headline":"x","author":${author}}`)?.authors).toEqual(["Layla Haddad"]);
  });

  test("values, prefixed names and references to characters are read", () => {
    expect(
      read('{"@type":"schema:NewsArticle","schema:headline":"x","schema:datePublished":{"@value":"2025-05-01"}}'),
    ).toMatchObject({ headline: "x", published: "2025-05-01" });
    expect(read("{&quot;@type&quot;:&quot;Article&quot;,&quot;headline&quot;:&quot;x&quot;}")?.headline).toBe("x");
    expect(read('{"@type":"WebSite","name":"s"}{"@graph":{"@type":"Article","headline":"x"}}')?.headline).toBe("x");
  });

  test("the updates of a live blog are a part of its text, in their order", () => {
    const update = (headline: string, body: string) =>
      `{"@type":"BlogPosting","headline":"${headline}","articleBody":"${body}"}`;
    const live = (more: string) =>
      `{"@type":"LiveBlogPosting","headline":"x",${more}"liveBlogUpdate":[${update("One", "First.")},${update("Two", "Two more.")}]}`;
    expect(read(live(""))).toMatchObject({ body: "One\n\nFirst.\n\nTwo more.", isLive: true });
    expect(read(live('"articleBody":"Begin.",'))?.body).toBe("Begin.\n\nOne\n\nFirst.\n\nTwo more.");
    expect(read('{"@type":"NewsArticle","headline":"a","author":"A"}', live(""))).toMatchObject({
      headline: "a",
      isLive: true,
    });
    expect(read('{"@type":"Article","headline":"x","articleBody":["a","b"]}')).toMatchObject({
      body: "a\n\nb",
      isLive: false,
    });
  });

  test("ClaimReviews are kept as they stand, with what they refer to, bounded in number and size", () => {
    const review = {
      ...{ "@type": "ClaimReview", claimReviewed: "It fell", url: "https://a.example/1", author: { "@id": "#desk" } },
      ...{ reviewRating: { ratingValue: 1 }, headline: "Fact check" },
    };
    const desk = { "@type": "Organization", "@id": "#desk", name: "Desk" };
    const large = { ...review, claimReviewed: "x".repeat(9_000) };
    const data = read(JSON.stringify({ "@graph": [{ "@type": "NewsArticle", headline: "H" }, review, desk, large] }));
    expect(data?.claimReviews.map((each) => JSON.parse(each))).toEqual([
      {
        ...{ "@type": "ClaimReview", claimReviewed: "It fell", url: "https://a.example/1", author: desk },
        reviewRating: { ratingValue: 1 },
      },
    ]);
    expect(read(JSON.stringify(new Array(50).fill(review)))?.claimReviews).toHaveLength(10);
    expect(read('{"@type":"NewsArticle","headline":"H"}')?.claimReviews).toEqual([]);
  });
});
