import { expect, test } from "bun:test";
import { cleanText } from "./clean.ts";
import { fold } from "./fold.ts";
import { isPlain } from "./plain.ts";
import { pieces, randomTexts } from "./testing.ts";

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
