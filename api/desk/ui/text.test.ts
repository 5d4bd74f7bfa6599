import { describe, expect, test } from "bun:test";
import { STRINGS } from "../strings/mod.ts";
import { Bdi, directionOf, Dotted, formatTime, jsonText, Num, plain, Refused } from "./text.tsx";

test("a Latin word at the head of an Arabic title does not turn it", () => {
  expect(directionOf("BBC: وصل القطار إلى المدينة")).toBe("rtl");
  expect(directionOf("الأحد: The train came late to town")).toBe("ltr");
  expect(directionOf("Reuters", "ar")).toBe("rtl");
  expect(directionOf("2026 – 50 %")).toBe("auto");
});

test("controls that would turn a neighbour round are not shown; marks of direction stay", () => {
  expect(plain("a\u202eb\u2067c\u2069\u0000d\u200fe\nf")).toBe("abcd\u200fe\nf");
});

test("marks that pile up on a letter are cut; vowels of Arabic and accents stay", () => {
  expect(plain(`Z${"\u0334\u0321".repeat(40)}algo`)).toBe(`Z${"\u0334\u0321".repeat(2)}\u0334algo`);
  for (const text of ["اللَّٰهُ", "رُبَّمَا", "Việt Nam", "e\u0301\u0323"]) expect(plain(text)).toBe(text);
});

test("JSON shows controls as escapes, and says the same", () => {
  const value = { name: "a\u202eb", list: ["\u2067"] };
  const text = jsonText(value);
  expect(text).toContain('"a\\u202eb"');
  expect(JSON.parse(text)).toEqual(value);
});

test("a time is written in the reader's language and zone", () => {
  const at = "2024-11-28T22:30:00Z";
  expect(formatTime({ lang: "en", zone: "Asia/Beirut" }, at, "short")).toBe("29 Nov 2024");
  expect(formatTime({ lang: "ar", zone: "Asia/Beirut" }, at, "short")).toBe("29 نوفمبر 2024");
  expect(formatTime({ lang: "en", zone: "UTC" }, new Date().toISOString(), "short")).toMatch(/^\d\d:\d\d$/);
});

describe("the direction of a text", () => {
  test.each([
    ["", "auto"],
    ["123 – 50 %", "auto"],
    ["ab جد", "auto"],
    ["abc جد", "ltr"],
    ["ab جدة", "rtl"],
    ["Ünïçödé", "ltr"],
    ["שלום abc", "rtl"],
    [`${"a".repeat(200)}${"ب".repeat(500)}`, "ltr"],
  ] as const)("%s is %s by its letters", (text, direction) => {
    expect(directionOf(text)).toBe(direction);
    expect(directionOf(text, null)).toBe(direction);
    expect(directionOf(text, "fr")).toBe(direction);
  });

  test("is that of its language where that is known", () => {
    expect([directionOf("abc", "ar"), directionOf("ابج", "en")]).toEqual(["rtl", "ltr"]);
  });
});

const shown = (drawn: unknown): string => String(drawn);
const en = { lang: "en" as const, t: STRINGS.en, zone: "UTC" };

describe("what is shown", () => {
  test("a text of others is isolated, without markup of its own and without controls", () => {
    expect(shown(Bdi({ children: "<b>a\u202e</b> & ب" }))).toBe('<bdi dir="ltr">&lt;b&gt;a&lt;/b&gt; &amp; ب</bdi>');
    expect(shown(Bdi({ children: "a", lang: "ar" }))).toBe('<bdi dir="rtl" lang="ar">a</bdi>');
  });

  test("a number has its thousands apart", () => {
    expect(shown(Num({ children: 1_234_567 }))).toBe('<span class="num">1,234,567</span>');
  });

  test("parts are joined by dots, but for those that are not there", () => {
    const text = (...parts: Parameters<typeof Dotted>[0]["parts"]) => shown(Dotted({ parts })).replace(/<[^>]+>/g, "");
    expect(text("a", undefined, "", null, false, "b", 0)).toBe("a · b · 0");
    expect(text(undefined, "a")).toBe("a");
    expect(text()).toBe("");
  });

  test.each([
    ["day", "Thursday, 28 November 2024", "الخميس، 28 نوفمبر 2024"],
    ["date", "28 Nov 2024", "28 نوفمبر 2024"],
    ["clock", "22:30", "22:30"],
  ] as const)("a time as %s", (form, english, arabic) => {
    const at = "2024-11-28T22:30:00Z";
    expect(formatTime({ lang: "en", zone: "UTC" }, at, form).replace(" at ", ", ")).toBe(english);
    expect(formatTime({ lang: "ar", zone: "UTC" }, at, form)).toBe(arabic);
  });

  test("a time of this half year has no year, one of long ago and one far ahead have theirs", () => {
    const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const short = (days: number) => formatTime({ lang: "en", zone: "UTC" }, daysFromNow(days), "short");
    for (const days of [-170, -3, 170])
      expect([days, short(days)]).toEqual([days, expect.stringMatching(/^\d{1,2} \p{L}+$/u)]);
    for (const days of [-400, 400]) expect([days, short(days)]).toEqual([days, expect.stringMatching(/ 20\d\d$/)]);
  });

  test("fields that were refused are named with their rules, in the words of the page where it has some", () => {
    const error = {
      message: "No.",
      errors: { feed_url: ["must be an address"], "<b>": ["is required", "is too long"] },
    };
    const page = shown(Refused({ view: en, error, names: { feed_url: "Address of the feed" } }));
    expect(page).toContain("<strong>Address of the feed</strong>");
    expect(page).toContain("must be an address");
    expect(page).toContain('<code dir="ltr">&lt;b&gt;</code>');
    expect(page.match(/<li>/g)).toHaveLength(2);
    const whole = shown(Refused({ view: en, error: { message: "Not <now>.", errors: undefined } }));
    expect(whole).toContain("Not &lt;now&gt;.");
    expect(whole).not.toContain("<li>");
  });
});
