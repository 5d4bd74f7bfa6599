import { expect, test } from "bun:test";
import { sentenceTokens } from "./sentence-tokens.ts";

test("a hashtag is read as the words it is made of, where they stand", () => {
  const text = "قال #عاصي_الحلاني إن #Beirut جميلة";
  const tokens = sentenceTokens(text).flat();
  expect(tokens.map((token) => token.text)).toEqual(["قال", "عاصي", "الحلاني", "إن", "Beirut", "جميلة"]);
  for (const { text: word, start, end } of tokens) expect(text.slice(start, end)).toBe(word);
});
