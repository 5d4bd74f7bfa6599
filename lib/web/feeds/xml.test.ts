import { expect, test } from "bun:test";
import { childrenOf, firstChild, inherited, readXml, textUnder, type XmlElement } from "./xml.ts";

const root = (source: string): XmlElement => {
  const element = readXml(source);
  if (element === null) throw new Error("there is no element");
  return element;
};

test("elements of known namespaces get their usual prefix, whatever the document calls them", () => {
  const element = root(
    `<a xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"><d:date>1</d:date><n:title>2</n:title><x:title>3</x:title></a>`,
  );
  expect(element.children.map((child) => (typeof child === "string" ? child : child.name))).toEqual([
    "dc:date",
    "news:title",
    "?x:title",
  ]);
});

test("names and attributes are in lower case, entities decoded, CDATA as it stands", () => {
  const element = root(`<A HREF="x&amp;y">&lt;b&gt; <![CDATA[&lt;]]></A>`);
  expect(element).toMatchObject({ name: "a", attributes: { href: "x&y" } });
  expect(textUnder(element)).toBe("<b> &lt;");
});

test("what is not well-formed is read as far as it goes", () => {
  const element = root("<a><b>one<c>two & three");
  expect(textUnder(element)).toBe("onetwo & three");
  expect(textUnder(root("<a><![CDATA[never ends"))).toBe("never ends");
  expect(readXml("no element")).toBeNull();
});

test("an attribute is found on the nearest ancestor that has it", () => {
  const inner = firstChild(root(`<a xml:lang="ar"><c/></a>`), "x", "c");
  expect(inner === undefined ? undefined : inherited(inner, "xml:lang")).toBe("ar");
});

test("depth and number of elements are bounded", () => {
  let deepest = 0;
  for (let at: XmlElement | undefined = root("<a>".repeat(5000)); at !== undefined; at = childrenOf(at, "a")[0])
    deepest++;
  expect(deepest).toBe(200);
  expect(childrenOf(root(`<r>${"<i/>".repeat(500)}</r>`), "i")).toHaveLength(500);
  expect(childrenOf(root(`<r>${"<i/>".repeat(50_000)}</r>`), "i").length).toBe(50_000);
  expect(readXml(`<r>${"<i/>".repeat(500)}</r>`, { maxElements: 101 })?.children).toHaveLength(100);
});

test("entities that are made of others, or expand without end, are left alone", () => {
  expect(textUnder(root(`<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><r>&a;&b;</r>`))).toBe("x&b;");
  const many = textUnder(root(`<!DOCTYPE r [<!ENTITY a "${"x".repeat(100)}">]><r>${"&a;".repeat(20_000)}</r>`));
  expect(many.length).toBeLessThan(1_100_000);
});

test("a hundred entities of a document are expanded, ten thousand times in all, in its first 20,000 characters", () => {
  const declared = (count: number) => Array.from({ length: count }, (_, i) => `<!ENTITY e${i} "v${i}">`).join("");
  const text = textUnder(root(`<!DOCTYPE r [${declared(101)}]><r>&e0; &e99; &e100;</r>`));
  expect(text).toBe("v0 v99 &e100;");
  const many = textUnder(root(`<!DOCTYPE r [<!ENTITY a "x">]><r>${"&a;".repeat(10_001)}</r>`));
  expect(many).toBe(`${"x".repeat(10_000)}&a;`);
  const late = `<!DOCTYPE r [<!--${" ".repeat(20_000)}--><!ENTITY a "x">]><r>&a;</r>`;
  expect(textUnder(root(late))).toBe("&a;");
  expect(textUnder(root(`<!DOCTYPE r [<!ENTITY a "x"><!ENTITY a "y">]><r>&a;</r>`))).toBe("x");
});

test.each([
  ['<a xmlns="http://www.w3.org/2005/Atom"><title/></a>', "title"],
  ['<a xmlns="http://purl.org/rss/1.0/"><title/></a>', "title"],
  ['<a xmlns="https://unknown.example/feed"><title/></a>', "title"],
  ["<a><atom:title/></a>", "title"],
  ["<a><dc:title/></a>", "dc:title"],
  ['<a xmlns:dc="https://unknown.example/"><dc:title/></a>', "dc:title"],
  ['<a xmlns:x="https://unknown.example/"><x:title/></a>', "?x:title"],
  ['<a xmlns:x="HTTP://www.PURL.org/dc/elements/1.1#"><x:title/></a>', "dc:title"],
])("the first child of %s is called %s", (source, name) => {
  expect(root(source).children.map((child) => (typeof child === "string" ? child : child.name))).toEqual([name]);
});
