import { expect, test } from "bun:test";
import { rememberScores } from "./remember.ts";

test("a sentence is scored once a language, wherever it stands", async () => {
  const asked: string[] = [];
  const classifier = rememberScores({
    threshold: () => 0.5,
    async classify(sentences, { lang = "" } = {}) {
      asked.push(...sentences.map((sentence) => `${lang} ${sentence}`));
      return sentences.map((sentence) => sentence.length + (lang === "ar" ? 100 : 0));
    },
  });
  expect(await classifier.classify(["a", "bb", "a"], { lang: "en" })).toEqual([1, 2, 1]);
  expect(await classifier.classify(["ccc", "bb"], { lang: "en" })).toEqual([3, 2]);
  expect(await classifier.classify(["a"], { lang: "ar" })).toEqual([101]);
  expect(asked).toEqual(["en a", "en bb", "en ccc", "ar a"]);
});
