import { expect, test } from "bun:test";
import { directionOf, formatTime, jsonText, plain } from "./text.tsx";

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
