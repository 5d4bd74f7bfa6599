import { expect, test } from "bun:test";
import { cutText, joinText, LONGEST_PIECE } from "./cut-text.ts";

test("sentences are pieces, and what stands between them is kept", () => {
  const text = "  One came. Two left!\n\n- الثالث وصل؟ نعم.\n***\n";
  const cut = cutText(text);
  expect(cut.pieces).toEqual(["One came.", "Two left!", "- الثالث وصل؟", "نعم."]);
  expect(joinText(cut, cut.pieces)).toBe(text);
  expect(joinText(cut, ["a", "b", "c", "d"])).toBe("  a b\n\nc d\n***\n");
});

test("a sentence that is too long is cut at a pause, else at a blank, else within, but in no character", () => {
  const paused = `${"word ".repeat(60)}end, ${"more ".repeat(60)}`;
  expect(cutText(paused).pieces[0]).toEndWith("end,");
  for (const text of [paused, "word ".repeat(400), "x".repeat(1_000), "😀".repeat(700)]) {
    const cut = cutText(text);
    expect(Math.max(...cut.pieces.map((piece) => piece.length))).toBeLessThanOrEqual(LONGEST_PIECE);
    expect(joinText(cut, cut.pieces)).toBe(text);
    expect(cut.pieces.every((piece) => piece.isWellFormed())).toBe(true);
  }
});

test("a text without a letter has no piece", () => {
  expect(cutText(" … \n")).toEqual({ pieces: [], between: [" … \n"] });
});
