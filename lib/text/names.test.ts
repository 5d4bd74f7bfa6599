import { expect, test } from "bun:test";
import { displayName, nameKey } from "./names.ts";

test("a name is shown without honorific, possessive, quotes, diacritics and line breaks", () => {
  expect(displayName("Mr. John\n Smith's", "PER")).toBe("John Smith");
  expect(displayName("السيد مُحَمَّد علي", "PER")).toBe("محمد علي");
  expect(displayName("«الأهرام»", "ORG")).toBe("الأهرام");
  expect(displayName("President Hotel", "ORG")).toBe("President Hotel");
});

test("spellings of one name have one key", () => {
  expect(nameKey("السعودية")).toBe(nameKey("سعوديه"));
  expect(nameKey("أحمد")).toBe(nameKey("احمد"));
  expect(nameKey("U.S.")).toBe(nameKey("US"));
  expect(nameKey("#Beirut")).toBe(nameKey("BEIRUT"));
  expect(nameKey("Al-Jazeera")).toBe(nameKey("al jazeera"));
});

test("different names have different keys, and no letters no key", () => {
  expect(nameKey("York")).not.toBe(nameKey("New York"));
  expect(nameKey("الم")).toBe("الم");
  expect(nameKey("…")).toBe("");
});

test("a name from a hashtag is shown as words", () => {
  expect(displayName("عاصي_الحلاني", "PERS")).toBe("عاصي الحلاني");
  expect(displayName("حركة #طالبان", "ORG")).toBe("حركة طالبان");
  expect(displayName("@some_handle", "PER")).toBe("@some_handle");
});
