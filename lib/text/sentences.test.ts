import { expect, test } from "bun:test";
import { processorMs } from "../std/testing-processor.ts";
import { codePointSlice } from "./characters.ts";
import { sentences, sentenceUnits } from "./sentences.ts";
import { pieces, randomTexts } from "./testing.ts";

const split = (text: string) => sentences(text).map(({ start, end }) => codePointSlice(text, start, end));

test("Arabic and Latin marks end a sentence", () => {
  expect(split("ذهب الولد. هل عاد؟ نعم! انتهى…  ثم نام.")).toEqual([
    "ذهب الولد.",
    "هل عاد؟",
    "نعم!",
    "انتهى…",
    "ثم نام.",
  ]);
  expect(split("He went. Did he return? Yes! It ended... Then he slept")).toEqual([
    "He went.",
    "Did he return?",
    "Yes!",
    "It ended...",
    "Then he slept",
  ]);
});

test("abbreviations, initials, numbers and hosts do not", () => {
  expect(split("Mr. Smith of the U.S. Army paid $3.5m to J. R. Tolkien Inc. in May. He left.")).toEqual([
    "Mr. Smith of the U.S. Army paid $3.5m to J. R. Tolkien Inc. in May.",
    "He left.",
  ]);
  expect(split("قال د. أحمد إن النسبة 3.5 في المئة. وأضاف أن العربية.نت نقلت عنه ذلك.")).toEqual([
    "قال د. أحمد إن النسبة 3.5 في المئة.",
    "وأضاف أن العربية.نت نقلت عنه ذلك.",
  ]);
});

test("closing quotes and brackets belong to the sentence that they close", () => {
  expect(split('قال: "سنعود." ثم غادر. (انتهى.) وبدأ.')).toEqual(['قال: "سنعود."', "ثم غادر.", "(انتهى.)", "وبدأ."]);
  expect(split('"Stop!" he said. “Go.” She went.')).toEqual(['"Stop!" he said.', "“Go.”", "She went."]);
});

test("a line feed ends a sentence too", () => {
  expect(split("Headline without a stop\nThe text begins.")).toEqual(["Headline without a stop", "The text begins."]);
});

test("offsets are code points", () => {
  expect(sentences("\u{1F600}\u{1F600} نص أول. ثم")).toEqual([
    { start: 0, end: 10 },
    { start: 11, end: 13 },
  ]);
  expect(split("\u{1F600} Hi. \u{1F600} Ho.")).toEqual(["\u{1F600} Hi.", "\u{1F600} Ho."]);
});

test("nothing gives nothing, and only marks neither", () => {
  expect(sentences("")).toEqual([]);
  expect(sentences(" ... ! \n")).toEqual([]);
});

test("spans are in order, do not overlap, and leave out no letter, whatever the text", () => {
  for (const text of randomTexts(1000, pieces.scripts)) {
    let at = 0;
    for (const { start, end } of sentences(text)) {
      expect(start).toBeGreaterThanOrEqual(at);
      expect(end).toBeGreaterThan(start);
      expect(codePointSlice(text, at, start)).not.toMatch(/[\p{L}\p{N}]/u);
      at = end;
    }
    expect(codePointSlice(text, at)).not.toMatch(/[\p{L}\p{N}]/u);
  }
});

test("a long text of marks costs linear time", () => {
  // A quadratic cost would exceed the time limit of a test.
  for (const unit of [".", ". ", "a.", "؟", '."', "Mr. ", "\n"]) sentences(unit.repeat(200_000));
});

test.each([".", "…", "!", "؟", ".…!", ".)", '."', ")", " ", ". ", "\n", "a.", "U.S.", "1. ", "د.", "\u200f.", "،"])(
  "a long text of %j takes time with its length",
  async (mark) => {
    const text = `x${mark.repeat(Math.ceil(60_000 / mark.length))}x`;
    expect(await processorMs(() => sentenceUnits(text))).toBeLessThan(50);
  },
);

test("a full stop without a space ends a sentence where a new one begins behind it", () => {
  for (const [text, ...parts] of [
    ["قتل ثلاثين.وأصيب عشرون", "قتل ثلاثين.", "وأصيب عشرون"],
    ["في عام 2016.وقال الوزير", "في عام 2016.", "وقال الوزير"],
    ['رحب بذلك".وأكد أن', 'رحب بذلك".', "وأكد أن"],
    ['وقال: "سنعود."وكان', 'وقال: "سنعود."', "وكان"],
    ["قال.«بدأ العمل»", "قال.", "«بدأ العمل»"],
    ['هل عاد؟".وفي البيت', 'هل عاد؟".', "وفي البيت"],
    ["It was 30.Fifty more came.", "It was 30.", "Fifty more came."],
    ["He left.She stayed in Paris.The end", "He left.", "She stayed in Paris.", "The end"],
    ["“He left.”The door closed", "“He left.”", "The door closed"],
  ] as [string, ...string[]][]) {
    expect(split(text)).toEqual(parts);
  }
});

test.each([
  "زار موقع العربية.نت أمس",
  "قناة سي.إن.إن وبي.إم.دبليو وشركة زد.تي.إي",
  "وكالة د.ب.أ الألمانية",
  "see example.com, Yahoo.Com and https://a.test/X.Html or me@mail.The",
  "about 3.5 or ٣.٥ or 1.000.000 in file.txt and README.Md of Node.Js",
  "the U.S.-U.K. talks and S.P.A.Group",
  "System.Collections and Math.Max",
  "at 9 a.m. on Sunday",
  "see www.Samacares.sa or باتون.بارتون.دورستين.أوزبورن",
])("%p is one sentence", (text) => expect(split(text)).toEqual([text]));

test("abbreviations end one where a word follows that begins sentences", () => {
  expect(split("He lives in the U.S. The U.S. Army left.")).toEqual(["He lives in the U.S.", "The U.S. Army left."]);
  expect(split("It came at 9 p.m. It was late. Acme Inc. said so.")).toEqual([
    "It came at 9 p.m.",
    "It was late.",
    "Acme Inc. said so.",
  ]);
});

test("Arabic titles do not end one, units and short words do", () => {
  expect(split("قال د. أحمد وأ. د. منى ود. سامي وم. خالد ذلك. ثم")).toEqual([
    "قال د. أحمد وأ. د. منى ود. سامي وم. خالد ذلك.",
    "ثم",
  ]);
  expect(split("بلغ 500 م. وقال أنا له. ولم يقل لا. نعم")).toEqual([
    "بلغ 500 م.",
    "وقال أنا له.",
    "ولم يقل لا.",
    "نعم",
  ]);
});

test("the number of a list is no sentence", () => {
  expect(split("1. First thing. 2. Second thing.\n3. Third")).toEqual([
    "1. First thing.",
    "2. Second thing.",
    "3. Third",
  ]);
  expect(split("١. أولا.\n(٢)\nثانيا. 2018. ثالثا")).toEqual(["١. أولا.", "(٢)\nثانيا.", "2018.", "ثالثا"]);
});
