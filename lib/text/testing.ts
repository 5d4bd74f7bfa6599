import { seeded } from "../std/random.ts";

/** Pieces that random texts are made of. */
export const pieces = {
  markup: [
    "<",
    ">",
    "</",
    "/",
    "!",
    "--",
    "a",
    "b",
    "p",
    "script",
    "style",
    '"',
    "'",
    "=",
    " ",
    "[CDATA[",
    "]]>",
    "?",
    "س",
  ],
  scripts: [
    "مَرَّاكُش",
    "ﻻ",
    "ﷺ",
    "ـ",
    "\u200c",
    "\u200f",
    "٣",
    "۴",
    "é",
    "e\u0301",
    "\u{1F600}",
    "\ud800",
    "\udc00",
    "A",
    "ﬁ",
    " ",
    "\n",
    "\u00a0",
    "والمدرسة",
    "don't",
    "U.S.",
    "3.14",
    ".",
    "؟",
    "،",
    "-",
    "_",
    "x",
    "ا\u0653",
    "\ufeff",
    "²",
    "ı",
    "İ",
    "ß",
    "한국",
    "日本",
  ],
} as const;

/** `count` random texts of up to 24 pieces, the same ones at every call. */
export function randomTexts(count: number, from: readonly string[]): string[] {
  const random = seeded(count);
  return Array.from({ length: count }, () =>
    Array.from({ length: Math.floor(random() * 24) }, () => from[Math.floor(random() * from.length)]).join(""),
  );
}
