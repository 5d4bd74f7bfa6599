import { expect, test } from "bun:test";
import { authorsOf, baseOf, constructText, foldedText, personName, plainTextOf, webAddress } from "./text.ts";
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

test.each([
  ["<p>one</p><p>two<br>three</p>", "one\n\ntwo\nthree"],
  ["<ul><li>a</li><li>b</li></ul>", "a\nb"],
  ["wo<b>rd</b> and<wbr>word", "word andword"],
  ["a &amp; b &lt;3 &nbsp; c", "a & b <3 c"],
  ["<script>x</script><style>y</style><svg><title>z</title></svg>text", "text"],
  ["&lt;script&gt;alert(1)&lt;/script&gt;text", "text"],
  ["&amp;lt;b&amp;gt;text", "&lt;b&gt;text"],
  ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
  ["<!-- comment --><![CDATA[x]]>text", "text"],
  ["<p>never closed <a href='x", "never closed"],
  ["<p>har&shy;bour</p> har\ufeffbour المهند&#x2060;سون", "harbour\n\nharbour المهندسون"],
  ["10<sup>6</sup> km<sup>2</sup>, CO<sub>2</sub>, the 21<sup>st</sup>", "10^6 km², CO2, the 21st"],
  ["\u200bzero\ufeff width\u0007", "zero width"],
])("%s reads %p", (html, text) => {
  expect(plainTextOf(html)).toBe(text);
});

test("however often markup is escaped, none stays", () => {
  let html = "<img src=x onerror=alert(1)>text";
  for (let i = 0; i < 6; i++) {
    expect(plainTextOf(html)).not.toMatch(/<\/?[a-z!?][^<>]*>/i);
    html = html.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  }
});

test.each([
  ["Use the &lt;head&gt; element. More.", "Use the head element. More."],
  ["The <select> element. More.", "The select element. More."],
  ["<p>The <select> element</p><p>More.</p>", "The select element\n\nMore."],
  ["<p>The <title> element.</p><p>More.</p>", "The title element.\n\nMore."],
  ["<p>From <textarea> on</p><p>to </textarea> More.</p>", "From textarea on\n\nto More."],
  ["The <script> element runs a program. More.", "The script element runs a program. More."],
  ["between &lt;script&gt; and &lt;/script&gt; there is more", "between script and there is more"],
  ["what (&lt;option&gt;) is", "what (option) is"],
  ["A <!-- begins a comment. <b>More.</b>", "A begins a comment. More."],
  ["where x <y then more", "where x < y then more"],
  ["<select><option>a<option>b</select>more", "more"],
])("a text that names an element goes on after it: %s", (html, text) => {
  expect(plainTextOf(html)).toBe(text);
});

test.each([
  "text<script>alert(1)",
  "text<style>p { color: red",
  "text &lt;script&gt;alert(1)",
  "text<!--[if gte mso 9]> x",
])("a program that was cut off is no text: %s", (html) => {
  expect(plainTextOf(html)).toBe("text");
});

test("a text that is no markup keeps its brackets, not its tags", () => {
  expect(foldedText("a  <  b\n\n\n\nc")).toBe("a < b\n\nc");
  expect(foldedText("a <b>c</b>")).toBe("a c");
});

test.each([
  ["me@a.example (A. Writer)", "A. Writer"],
  ["A. Writer <me@a.example>", "A. Writer"],
  ["A. Writer (mailto:me@a.example)", "A. Writer"],
  ["A. Writer", "A. Writer"],
  ["me@a.example", "me@a.example"],
  ["", ""],
])("the person %s is %p", (text, name) => {
  expect(personName(text)).toBe(name);
});

test.each([
  ["/a?b=1", "https://a.example/feed", "https://a.example/a?b=1"],
  ["//b.example/x", "https://a.example/", "https://b.example/x"],
  ["https://a.example", undefined, "https://a.example"],
  ["https://a.example/ü", undefined, "https://a.example/%C3%BC"],
  ["javascript:alert(1)", "https://a.example/", null],
  ["/a", undefined, null],
  ["  ", "https://a.example/", null],
  ["http://", undefined, null],
])("the address %p on %p is %p", (value, base, expected) => {
  expect(webAddress(value, base)).toBe(expected);
});

test("bases add up from the outside in", () => {
  const element = { children: [], parent: null, isUnclosed: false };
  const outer = { ...element, name: "a", attributes: { "xml:base": "https://a.example/x/" } };
  const inner = { ...element, name: "b", attributes: { "xml:base": "y/" }, parent: outer };
  expect(baseOf(inner, "https://feed.example/")).toBe("https://a.example/x/y/");
  expect(baseOf({ ...inner, parent: null }, "https://feed.example/z")).toBe("https://feed.example/y/");
});
