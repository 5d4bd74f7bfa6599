import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createReader, type Embedder, openRegistry, type PassageReader, type Registry } from "@isnad/lib/models";
import type { Branches } from "@isnad/lib/search";
import { loadConfig } from "@isnad/lib/service/config";
import { z } from "@isnad/lib/service/http";
import type { Article } from "@isnad/lib/store";
import { fold } from "@isnad/lib/text";
import { SOURCES } from "../../edge/routes/chat.ts";
import { chooseSentences, quotedOf } from "../../lib/answers/extractive/answerer.ts";
import { type RankedSentence, rankSentences, type SentenceModels } from "../../lib/answers/extractive/sentences.ts";
import type { Source } from "../../lib/answers/tasks.ts";
import type { Judge } from "../../nlp/retrieval/deps.ts";
import { documentOf, type Documents } from "../../nlp/retrieval/documents.ts";
import { retrieve, RetrieveRequest, type RetrieveStore } from "../../nlp/retrieval/routes/retrieve.ts";
import { indexCollection } from "../indexed.ts";
import { documentVectors, MODEL_TIMEOUT_MS, openRankingModels } from "./rerank.ts";
import { readText } from "../retrieval-sets.ts";
import type { EvalTask } from "../task.ts";

/** What the built-in model makes of a set of questions; shares of the questions. */
type AnswerFigures = {
  /** The answer's first sentence, its first three, contain a gold answer; what is declined contains none. */
  "within 1": number;
  "within 3": number;
  /** The same with the right passage given in place of a search: what the choice of sentences can reach. */
  "reader within 1": number;
  "reader within 3": number;
  /** The right passage is among those that the answer is made of. */
  retrieved: number;
  /** Nothing is said to answer. */
  declined: number;
  /** The same with the right passage taken out of what is read. */
  "declined without it": number;
  /** Words of the answer by the median; none of what is declined. */
  words: number;
};

/** The models, and the pool under both branches. */
export type AnswerDeps = SentenceModels & {
  branches: Branches;
  reranker: Judge;
  /** Has read the passages beforehand; without one the reranker does as it judges. */
  passageReader?: Pick<PassageReader, "read"> | undefined;
};

type AnswerModels = Omit<AnswerDeps, "branches"> & { embedder: Embedder; close(): Promise<void> };

/** Starts the default models of built-in answers, and those of the search before them. */
export async function openAnswerModels(registry: Registry): Promise<AnswerModels> {
  await using opened = new AsyncDisposableStack();
  const { reader: passageReader, close, ...ranking } = await openRankingModels(registry);
  opened.defer(close);
  const reader = await createReader({ registry, timeoutMs: MODEL_TIMEOUT_MS });
  opened.defer(() => reader.close());
  const models = opened.move();
  return { ...ranking, reader, passageReader, close: () => models.disposeAsync() };
}

/** Questions that are asked at a time: the branches and the models have threads of their own. */
const AT_A_TIME = 8;

/** Asks every question of the whole pool as a chat does, without the network. One line of prediction a question. */
export async function measureAnswers(
  deps: AnswerDeps,
  { passages, questions }: QuestionSet,
): Promise<{ figures: AnswerFigures; predictions: string[] }> {
  const store = storeOf(deps.passageReader, passages);
  const asked: Asked[] = [];
  for (let at = 0; at < questions.length; at += AT_A_TIME) {
    const batch = questions.slice(at, at + AT_A_TIME);
    asked.push(...(await Promise.all(batch.map((question) => ask({ ...deps, store }, passages, question)))));
  }
  const share = (holds: (one: Asked) => boolean): number => asked.filter(holds).length / Math.max(1, asked.length);
  const figures = {
    "within 1": share(({ question, shown }) => contains(shown.slice(0, 1), question)),
    "within 3": share(({ question, shown }) => contains(shown, question)),
    "reader within 1": share(({ question, read }) => contains(read.slice(0, 1), question)),
    "reader within 3": share(({ question, read }) => contains(read.slice(0, 3), question)),
    retrieved: share(({ question, sources }) => sources.some(({ articleId }) => articleId === question.passage + 1)),
    declined: share(({ shown }) => shown.length === 0),
    "declined without it": share(({ without }) => without.length === 0),
    words: medianWords(asked),
  };
  const predictions = asked.map(({ question, shown }) =>
    [question.id, Number(contains(shown, question)), ...shown.map(({ text }) => text)].join("\t"),
  );
  return { figures, predictions };
}

