import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cleanText, contentHash, fold, isPlain, normalForm, scriptText } from "./clean.ts";
import { pieces, randomTexts } from "./testing.ts";
import { forEachWord } from "./words.ts";

test("clean text comes back as it is", () => {
  const text = "قالت الوزارة إن 3 < 5 وإن a < b، و AT&T باقية.";
  expect(cleanText(text)).toBe(text);
});

test("tags go with their attributes, block tags leave a space, inline ones nothing", () => {
  expect(cleanText('<p class="x > y">One</p><p>two<br/>three</p>')).toBe("One two three");
  expect(cleanText("<b>W</b>ord <a href='/?a=\"<b>\"'>li<em>nk</em></a>")).toBe("Word link");
  expect(cleanText("<!DOCTYPE html><?xml version='1.0'?><html><body>x</body></html>")).toBe("x");
  expect(cleanText("<DIV\nid=a>x</DIV>")).toBe("x");
});

test("comments and the bodies of scripts and styles go", () => {
  expect(cleanText("wo<!-- a > b -->rd")).toBe("word");
  expect(cleanText("a<script>if (a < b) x = '</p>'</script >b<STYLE>p{}</style>c")).toBe("a b c");
  expect(cleanText("a <scripted>b</scripted> c")).toBe("a b c");
});

test("of a text with a script, style or comment that is never closed nothing but the tag is lost", () => {
  expect(cleanText("Write <script> in the head. <b>Then</b> save.")).toBe("Write in the head. Then save.");
  expect(cleanText("a <STYLE type='x'>b</script> c")).toBe("a b c");
  expect(cleanText("a <!-- b > c <b>d</b>")).toBe("a b > c d");
  expect(cleanText("<script>x</script>a<script>b<script>c</style>")).toBe("a b c");
  expect(cleanText("<scr<!--ipt>x</script >y")).not.toMatch(/<script/i);
});

test("the text of CDATA sections stays", () => {
  expect(cleanText("<![CDATA[<p>نص</p>]]> x")).toBe("نص x");
});

test("a less-than sign that opens no tag is text", () => {
  for (const text of ["a < b", "a <b", "1<2 and 3>2", "i <3 you", "</3", "<", "<>", "< p >", "x <- y -> z"]) {
    expect(cleanText(text)).toBe(text);
  }
});

test("no markup is put together by taking markup away", () => {
  expect(cleanText("<<b>script>x</script>")).not.toContain("<script");
  expect(cleanText("<<!-- -->script>x")).not.toContain("<script");
  expect(cleanText("<scr\0ipt>x</script>y")).toBe("y");
});

test("entities are decoded once, in the text that was no markup", () => {
  expect(cleanText("&lt;b&gt; &amp;amp; &#1605;&#x631;&eacute;&nbsp;x")).toBe("<b> &amp; مرé x");
  expect(cleanText("?a=1&section=2&copy=3")).toBe("?a=1&section=2&copy=3");
  expect(cleanText("a&#0;b&#xD800;c")).toBe("a\ufffdb\ufffdc");
});

test("white space is folded, joiners and marks stay", () => {
  expect(cleanText(" a\u00a0\t\r\n b\u2028\u3000c\u0085 ")).toBe("a b c");
  expect(cleanText("\ufeffمـراكش\u200cها \u200f")).toBe("\ufeffمـراكش\u200cها \u200f");
});

test("U+0000 goes, a lone surrogate becomes U+FFFD, a pair stays", () => {
  expect(cleanText("a\0b\ud800c\u{1F600}\udc00")).toBe("ab\ufffdc\u{1F600}\ufffd");
});

test("what is left holds no markup that a second pass would find, whatever the text", () => {
  for (const text of randomTexts(2000, pieces.markup)) {
    const clean = cleanText(text);
    expect(cleanText(clean)).toBe(clean);
  }
});

test("hostile texts of two megabytes cost linear time", () => {
  const size = 2_000_000;
  const fill = (unit: string, tail = "") => unit.repeat(Math.ceil(size / unit.length)) + tail;
  const texts = [
    fill("<"),
    fill("<a"),
    fill("<", ">"),
    fill("<a ", ">"),
    fill('<a b="'),
    fill('<a b="', ">"),
    fill("<!--"),
  ];
  texts.push(
    fill("<!"),
    fill("<script>"),
    fill("<script", ">"),
    fill("</script"),
    fill(`<a b="'`, ">"),
    fill("<![CDATA["),
  );
  texts.push(
    fill("&"),
    fill("&#"),
    fill("&a"),
    fill(" "),
    fill("\0"),
    fill("\ud800"),
    fill("<b>"),
    fill("<<b>"),
    fill("< /p"),
  );
  texts.push(
    fill("<style></styl", ">"),
    fill("&amp;"),
    fill("<a b=\"'c=>"),
    fill("<p a='b'>"),
    fill(`${"<a b=".repeat(50)}"`, ">"),
  );
  // A quadratic cost would exceed the time limit of a test.
  for (const text of texts) expect(cleanText(text).length).toBeLessThanOrEqual(text.length);
}, 300_000);

test("Arabic and English prose is plain; what composing, folding or cleaning would change is not", () => {
  for (const text of ["", "Talks, at 5 p.m. (local time)!", "قال وزير الخارجية: «نعم»، اليوم؟", "Müller “said” — no"]) {
    expect([text, isPlain(text)]).toEqual([text, true]);
  }
  for (const text of [
    "a\u0000",
    "a\tb",
    "a\nb",
    "a\u0085b",
    "a\u00a0b",
    "a\u2028b",
    "مـراكش",
    "a\u200fb",
    "ﻻ",
    "²",
    "e\u0301",
  ]) {
    expect([text, isPlain(text)]).toEqual([text, false]);
  }
  for (const text of ["\ud800", "😀", "مَرَّاكُش", "漢字"]) expect([text, isPlain(text)]).toEqual([text, false]);
});

