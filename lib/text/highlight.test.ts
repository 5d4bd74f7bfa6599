import { describe, expect, test } from "bun:test";
import { highlight, lettersOf, likelyWords, queryTerms, ScannedText } from "./highlight.ts";
import { pieces, randomTexts } from "./testing.ts";
import { wordTerms } from "./word-terms.ts";
import { forEachWord } from "./words.ts";

const plain = (html: string) => html.replace(/<\/?mark>|…/g, "");

describe("highlight()", () => {
  test("a word with many lemmas is found by any of them, once and again", () => {
    const text = new ScannedText("قال المتحدث اليمني امس");
    expect(wordTerms("اليمني").lemmas.length).toBeGreaterThan(3);
    for (const query of ["سعودي", "يمني", "اليمني", "سعودي"]) {
      const marked = query === "سعودي" ? [] : ["قال المتحدث <mark>اليمني</mark> امس"];
      expect({ query, fragments: highlight(text, query).fragments }).toEqual({ query, fragments: marked });
    }
  });

  test("marks the whole word as it stands in the text", () => {
    expect(highlight("The harbour reopens", "harbour").snippet).toBe("The <mark>harbour</mark> reopens");
    expect(highlight("عاد إلى مَرَّاكُش مساءً", "مراكش").snippet).toContain("<mark>مَرَّاكُش</mark>");
    expect(highlight("زار الأحمد المدينة", "الاحمد").snippet).toContain("<mark>الأحمد</mark>");
    expect(highlight("خبر عـــاجل اليوم", "عاجل").snippet).toContain("<mark>عـــاجل</mark>");
  });

  test("marks the inflected forms of a word: broken plurals, persons and tenses, with clitics", () => {
    expect(highlight("افتتحت البلاد الجسور الجديدة", "جسر").snippet).toContain("<mark>الجسور</mark>");
    expect(highlight("تقارير عن المدارس", "مدرسة التقرير").snippet).toBe("<mark>تقارير</mark> عن <mark>المدارس</mark>");
    expect(highlight("وسيتفقون غدا", "اتفقوا").snippet).toBe("<mark>وسيتفقون</mark> غدا");
    expect(highlight("قالت وزيرة", "يقول الوزير").snippet).toBe("<mark>قالت</mark> <mark>وزيرة</mark>");
    expect(highlight("كتب ومكتبات", "الكتاب").snippet).toBe("<mark>كتب</mark> ومكتبات");
    expect(highlight("Prices of the city's studies reopened", "price city study reopen").snippet).toBe(
      "<mark>Prices</mark> of the <mark>city&#39;s</mark> <mark>studies</mark> <mark>reopened</mark>",
    );
  });

  test.each([
    ["الاتفاق", "وافق الوزير"],
    ["النووي", "وأنا هنا نويت"],
    ["ما بعد الاتفاق النووي الإيراني؟!", "وأنا أوافق على ما قال"],
    ["كتاب", "الكاتب والمكتبة والكتابة"],
    ["المدارس", "المدرسون والدروس"],
    ["جسر", "افتتحت البلاد الطرق الجديدة"],
    ["university", "The universe is universal"],
    ["elections", "He was elected to the electoral board"],
  ])("of another word of the same root or stem, nothing is marked: %s, %s", (query, text) => {
    expect(highlight(text, query).fragments).toEqual([]);
  });

  test("a word that repeats in the query with other forms is marked in all of them", () => {
    expect(highlight("المدرسون في المدرسة", "مدرسة مدرسون").snippet).toBe(
      "<mark>المدرسون</mark> في <mark>المدرسة</mark>",
    );
  });

  test("the forms of a word are one word of the query", () => {
    const filler = "لا شيء هنا الآن ".repeat(30);
    const [first] = highlight(`الجسور والجسر وجسر ${filler} الجسر على النهر`, "جسر النهر").fragments;
    expect(first).toContain("<mark>النهر</mark>");
  });

  test("escapes the text", () => {
    const { snippet } = highlight(`<script>alert("harbour & more")</script>`, "harbour");
    expect(snippet).toBe("&lt;script&gt;alert(&quot;<mark>harbour</mark> &amp; more&quot;)&lt;/script&gt;");
    expect(highlight("a < b", "zzz").snippet).toBe("a &lt; b");
  });

  test("chooses the part with the most different words of the query", () => {
    const filler = "nothing to see here ".repeat(30);
    const text = `harbour ${filler} the bridge at the harbour ${filler} bridge`;
    const { snippet, fragments } = highlight(text, "harbour bridge");
    expect(snippet).toContain("<mark>bridge</mark> at the <mark>harbour</mark>");
    expect(fragments.length).toBe(3);
    expect(fragments[0]).toBe(snippet);
  });

  test("begins and ends between words, near the length that was asked for", () => {
    const words = Array.from({ length: 400 }, (_, i) => `word${i}`).join(" ");
    for (const at of [0, 5, 200, 399]) {
      const { snippet } = highlight(words, `word${at}`, { fragmentLength: 100 });
      expect(snippet).toContain(`<mark>word${at}</mark>`);
      expect(plain(snippet).length).toBeLessThanOrEqual(110);
      for (const word of plain(snippet).trim().split(" ")) expect(words.split(" ")).toContain(word);
    }
  });

  test("shows the beginning when nothing matches, and for an empty query or text", () => {
    const { snippet, fragments } = highlight("word ".repeat(100), "zzz");
    expect(fragments).toEqual([]);
    expect(snippet).toStartWith("word word");
    expect(snippet).toEndWith("word…");
    expect(highlight("some text", "").snippet).toBe("some text");
    expect(highlight("", "word")).toEqual({ snippet: "", fragments: [] });
  });

  test("cuts a run without spaces between code points", () => {
    const { snippet } = highlight("😀".repeat(500), "zzz");
    expect(snippet.isWellFormed()).toBe(true);
    expect(plain(snippet).length).toBeLessThan(200);
  });

  test("fragments do not overlap", () => {
    const { fragments } = highlight("harbour ".repeat(200), "harbour", { maxFragments: 10 });
    expect(fragments.length).toBeGreaterThan(1);
    expect(new Set(fragments.map(plain).map((text) => text.length)).size).toBeLessThanOrEqual(3);
  });

  test("takes a query that was analysed before", () => {
    expect(highlight("The harbour", queryTerms("harbour"))).toEqual(highlight("The harbour", "harbour"));
  });
});