/** A question with what it was answered from, the sentences shown, and those of the right passage, best first. */
type Asked = {
  question: Question;
  sources: Source[];
  shown: RankedSentence[];
  read: RankedSentence[];
  without: RankedSentence[];
};

function medianWords(asked: readonly Asked[]): number {
  const counts = asked
    .filter(({ shown }) => shown.length > 0)
    .map(({ shown }) => shown.flatMap(quotedOf).flatMap(({ text }) => text.trim().split(/\s+/)).length)
    .toSorted((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}

type AskDeps = AnswerDeps & { store: RetrieveStore };

async function ask(deps: AskDeps, passages: QuestionSet["passages"], question: Question): Promise<Asked> {
  const { signal } = new AbortController();
  const sources = await sourcesFor(deps, passages, question);
  const shown = chooseSentences(await rankSentences(question.text, sources, deps, signal));
  const others = sources.filter(({ articleId }) => articleId !== question.passage + 1);
  const without = chooseSentences(await rankSentences(question.text, others, deps, signal));
  const given = { ...sourceOf(passages, question.passage), n: 1 };
  return { question, sources, shown, without, read: await rankSentences(question.text, [given], deps, signal) };
}

/** The passages that retrieval finds, as the edge worker asks for them. */
export async function sourcesFor(
  { branches, reranker, store }: AskDeps,
  passages: QuestionSet["passages"],
  { text }: Pick<Question, "text">,
): Promise<Source[]> {
  const fields = ["article_id", "passages", "rerank_score"];
  const request = RetrieveRequest.parse({ query: text, rerank: true, limit: SOURCES.builtin, fields });
  const { body } = await retrieve(
    { branches, documents: documentsOf(passages), config: CONFIG, reranker: { model: reranker }, store, followers: [] },
    request,
  );
  return body.results.map(({ article_id = 0, passages: read = [], rerank_score }, i) => ({
    ...sourceOf(passages, article_id - 1),
    n: i + 1,
    passages: read.map(({ text: said, offsets }) => ({ text: said, start: offsets.start })),
    ...(rerank_score != null && { score: rerank_score }),
  }));
}

const CONFIG = loadConfig({});

function sourceOf(passages: QuestionSet["passages"], place: number): Source {
  const { title = "", text = "", published } = passages[place] ?? {};
  return { n: place + 1, articleId: place + 1, title, url: "", published, passages: [{ text, start: 0 }] };
}

/** The pool as where the vectors of articles are. */
export function storeOf(reader: AnswerDeps["passageReader"], passages: QuestionSet["passages"]): RetrieveStore {
  const vectors = reader && documentVectors(reader, passages);
  const vectorsOf = async (ids: readonly number[]) => {
    const vectorsById = new Map<number, Int8Array>();
    if (vectors !== undefined) for (const id of ids) vectorsById.set(id, await vectors(id - 1));
    return vectorsById;
  };
  return { rerank: { vectorsOf }, articles: { byIds: async () => [] }, stories: { keysOf: async () => [] } };
}

/** The pool as where the articles of hits come from. */
function documentsOf(passages: QuestionSet["passages"]): Documents {
  const article = (articleId: number): Article => {
    const { title = "", text = "" } = passages[articleId - 1] ?? {};
    return { ...ARTICLE, articleId, docId: String(articleId), title, content: text };
  };
  return { byKeys: async (keys) => keys.map((key) => ({ ...documentOf(article(key)), key })) };
}

const ARTICLE: Article = {
  articleId: 0,
  docId: "",
  sourceId: "eval",
  externalId: "",
  url: "",
  canonicalUrl: "",
  domain: "",
  title: "",
  content: "",
  summary: null,
  contentHash: "",
  lang: null,
  publishedAt: null,
  authors: [],
  images: [],
  raw: null,
  categoryLabel: null,
  provider: null,
  categoryId: null,
  categorySource: null,
  categoryConfidence: null,
  taxonomyVersion: null,
  state: "indexed",
  stateReason: null,
  queuedAt: "",
  createdAt: "",
  updatedAt: "",
};

/** Whether the sentences contain one of the answers, in folded form. */
function contains(sentences: readonly { text: string }[], { answers }: Question): boolean {
  const shown = folded(sentences.map(({ text }) => text).join("\n"));
  return answers.some((answer) => shown.includes(folded(answer)));
}

function folded(text: string): string {
  return fold(text).toLowerCase().replace(/\s+/g, " ").trim();
}

/** A question with the texts that answer it and the passage that they stand in, by its place among the passages. */
type Question = { id: string; text: string; answers: string[]; passage: number };

/** Questions over one pool of passages. */
type QuestionSet = {
  passages: { id: string; title: string; text: string; published?: string | undefined }[];
  questions: Question[];
};

const Squad = z.object({
  data: z.array(
    z.object({
      title: z.string().default(""),
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(
            z.object({
              id: z.coerce.string(),
              question: z.string(),
              answers: z.array(z.object({ text: z.string() })),
            }),
          ),
        }),
      ),
    }),
  ),
});

