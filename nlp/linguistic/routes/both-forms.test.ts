import { describe, expect, test } from "bun:test";
import { AppError } from "@isnad/lib/service/http";
import { MAX_TEXT, prefersPage, requireLength, textField } from "./both-forms.ts";

/** The slug that a text is refused with, undefined for one that is taken. */
function refusal(text: string, inUrl: boolean): string | undefined {
  try {
    requireLength(text, { inUrl });
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.slug : String(error);
  }
}

describe("requireLength()", () => {
  test.each(["ك", "😀", "a"])("counts %s as one character, in a body and in a URL", (letter) => {
    expect(refusal(letter.repeat(MAX_TEXT), false)).toBeUndefined();
    expect(refusal(letter.repeat(MAX_TEXT + 1), false)).toBe("payload-too-large");
    expect(refusal(letter.repeat(2_000), true)).toBeUndefined();
    expect(refusal(letter.repeat(2_001), true)).toBe("uri-too-long");
  });

  test("counts a combining mark as one of its own", () => {
    expect(refusal("كَ".repeat(MAX_TEXT / 2), false)).toBeUndefined();
    expect(refusal("كَ".repeat(MAX_TEXT / 2 + 1), false)).toBe("payload-too-large");
  });

  test("says of a text that is too long for both that it is for a URL", () => {
    expect(refusal("ك".repeat(MAX_TEXT + 1), true)).toBe("uri-too-long");
  });
});

describe("textField()", () => {
  test("keeps a text as it was sent", () => {
    for (const text of ["ك", " كتب ", "\ufeffكتب\n", "كَتَبَ"]) expect(textField().parse(text)).toBe(text);
  });

  test("refuses one in which nothing is but white space", () => {
    for (const text of ["", " ", "\n\t", "\u00a0\u2003", "\ufeff"]) {
      expect(textField().safeParse(text).success).toBe(false);
    }
  });
});

test("a client that names pages gets one, unless it likes JSON more, or as much and first", () => {
  for (const accept of [
    "text/html",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/html, application/json",
    "application/json;q=0.2, text/html",
    "Text/HTML; q=0.5, application/json;q=0.4",
    "*/*;q=0.1, text/html;q=0.2",
    "text/html, */*",
  ]) {
    expect([accept, prefersPage(accept)]).toEqual([accept, true]);
  }
  for (const accept of [
    undefined,
    "",
    "*/*",
    "application/json",
    "application/json, text/html",
    "text/html;q=0.1, application/json",
    "text/html;q=0",
    "text/html;q=x, application/json;q=0.1",
  ]) {
    expect([accept, prefersPage(accept)]).toEqual([accept, false]);
  }
});
