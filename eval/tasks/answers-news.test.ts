import { expect, test } from "bun:test";
import { holdsGold, readNewsQuestions } from "./answers-news.ts";

test("the questions are whole: topics are of one part, and what is answered names its article and where", () => {
  const questions = readNewsQuestions();
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  const parts = Map.groupBy(
    questions.filter(({ topic, part }) => topic !== "none" && part !== "more"),
    ({ topic }) => topic,
  );
  for (const [, some] of parts) expect(new Set(some.map(({ part }) => part)).size).toBe(1);
  for (const { article, sha256, gold, kind, ask } of questions) {
    expect([article, sha256, gold].filter((each) => each === undefined).length % 3).toBe(0);
    expect(ask.length === 2).toBe(kind === "follow-up");
  }
  const more = new Set(readNewsQuestions("more").map(({ article, about }) => article ?? about));
  expect(questions.filter(({ part, article, about }) => part !== "more" && more.has(article ?? about))).toEqual([]);
  const held = readNewsQuestions("test");
  expect(held.length).toBeGreaterThan(150);
  expect(new Set(held.map(({ lang }) => lang))).toEqual(new Set(["ar", "en"]));
});

test("an answer is held by whole words, however they are folded", () => {
  const [first] = readNewsQuestions();
  if (first === undefined) throw new Error("no question");
  const article = "It cost $12 and أنشئ عام 1997.";
  const asked = (from: string) => ({
    ...first,
    gold: [[article.indexOf(from), article.indexOf(from) + from.length]] as [number, number][],
  });
  expect(holdsGold("The whole was $12, they said.", asked("$12"), article)).toBe(true);
  expect(holdsGold("The whole was $120.", asked("$12"), article)).toBe(false);
  expect(holdsGold("أنشئ عام 1997!", asked("أنشئ عام 1997"), article)).toBe(true);
  expect(holdsGold("anything", { ...first, gold: undefined }, article)).toBe(false);
});
