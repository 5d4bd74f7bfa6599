import { expect, test } from "bun:test";
import { authorsOf, constructText } from "./construct.ts";
import { readXml, type XmlElement } from "./xml.ts";

const root = (source: string): XmlElement => {
  const element = readXml(source);
  if (element === null) throw new Error("there is no element");
  return element;
};

test.each([
  ["<title>A &lt;b&gt;B&lt;/b&gt; &amp;amp; C</title>", "A B & C"],
  ['<title type="text">1 &lt; 2 &amp;amp; 3</title>', "1 < 2 &amp; 3"],
  ['<title type="html">&lt;p&gt;one&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;</title>', "one\n\ntwo"],
  ['<title type="text/html">&lt;p&gt;one&lt;/p&gt;two</title>', "one\n\ntwo"],
  ['<title mode="escaped">&lt;i&gt;one&lt;/i&gt;</title>', "one"],
  ['<title type="xhtml"><div><p>one</p><p>two &amp; three</p></div></title>', "one\n\ntwo & three"],
  ['<title type="xhtml"><p>one<br/>two</p><svg><text>drawn</text></svg></title>', "one\ntwo"],
  ["<title>one <b>two</b></title>", "one two"],
  [`<title mode="base64">${btoa("<p>coded</p>")}</title>`, "coded"],
  [`<title type="application/octet-stream">${btoa("coded")}</title>`, "coded"],
  ['<title type="application/octet-stream">plain, all the same</title>', "plain, all the same"],
  ['<title type="image/png">/w==</title>', "/w=="],
])("the text of %s is %j", (source, text) => {
  expect(constructText(root(source))).toBe(text);
});

test("an Atom title without a type is text, an element that is not there is empty", () => {
  expect(constructText(root("<title>a &amp;lt; b</title>"), "text")).toBe("a &lt; b");
  expect(constructText(undefined)).toBe("");
});

test.each([
  ["<author><name>Layla Haddad</name><email>layla@a.example</email></author>", "Layla Haddad"],
  ["<author><email>layla@a.example</email></author>", "layla@a.example"],
  ["<author><name>Layla</name></author><author><name>Omar</name></author>", "Layla, Omar"],
  ["<author><name>Layla</name></author><author><name>Layla</name></author>", "Layla"],
  ["<author><name/></author><dc:creator>Omar</dc:creator>", "Omar"],
  ["<author>layla@a.example (Layla Haddad)</author><dc:creator>Omar</dc:creator>", "Layla Haddad"],
  ["<dc:creator>ليلى حداد</dc:creator><dc:creator>عمر سعيد</dc:creator>", "ليلى حداد, عمر سعيد"],
  ["<itunes:author>The Desk</itunes:author>", "The Desk"],
  ["<title>none</title>", ""],
])("the authors of %s are %j", (inner, authors) => {
  expect(authorsOf(root(`<item>${inner}</item>`))).toBe(authors);
});
