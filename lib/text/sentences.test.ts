import { expect, test } from "bun:test";
import { processorMs } from "../std/testing-processor.ts";
import { codePointSlice } from "./characters.ts";
import { sentences, sentenceUnits, tokenise, tokenSentences } from "./sentences.ts";
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

const texts = (text: string) => tokenise(text).map((token) => token.text);

test("every token stands where it says", () => {
  const text = "قال ترامب: U.S. officials don't agree 😀, see http://x.example/a?b=1 (1,234.5)";
  for (const { text: token, start, end } of tokenise(text)) expect(text.slice(start, end)).toBe(token);
});

test("English clitics and possessives stand alone, hyphens and acronyms do not part a word", () => {
  expect(texts("Obama's don't e-mail U.S. AT&T")).toEqual(["Obama", "'s", "do", "n't", "e-mail", "U.S.", "AT&T"]);
});

test("links, addresses, handles, tags and numbers are one token each", () => {
  expect(texts("@bob #tag a.b@c.example www.x.example/y 1,234.5 12:30")).toEqual([
    "@bob",
    "#tag",
    "a.b@c.example",
    "www.x.example/y",
    "1,234.5",
    "12:30",
  ]);
});

test("Arabic parts from Latin and digits; diacritics and tatweel stay in their word", () => {
  expect(texts("لCNN و15 مُحَمَّــد،")).toEqual(["ل", "CNN", "و", "15", "مُحَمَّــد", "،"]);
});

test("marks that are not seen part nothing and end nothing", () => {
  expect(texts("\u200fبيروت\u200f \u202bهنا\u202c ab\u00adcd\u200b")).toEqual(["بيروت", "هنا", "ab\u00adcd"]);
});

test("a stretch of the text keeps its offsets", () => {
  expect(tokenise("one two three", 4, 7)).toEqual([{ text: "two", start: 4, end: 7 }]);
});

test("odd input has an answer", () => {
  expect(texts("")).toEqual([]);
  expect(texts("   \u200b\n")).toEqual([]);
  expect(texts("a")).toEqual(["a"]);
  expect(texts("\u0000\u0007")).toEqual(["\u0000", "\u0007"]);
  expect(texts("😀👨‍👩")).toEqual(["😀", "👨", "👩"]);
  expect(texts("\ud800x")).toEqual(["\ud800", "x"]);
  expect(texts("x".repeat(20_000))).toHaveLength(1);
});

test("takes time with the length of a word, however many characters of it are not seen", async () => {
  const word = `a${"\u00ad".repeat(100_000)}b`;
  expect(tokenise(`${word}\u00ad`)).toEqual([{ text: word, start: 0, end: word.length }]);
  expect(await processorMs(() => tokenise(word))).toBeLessThan(1_000);
});

test("a mark behind a link is none of it", () => {
  expect(texts("انظر https://x.example/a?b=1، و(www.y.example/z).")).toEqual([
    ...["انظر", "https://x.example/a?b=1", "،", "و", "(", "www.y.example/z", ")", "."],
  ]);
});

test("sentences are those of the splitter: titles and numbers end none, and what is not seen is no token", () => {
  const sentencesOf = (text: string) => tokenSentences(text).map((tokens) => tokens.map((token) => token.text));
  expect(sentencesOf("قال د. سعيد 12.5. نعم\u0000!\n\u0007\nلا")).toEqual([
    ["قال", "د", ".", "سعيد", "12.5", "."],
    ["نعم", "!"],
    ["لا"],
  ]);
  for (const text of ["", " ", "\n\t\u00a0", "\u200f\u200e", "\u0000"]) expect(tokenSentences(text)).toEqual([]);
});
