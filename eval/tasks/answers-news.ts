import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readQuery, searchQuery } from "@isnad/lib/answers";
import { openRegistry } from "@isnad/lib/models";
import { z } from "@isnad/lib/service/http";
import { isObject, parseJsonObject } from "@isnad/lib/std";
import { codePointSlicer, fold } from "@isnad/lib/text";
import { chooseSentences, quotedOf } from "../../lib/answers/extractive/answerer.ts";
import { type RankedSentence, rankSentences } from "../../lib/answers/extractive/sentences.ts";
import { indexCollection } from "../indexed.ts";
import type { EvalTask } from "../task.ts";
import { type AnswerDeps, openAnswerModels, sourcesFor, storeOf } from "./answers.ts";

/** Code points before a gold answer from which on it stands deep in its article. */
const DEEP = 700;

/** Shares of the questions of the kind that a figure is of. */
type NewsFigures = {
  /** Of what the archive answers: the answer, and its first sentence, hold what was to be said. */
  "in answer": number;
  "in first sentence": number;
  "in answer, deep": number;
  "in answer, follow-ups": number;
  "in answer, other language": number;
  "declined wrongly": number;
  /** Of what it does not answer. */
  declined: number;
  /** Of what it answers, with the right article taken out of what is read. */
  "declined without it": number;
  /** Words of an answer by the median. */
  words: number;
};

/** Asks every question of the archive, as a chat does, without the network. One line of prediction a question. */
async function measureNewsAnswers(
  deps: AnswerDeps,
  articles: readonly NewsArticle[],
  questions: readonly NewsQuestion[],
): Promise<{ figures: NewsFigures; predictions: string[] }> {
  const { signal } = new AbortController();
  const store = storeOf(undefined, []);
  const byId = new Map(articles.map(({ id, text }, place) => [id, { text, place }]));
  const asked: { question: NewsQuestion; shown: RankedSentence[]; without: RankedSentence[] }[] = [];
  for (const question of questions) {
    const conversation = question.ask.map((content) => ({ role: "user" as const, content }));
    const query = readQuery(conversation);
    const sources = await sourcesFor({ ...deps, store }, [...articles], { text: searchQuery(conversation) });
    const article = (byId.get(question.article ?? "")?.place ?? -1) + 1;
    const others = sources.filter(({ articleId }) => articleId !== article);
    const isThere = others.length < sources.length;
    const shown = chooseSentences(await rankSentences(query, sources, deps, signal));
    const without = isThere ? chooseSentences(await rankSentences(query, others, deps, signal)) : shown;
    asked.push({ question, shown, without });
  }
  // What names something before the sentence that answers is a part of the answer, and not its first sentence.
  const holds = ({ question, shown }: (typeof asked)[number], most?: number): boolean => {
    const { text = "" } = byId.get(question.article ?? "") ?? {};
    const said = most === undefined ? shown.flatMap(quotedOf) : shown.slice(0, most);
    return said.some((sentence) => holdsGold(sentence.text, question, text));
  };
  const share = (all: typeof asked, of: (one: (typeof asked)[number]) => boolean): number =>
    all.length === 0 ? 0 : all.filter(of).length / all.length;
  const answerable = asked.filter(({ question }) => question.gold !== undefined);
  const deep = answerable.filter(({ question }) => (question.gold ?? []).every(([start]) => start >= DEEP));
  const ofKind = (kind: NewsQuestion["kind"]) => answerable.filter(({ question }) => question.kind === kind);
  const unanswerable = asked.filter(({ question }) => question.gold === undefined);
  const figures = {
    "in answer": share(answerable, (one) => holds(one)),
    "in first sentence": share(answerable, (one) => holds(one, 1)),
    "in answer, deep": share(deep, (one) => holds(one)),
    "in answer, follow-ups": share(ofKind("follow-up"), (one) => holds(one)),
    "in answer, other language": share(ofKind("other language"), (one) => holds(one)),
    "declined wrongly": share(answerable, ({ shown }) => shown.length === 0),
    declined: share(unanswerable, ({ shown }) => shown.length === 0),
    "declined without it": share(answerable, ({ without }) => without.length === 0),
    words: medianWords(answerable.map(({ shown }) => shown)),
  };
  const predictions = asked.map((one) =>
    [one.question.id, Number(holds(one)), ...one.shown.map(({ text }) => text.replace(/\s+/g, " "))].join("\t"),
  );
  return { figures, predictions };
}