test("a word is always likely for its own stems, whatever it is", () => {
  const words = ["dying", "Skies", "مَرَّاكُش", "وبالمدرسة", "ﻻ", "U.S.", "Café", "٢٠١٨", "x", "أيا", "universities"];
  for (const text of [...words, ...randomTexts(1000, pieces.scripts)]) {
    forEachWord(text, (start, end) => {
      const { stems } = wordTerms(text.slice(start, end));
      expect({ word: text.slice(start, end), likely: likelyWords(stems)(lettersOf(text, start, end)) }).toMatchObject({
        likely: true,
      });
    });
  }
});

test("most other words are not", () => {
  const likely = likelyWords(["مدرس"]);
  expect(likely(lettersOf("المدرسة", 0, 7))).toBe(true);
  expect(likely(lettersOf("كتاب", 0, 4))).toBe(false);
  expect(likely(lettersOf("school", 0, 6))).toBe(false);
});

test("all forms of an Arabic word are likely, whatever its weak letters and affixes become; those of few others are", () => {
  for (const [stem, forms] of Object.entries({
    جسر: ["الجسور", "وجسره", "بالجسرين"],
    قال: ["يقولون", "قلنا", "وسيقول"],
    اتفق: ["وسيتفقون", "الاتفاقية"],
    ٳطال: ["وٳطالة"],
  })) {
    const likely = likelyWords([stem]);
    for (const form of forms)
      expect({ form, likely: likely(lettersOf(form, 0, form.length)) }).toEqual({ form, likely: true });
    for (const other of ["حضر", "خرج"])
      if (stem !== "ٳطال") expect(likely(lettersOf(other, 0, other.length))).toBe(false);
  }
});

test("an Arabic word is not likely for words of other scripts", () => {
  expect(likelyWords(["harbour"])(lettersOf("الميناء", 0, 7))).toBe(false);
});

test("the words of a text are found once, with where they stand and their letters", () => {
  const text = "The harbour, عاد الميناء";
  const scanned = new ScannedText(text);
  const { starts, ends, letters } = scanned.words;
  const words = Array.from(starts, (start, i) => text.slice(start, ends[i]));
  expect(words).toEqual(["The", "harbour", "عاد", "الميناء"]);
  expect(Array.from(letters)).toEqual(words.map((word) => lettersOf(word, 0, word.length)));
  expect(scanned.words).toBe(scanned.words);
});

test("a scanned text is highlighted as the text is, for every query", () => {
  const text = `${"The council met again. ".repeat(20)}The harbour of عكا reopened <b>. ${"x ".repeat(40_000)}harbour`;
  const scanned = new ScannedText(text);
  for (const query of ["harbour", "عكا reopens", "nothing here", ""]) {
    expect(highlight(scanned, query)).toEqual(highlight(text, query));
  }
  expect(highlight(scanned, "harbour").fragments).toHaveLength(1);
});