/**
 * Reads questions in the format of SQuAD, which TyDi QA's gold passages and ARCD have: a file, or all `.json` and
 * `.json.gz` of a folder as one pool. A passage that occurs twice is one; a question without an answer is left out.
 * Throws an Error for a folder without such files.
 */
export function readQuestions(path: string): QuestionSet {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.json(\.gz)?$/.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path];
  if (files.length === 0) throw new Error(`${path}: no .json or .json.gz is there`);
  const places = new Map<string, number>();
  const set: QuestionSet = { passages: [], questions: [] };
  for (const file of files) {
    const { data } = Squad.parse(JSON.parse(readText(file.replace(/\.gz$/, ""))));
    for (const { title, paragraphs } of data) {
      for (const { context, qas } of paragraphs) {
        const passage = places.get(context) ?? set.passages.length;
        if (passage === set.passages.length) {
          places.set(context, passage);
          set.passages.push({ id: String(passage + 1), title: title.replaceAll("_", " "), text: context });
        }
        for (const { id, question, answers } of qas) {
          const texts = answers.map(({ text }) => text).filter((text) => text.trim() !== "");
          if (texts.length > 0) set.questions.push({ id, text: question.trim(), answers: texts, passage });
        }
      }
    }
  }
  return set;
}

/** The built-in model's answers: how often what it shows contains what should have been answered. */
export const answers: EvalTask = {
  name: "answers",
  formats: "a JSON file in the format of SQuAD (TyDi QA, ARCD), plain or gzipped, or a folder of them as one pool",
  sets(data, { full }) {
    const path = join(data, "retrieval", "tydiqa-goldp", "arabic");
    return [full ? { set: "TyDi QA ar dev", path } : { set: "TyDi QA ar dev, every 8th", path, every: 8 }];
  },
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const { close, ...models } = await openAnswerModels(registry);
    return {
      async measure({ path, every = 1 }) {
        const { passages, questions } = readQuestions(path);
        const set = { passages, questions: questions.filter((_, place) => place % every === 0) };
        await using indexed = await indexCollection({ documents: passages }, models.embedder);
        const { figures, predictions } = await measureAnswers({ ...indexed, ...models }, set);
        return { figures, size: set.questions.length, predictions };
      },
      close,
    };
  },
};
