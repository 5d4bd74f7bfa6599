import { expect, test } from "bun:test";
import { sentenceUnits } from "../lib/text/sentences.ts";
import { sentencesOf } from "./linguistic.ts";

test("an article becomes sentences of as many words as asked for, without its head; what is left over is not taken", () => {
  const article = "title: عنوان\ndate: 2026\n\nقال أحمد نعم. ثم قال؟ لا!\n\nومضى إلى بيته";
  const sentences = sentencesOf(article, 4);
  expect(sentences).toEqual(["قال أحمد نعم، ثم.", "قال، لا، ومضى إلى."]);
  for (const sentence of sentences) expect(sentenceUnits(sentence)).toHaveLength(1);
});
