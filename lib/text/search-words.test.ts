import { expect, test } from "bun:test";
import { processorMs } from "../std/testing-processor.ts";
import { analyse } from "./analyse.ts";
import { codePointSlice } from "./code-points.ts";
import { highlight } from "./highlight.ts";
import { forEachSearchWord } from "./search-words.ts";
import { pieces, randomTexts } from "./testing.ts";

const forms = (text: string) => analyse(text).map(({ terms }) => terms.form);

test.each([
  ["iPhone17", "iPhone 17"],
  ["iPhone17Pro", "iphone 17 pro"],
  ["F-16", "F16"],
  ["S-400", "S400"],
  ["covid19", "Covid-19"],
  ["MBC1", "mbc 1"],
  ["10kg", "10 kg"],
  ["عبدالله", "عبد الله"],
  ["وعبدالرحمن", "وعبد الرحمن"],
])("%s is %s, apart or together", (together, apart) => expect(forms(together)).toEqual(forms(apart)));

test("names of code, ordinals and decades stay whole", () => {
  expect(forms("H1N1 B2B 20th 1st 1990s a1b2c3 3Com 3D PL480")).toEqual(
    "h1n1 b2b 20th 1st 1990s a1b2c3 3com 3d pl480".split(" "),
  );
  expect(forms("عبده عبدالي")).toEqual(["عبده", "عبدالي"]);
});

test("offsets are those of the text, and marks stand around what was found", () => {
  const text = "باع iPhone17 لعبدالله 😀 MBC1";
  expect(analyse(text).map(({ start, end }) => codePointSlice(text, start, end))).toEqual([
    ..."باع iPhone 17 لعبد الله MBC 1".split(" "),
  ]);
  expect(highlight(text, "MBC 1").snippet).toContain("<mark>MBC1</mark>");
  expect(highlight(text, "iphone 17").snippet).toContain("<mark>iPhone17</mark>");
  expect(highlight(text, "عبد الله").snippet).toContain("<mark>لعبدالله</mark>");
});

test("words come in order, do not overlap, and leave out no letter, whatever the text", () => {
  for (const text of [...randomTexts(500, pieces.scripts), "1,234,", "1,23", ",1,000", "1,000,00", "9,999,x"]) {
    let at = 0;
    forEachSearchWord(text, (start, end) => {
      expect(start).toBeGreaterThanOrEqual(at);
      expect(end).toBeGreaterThan(start);
      expect(text.slice(at, start)).not.toMatch(/(?!\u0640)[\p{L}\p{Nd}]/u);
      at = end;
    });
    expect(text.slice(at)).not.toMatch(/(?!\u0640)[\p{L}\p{Nd}]/u);
  }
});

test.each(["1,", "1,000,", "100,", "1.", "a1", "عبدال", "عبدالله", "١٬٠٠٠٬"])(
  "%j repeated takes time with its length",
  async (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    expect(await processorMs(() => forEachSearchWord(text, () => {}))).toBeLessThan(50);
  },
);
