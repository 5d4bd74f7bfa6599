import { expect, test } from "bun:test";
import { charsetIn, decodeText, prescan } from "./charset.ts";

const ARABIC = "معارضون يسيطرون على مخازن للصواريخ بريف دمشق في الوقت الذي حض فيه الائتلاف على ضبط النفس";
const RUSSIAN = "Новый цитатник Рунета, пример ленты новостей на русском языке для проверки";

/** Encodes a text in a charset of one byte a character. */
function encode(charset: string, text: string): Uint8Array {
  const decoder = new TextDecoder(charset as "utf-8");
  const codes = new Map(Array.from({ length: 256 }, (_, code) => [decoder.decode(Uint8Array.of(code)), code]));
  return Uint8Array.from(text, (char) => codes.get(char) ?? 0x3f);
}

const join = (...parts: (string | Uint8Array)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

test.each(["windows-1256", "iso-8859-6"])("%s is taken from header, meta, XML declaration, and guessed", (charset) => {
  const bytes = encode(charset, ARABIC);
  const html = join(`<html><head><meta http-equiv="Content-Type" content="text/html; charset=${charset}">`, bytes);
  const xml = join(`<?xml version="1.0" encoding="${charset}"?><rss>`, bytes);
  expect(decodeText(bytes, { contentType: `text/html; charset="${charset}"` })).toMatchObject({
    text: ARABIC,
    how: "header",
  });
  expect(decodeText(html)).toMatchObject({ charset, how: "document" });
  expect(decodeText(html).text).toEndWith(ARABIC);
  expect(decodeText(xml).text).toEndWith(ARABIC);
  expect(decodeText(bytes)).toEqual({ text: ARABIC, charset, how: "guess" });
});

test.each(["windows-1251", "koi8-r"])("%s is guessed from its letters", (charset) => {
  expect(decodeText(encode(charset, RUSSIAN))).toEqual({ text: RUSSIAN, charset, how: "guess" });
});

test("accented Western text is not taken for another script", () => {
  const text = "Les études montrent que les perturbateurs endocriniens ont été trouvés à côté";
  expect(decodeText(encode("windows-1252", text))).toEqual({ text, charset: "windows-1252", how: "guess" });
});

test("the windows-1252 that servers send unasked yields to the document's own charset", () => {
  const html = join(`<meta charset="windows-1256">`, encode("windows-1256", ARABIC));
  expect(decodeText(html, { contentType: "text/html; charset=iso-8859-1" }).text).toEndWith(ARABIC);
});

test("what is well-formed UTF-8 beyond ASCII is UTF-8, whatever is declared", () => {
  const bytes = join(`<?xml version="1.0" encoding="windows-1252"?><a>`, ARABIC);
  expect(decodeText(bytes, { contentType: "text/xml; charset=koi8-r" })).toMatchObject({
    charset: "utf-8",
    how: "utf-8",
  });
});

test("a declared UTF-8 that is none is not believed", () => {
  const bytes = join(`<meta charset="utf-8">`, encode("windows-1256", ARABIC));
  expect(decodeText(bytes).text).toEndWith(ARABIC);
});

test("a UTF-8 text cut within a character stays UTF-8", () => {
  const bytes = Buffer.from(ARABIC.repeat(3)).subarray(0, -1);
  expect(decodeText(bytes)).toMatchObject({ charset: "utf-8" });
});

test("byte order marks decide, and do not stay in the text", () => {
  const wide = Buffer.from(ARABIC, "utf16le");
  expect(decodeText(join(Uint8Array.of(0xff, 0xfe), wide))).toEqual({ text: ARABIC, charset: "utf-16le", how: "bom" });
  expect(decodeText(join(Uint8Array.of(0xfe, 0xff), Buffer.from(wide).swap16()))).toMatchObject({
    text: ARABIC,
    charset: "utf-16be",
  });
  expect(decodeText(join(Uint8Array.of(0xef, 0xbb, 0xbf), ARABIC)).text).toBe(ARABIC);
  const utf32 = Buffer.alloc(12);
  utf32.writeUInt32LE(0xfeff, 0);
  utf32.writeUInt32LE(0x1f600, 4);
  utf32.writeUInt32LE(0xd800, 8);
  expect(decodeText(utf32)).toMatchObject({ text: "😀\ufffd", charset: "utf-32le" });
});

test("wide text without a mark is known by its zero bytes", () => {
  expect(decodeText(Buffer.from("<?xml?><a>é</a>", "utf16le"))).toMatchObject({
    text: "<?xml?><a>é</a>",
    charset: "utf-16le",
  });
});

test("unknown names are passed over, and no bytes at all are an empty text", () => {
  expect(decodeText(Buffer.from("plain"), { contentType: "text/html; charset=no-such" }).text).toBe("plain");
  expect(decodeText(new Uint8Array())).toEqual({ text: "", charset: "utf-8", how: "utf-8" });
});

test("a charset in a comment, a script or a description is not believed", () => {
  const bytes = encode("windows-1256", ARABIC);
  for (const head of [
    '<!-- <meta charset="koi8-r"> -->',
    `<script>document.write('<meta charset="koi8-r">')</script>`,
    '<meta name="description" content="charset=koi8-r">',
  ]) {
    expect(decodeText(join(head, bytes)).text).toEndWith(ARABIC);
    expect(decodeText(join(head, '<meta charset="windows-1256">', bytes))).toMatchObject({ how: "document" });
  }
});

test("a declaration that makes no words of the text, while another charset does, is not believed", () => {
  const bytes = encode("windows-1256", ARABIC);
  for (const wrong of ["iso-8859-1", "koi8-r", "windows-1252"]) {
    expect(decodeText(join(`<meta charset="${wrong}">`, bytes))).toMatchObject({
      charset: "windows-1256",
      how: "guess",
    });
    expect(decodeText(bytes, { contentType: `text/html; charset=${wrong}` }).text).toBe(ARABIC);
  }
  const western = encode(
    "windows-1252",
    "Les études montrent que les perturbateurs ont été trouvés à côté. ".repeat(20),
  );
  expect(decodeText(western, { contentType: "text/html; charset=iso-8859-1" }).charset).toBe("windows-1252");
});

test("a header as long as a server cares to send is read in passing", () => {
  const before = process.cpuUsage();
  for (const tail of ["", "x", '"']) {
    decodeText(Buffer.from("plain"), { contentType: `text/html; charset=${"\t".repeat(500_000)}${tail}` });
    decodeText(Buffer.from("plain"), { contentType: `text/html;${" charset".repeat(100_000)}${tail}` });
  }
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(2);
});

test.each([
  ['<meta charset="windows-1256">', "windows-1256"],
  ["<META CHARSET=Windows-1256>", "windows-1256"],
  ["<meta charset='windows-1256'/>", "windows-1256"],
  ["<meta\ncharset = windows-1256 >", "windows-1256"],
  ['<meta/charset="windows-1256">', "windows-1256"],
  ['<meta name="x" charset="windows-1256">', "windows-1256"],
  ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1256">', "windows-1256"],
  ['<meta content="text/html; charset=windows-1256" http-equiv="content-type">', "windows-1256"],
  ['<!doctype html><html lang="ar"><head><title>x</title><meta charset="windows-1256">', "windows-1256"],
  ['<!-- <meta charset="koi8-r"> --><meta charset="windows-1256">', "windows-1256"],
  ['<!--> <meta charset="windows-1256">', "windows-1256"],
  ['<!--[if IE]><meta charset="koi8-r"><![endif]--><meta charset="windows-1256">', "windows-1256"],
  [`<script>var a = '<meta charset="koi8-r">'</script><meta charset="windows-1256">`, "windows-1256"],
  ['<style>/* <meta charset="koi8-r"> */</style><meta charset="windows-1256">', "windows-1256"],
  ['<title><meta charset="koi8-r"></title><meta charset="windows-1256">', "windows-1256"],
  ['<meta name="description" content="text/html; charset=koi8-r"><meta charset="windows-1256">', "windows-1256"],
  [`<a title='<meta charset="koi8-r">'><meta charset="windows-1256">`, "windows-1256"],
  ['<?php <meta charset="koi8-r" ?><meta charset="windows-1256">', "windows-1256"],
  ['</meta charset="koi8-r"><meta charset="windows-1256">', "windows-1256"],
  ['<metadata charset="koi8-r"><meta charset="windows-1256">', "windows-1256"],
  ['<!-- <meta charset="koi8-r"> -->', undefined],
  ['<!-- <meta charset="koi8-r">', undefined],
  ['<meta property="og:description" content="how to set charset=koi8-r">', undefined],
  ["<p>charset=koi8-r</p>", undefined],
  ["1 < 2 <", undefined],
  ["", undefined],
])("%s declares %p", (html, charset) => {
  expect(prescan(html)).toBe(charset);
});

test.each([
  ["text/html; charset=UTF-8", "utf-8"],
  ['text/html;charset="windows-1256"', "windows-1256"],
  ["text/html; charset = 'windows-1256' ; x=y", "windows-1256"],
  ["text/html; charset charset=utf-8", "utf-8"],
  ["text/html; charset=", undefined],
  ["text/html", undefined],
])("the content type %s has the charset %p", (type, charset) => {
  expect(charsetIn(type)).toBe(charset);
});

test.each(["<", "<!--", "<meta ", "<meta a=", "<a b='", "charset", "charset=\t", "<script>", "</", "<meta charset "])(
  "%j over and over is read in passing",
  (part) => {
    const before = process.cpuUsage();
    prescan(part.repeat(100_000));
    charsetIn(part.repeat(100_000));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(5);
  },
);
