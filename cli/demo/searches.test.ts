import { expect, test } from "bun:test";
import { analyseDocument, analyseQuery } from "@isnad/lib/text";
import { type DemoArticle, readNewsroom } from "./newsroom.ts";
import { searches } from "./searches.ts";

const articles = readNewsroom();
const [byWord, byMeaning, across] = searches;

function answerOf(slug: string | undefined): DemoArticle {
  const found = articles.find((article) => article.slug === slug);
  if (found === undefined) throw new Error(`no article ${slug}`);
  return found;
}

/** The terms of the search that occur in its answer. */
function shared({ query = "", answer = "" } = {}): string[] {
  const { title, content } = answerOf(answer);
  const document = analyseDocument(title, content);
  const terms = new Set(`${document.title} ${document.content}`.split(" "));
  return analyseQuery(query).filter((term) => terms.has(term));
}

test("the search by word asks for words of its answer, by word", () => {
  expect(byWord?.mode).toBe("bm25");
  expect(shared(byWord).length).toBe(analyseQuery(byWord?.query ?? "").length);
});

test("the search by meaning shares no stem and no root with its answer, in the same language", () => {
  expect(byMeaning?.mode).toBe("vector");
  expect(shared(byMeaning)).toEqual([]);
  expect(answerOf(byMeaning?.answer).lang).toBe("en");
});

test("the search across languages is an Arabic question whose answer is there in English alone", () => {
  expect(across?.query).toMatch(/^\p{Script=Arabic}.*؟$/u);
  expect(answerOf(across?.answer).lang).toBe("en");
  expect(shared(across)).toEqual([]);
});
