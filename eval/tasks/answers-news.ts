import { join } from "node:path";
import { searchQuery } from "@isnad/lib/answers";
import { openRegistry } from "@isnad/lib/models";
import { chooseSentences } from "../../lib/answers/extractive/answerer.ts";
import { type RankedSentence, rankSentences } from "../../lib/answers/extractive/sentences.ts";
import {
  holdsGold,
  type NewsArticle,
  type NewsQuestion,
  readNewsArchive,
  readNewsQuestions,
} from "../answers/archive.ts";
import { indexCollection } from "../indexed.ts";
import { openRankingModels } from "../ranking-models.ts";
import type { EvalTask } from "../task.ts";
import { type AnswerDeps, sourcesFor, storeOf } from "./answers.ts";

/** Code points before a gold answer from which on it stands deep in its article. */
const DEEP = 700;

/** Shares of the questions of the kind that a figure is of. */
export type NewsFigures = {
  /** Of what the archive answers: the answer, and its first sentence, hold what was to be said. */
  "in answer": number;
  "in first sentence": number;
  "in answer, deep": number;
  "declined wrongly": number;
  /** Of what it does not answer. */
  declined: number;
  /** Of what it answers, with the right article taken out of what is read. */
  "declined without it": number;
  /** Words of an answer by the median. */
  words: number;
};

/** Asks every question of the archive, as a chat does, without the network. One line of prediction a question. */
export async function measureNewsAnswers(
  deps: AnswerDeps,
  articles: readonly NewsArticle[],
  questions: readonly NewsQuestion[],
): Promise<{ figures: NewsFigures; predictions: string[] }> {
  const { signal } = new AbortController();
  const store = storeOf(undefined, []);
  const byId = new Map(articles.map(({ id, text }, place) => [id, { text, place }]));
  const asked: { question: NewsQuestion; shown: RankedSentence[]; without: RankedSentence[] }[] = [];
  for (const question of questions) {
    const query = searchQuery(question.ask.map((content) => ({ role: "user", content })));
    const sources = await sourcesFor({ ...deps, store }, [...articles], { text: query });
    const article = (byId.get(question.article ?? "")?.place ?? -1) + 1;
    const others = sources.filter(({ articleId }) => articleId !== article);
    const isThere = others.length < sources.length;
    const shown = chooseSentences(await rankSentences(query, sources, deps, signal));
    const without = isThere ? chooseSentences(await rankSentences(query, others, deps, signal)) : shown;
    asked.push({ question, shown, without });
  }
  const holds = ({ question, shown }: (typeof asked)[number], most: number): boolean => {
    const { text = "" } = byId.get(question.article ?? "") ?? {};
    return shown.slice(0, most).some((sentence) => holdsGold(sentence.text, question, text));
  };
  const share = (all: typeof asked, of: (one: (typeof asked)[number]) => boolean): number =>
    all.length === 0 ? 0 : all.filter(of).length / all.length;
  const answerable = asked.filter(({ question }) => question.gold !== undefined);
  const deep = answerable.filter(({ question }) => (question.gold ?? []).every(([start]) => start >= DEEP));
  const unanswerable = asked.filter(({ question }) => question.gold === undefined);
  const figures = {
    "in answer": share(answerable, (one) => holds(one, one.shown.length)),
    "in first sentence": share(answerable, (one) => holds(one, 1)),
    "in answer, deep": share(deep, (one) => holds(one, one.shown.length)),
    "declined wrongly": share(answerable, ({ shown }) => shown.length === 0),
    declined: share(unanswerable, ({ shown }) => shown.length === 0),
    "declined without it": share(answerable, ({ without }) => without.length === 0),
    words: medianWords(answerable.map(({ shown }) => shown)),
  };
  const predictions = asked.map((one) =>
    [
      one.question.id,
      Number(holds(one, one.shown.length)),
      ...one.shown.map(({ text }) => text.replace(/\s+/g, " ")),
    ].join("\t"),
  );
  return { figures, predictions };
}

function medianWords(answers: readonly (readonly RankedSentence[])[]): number {
  const counts = answers
    .filter((shown) => shown.length > 0)
    .map((shown) => shown.flatMap(({ text }) => text.trim().split(/\s+/)).length)
    .toSorted((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}

/** The built-in model's answers over an archive of news: what it should answer, and what it should decline. */
export const answersNews: EvalTask = {
  name: "answers-news",
  formats: "the folder `news` of the data sets; the questions are eval/answers/questions.jsonl",
  sets: (data) => [{ set: "News questions, held-out topics", path: join(data, "news"), heldOut: true }],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const { embedder, reranker, close } = await openRankingModels(registry);
    return {
      async measure({ path, heldOut = true }) {
        const all = readNewsQuestions();
        const questions = all.filter(({ part }) => part === (heldOut ? "test" : "dev"));
        const articles = readNewsArchive(path, all);
        await using indexed = await indexCollection({ documents: articles }, embedder);
        const { figures, predictions } = await measureNewsAnswers(
          { ...indexed, embedder, reranker },
          articles,
          questions,
        );
        return { figures, size: questions.length, predictions };
      },
      close,
    };
  },
};