test("every plain character stays as it is, alone and beside others", () => {
  let plain = 0;
  for (let unit = 0; unit < 0x10000; unit++) {
    const char = String.fromCharCode(unit);
    if (!isPlain(char) || char === " " || char === "<" || char === "&") continue;
    plain += 1;
    expect(cleanText(`x${char}y`)).toBe(`x${char}y`);
    expect(`x${char}y`.normalize("NFKC")).toBe(`x${char}y`);
    expect(fold(`ا${char}ب`)).toBe(`ا${char}ب`);
  }
  expect(plain).toBeGreaterThan(400);
});

test("whether a text is plain does not depend on what was asked before", () => {
  for (const text of randomTexts(2_000, pieces.scripts)) {
    const each = [...text].every((char) => isPlain(char));
    expect([isPlain(text), isPlain(`${text}x`), isPlain(text)]).toEqual([each, each, each]);
  }
});

test.each([
  ["sup", "6", "10", "^6"],
  ["sup", "-6", "10", "^-6"],
  ["sup", "٦", "١٠", "^٦"],
  ["sub", "2", "1010", "_2"],
  ["sup", "2", "km", "²"],
  ["sup", "٢", "كم", "²"],
  ["sup", "−1", "s", "⁻¹"],
] as const)("<%s>%s</…> behind %p is written so that it makes no other number", (tag, inner, before, text) => {
  expect(scriptText(tag, inner, before)).toBe(text);
});

test("what is no number, and what nobody could misread, stays", () => {
  expect(scriptText("sup", "st", "21")).toBeUndefined();
  expect(scriptText("sub", "2", "CO")).toBeUndefined();
  expect(scriptText("b", "6", "10")).toBeUndefined();
  expect(scriptText("sup", "20261128", "on")).toBeUndefined();
});

test("Arabic words lose marks and tatweel, and letters written in several ways become one", () => {
  expect(normalForm("مَرَّاكُش")).toBe("مراكش");
  expect(normalForm("مـــراكش")).toBe("مراكش");
  expect(normalForm("الأحمد")).toBe(normalForm("الاحمد"));
  expect(normalForm("إلى")).toBe("الي");
  expect(normalForm("آخِر")).toBe("اخر");
  expect(normalForm("مدرسة")).toBe("مدرسه");
  expect(normalForm("ڤيينا")).toBe("فيينا");
  expect(normalForm("پاریس")).toBe("باريس");
});

test("presentation forms are the letters that they show", () => {
  expect(normalForm("ﻣﺮﺍﻛﺶ")).toBe("مراكش");
  expect(normalForm("ﻷﺣﻤﺪ")).toBe("لاحمد");
  expect(normalForm("ﷺ").split(" ")).toHaveLength(4);
});

test("digits of every kind are the same", () => {
  expect(normalForm("٢٠١٨")).toBe("2018");
  expect(normalForm("۲۰۱۸")).toBe("2018");
  expect(normalForm("２０１８")).toBe("2018");
});

test("Latin words lose case, accents, possessives and stops", () => {
  expect(normalForm("Café")).toBe("cafe");
  expect(normalForm("Cafe\u0301")).toBe("cafe");
  expect(normalForm("Beyoncé’s")).toBe("beyonce");
  expect(normalForm("don't")).toBe("dont");
  expect(normalForm("U.S.A")).toBe("usa");
  expect(normalForm("İSTANBUL")).toBe("istanbul");
  expect(normalForm("ﬁlm")).toBe("film");
});

test("the normal form of a word is its own normal form", () => {
  for (const text of randomTexts(1000, pieces.scripts)) {
    forEachWord(text, (start, end) => {
      const once = normalForm(text.slice(start, end));
      expect(normalForm(once)).toBe(once);
    });
  }
});

test("fold() applies NFKC and removes tatweel and zero-width characters", () => {
  expect(fold("مـــراكش")).toBe("مراكش");
  expect(fold("ﻣﺮاﻛﺶ ﻻ")).toBe("مراكش لا");
  expect(fold("می\u200cخواهم\u200f \ufeffx\u2060y")).toBe("میخواهم xy");
  expect(fold("ﬁ ² Ａ")).toBe("fi 2 A");
});

test("fold() keeps case, diacritics and letter forms", () => {
  expect(fold("مَرَّاكُش أحمد Ab")).toBe("مَرَّاكُش أحمد Ab");
});

test("fold() folds the white space that NFKC makes", () => {
  expect(fold("a\u00a0 b \ufe70")).toBe("a b \u064b");
});

test("fold() of a folded text changes nothing, and composition makes no difference", () => {
  for (const text of randomTexts(2000, pieces.scripts)) {
    const folded = fold(text);
    expect(fold(folded)).toBe(folded);
    expect(fold(text.normalize("NFD"))).toBe(folded);
  }
});

test("contentHash() is the SHA-256 of both folded texts with a line feed between them", () => {
  const expected = createHash("sha256").update("عنوان\nنص").digest("hex");
  expect(contentHash("عنـوان", " نص\u200f ")).toBe(expected);
  expect(contentHash("a", "b c")).not.toBe(contentHash("a b", "c"));
});