function medianWords(answers: readonly (readonly RankedSentence[])[]): number {
  const counts = answers
    .filter((shown) => shown.length > 0)
    .map((shown) => shown.flatMap(quotedOf).flatMap(({ text }) => text.trim().split(/\s+/)).length)
    .toSorted((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}

/** The built-in model's answers over an archive of news: what it should answer, and what it should decline. */
export const answersNews: EvalTask = {
  name: "answers-news",
  formats: "the folder `news` of the data sets; the questions are eval/answers/questions.jsonl",
  sets: (data) => [
    { set: "News questions, held-out topics", path: join(data, "news"), heldOut: true },
    { set: "News questions, follow-ups and the other language", path: join(data, "news"), heldOut: false },
  ],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const { close, ...models } = await openAnswerModels(registry);
    return {
      async measure({ path, heldOut = true }) {
        const all = readNewsQuestions();
        const questions = all.filter(({ part }) => part === (heldOut ? "test" : "more"));
        const articles = readNewsArchive(path, all);
        await using indexed = await indexCollection({ documents: articles }, models.embedder);
        const { figures, predictions } = await measureNewsAnswers({ ...indexed, ...models }, articles, questions);
        return { figures, size: questions.length, predictions };
      },
      close,
    };
  },
};

/** A question of `questions.jsonl`, as its README says. */
const Question = z.object({
  id: z.string(),
  part: z.enum(["dev", "test", "more"]),
  topic: z.string(),
  lang: z.enum(["ar", "en"]),
  kind: z.enum(["plain", "follow-up", "other language"]),
  ask: z.array(z.string()).min(1).max(2),
  article: z.string().optional(),
  sha256: z.string().optional(),
  gold: z.array(z.tuple([z.int(), z.int()])).optional(),
  about: z.string().optional(),
});
type NewsQuestion = z.output<typeof Question>;

/** An article of the archive that questions are asked of. */
type NewsArticle = { id: string; title: string; text: string; published: string | undefined };

/** Articles of the archive beside those that are asked about: every so many of both files. */
const EVERY = 10;

/** Reads the questions, of one part or all. */
export function readNewsQuestions(part?: NewsQuestion["part"]): NewsQuestion[] {
  const lines = readFileSync(new URL("../answers/questions.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const all = lines.map((line) => Question.parse(JSON.parse(line)));
  return part === undefined ? all : all.filter((question) => question.part === part);
}

/**
 * Reads the archive: the articles that the questions name, and of the others every tenth. Throws an Error for an
 * article that is missing, or is not the one that the question was written for.
 */
export function readNewsArchive(
  folder: string,
  questions: readonly Pick<NewsQuestion, "article" | "sha256" | "about">[],
): NewsArticle[] {
  const named = new Map(questions.map(({ article, sha256 }) => [article, sha256]));
  for (const { about } of questions) if (about !== undefined && !named.has(about)) named.set(about, undefined);
  const articles: NewsArticle[] = [];
  for (const file of ["english.jsonl.gz", "ant_v2_ar.jsonl.gz"]) {
    const lines = gunzipSync(readFileSync(join(folder, file)))
      .toString("utf8")
      .split("\n");
    for (const [place, line] of lines.entries()) {
      const row = parseJsonObject(line);
      if (!isObject(row) || typeof row.id !== "string" || typeof row.text !== "string") continue;
      const { id, text, title } = row;
      if (place % EVERY !== 0 && !named.has(id)) continue;
      const expected = named.get(id);
      if (expected !== undefined && createHash("sha256").update(text).digest("hex") !== expected) {
        throw new Error(`${file}: ${id} is not the article that questions were written for`);
      }
      named.delete(id);
      const time = typeof row.published === "string" ? Date.parse(row.published) : Number.NaN;
      const published = Number.isNaN(time) ? undefined : new Date(time).toISOString();
      articles.push({ id, title: typeof title === "string" ? title : "", text, published });
    }
  }
  const missing = [...named.keys()].filter((id) => id !== undefined);
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join(", ")}`);
  return articles;
}

/** Tells whether a text has, as whole words, what answers a question in its article. */
export function holdsGold(text: string, { gold = [] }: NewsQuestion, article: string): boolean {
  const slice = codePointSlicer(article);
  const said = ` ${plain(text)} `;
  return gold.some(([start, end]) => said.includes(` ${plain(slice(start, end))} `));
}

/** Returns the words of a text in folded form, with what belongs to numbers. */
function plain(text: string): string {
  return (
    fold(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}$%£€.,:-]+/gu)
      ?.map((word) => word.replace(/^[.,:-]+|[.,:-]+$/g, ""))
      .filter((word) => word !== "")
      .join(" ") ?? ""
  );
}
