import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { readQuery, searchQuery, type Source } from "@isnad/lib/answers";
import { openRegistry } from "@isnad/lib/models";
import { z } from "@isnad/lib/service/http";
import { at } from "@isnad/lib/std";
import { codePointSlicer } from "@isnad/lib/text";
import {
  type Glance,
  LOOK_FEATURES,
  lookFeatures,
  promiseFeatures,
  standingsOf,
} from "../../lib/answers/extractive/evidence.ts";
import { compareSentences, type Judged, judgeSentences } from "../../lib/answers/extractive/sentences.ts";
import shipped from "../../lib/answers/extractive/weights.json" with { type: "json" };
import { indexCollection } from "../indexed.ts";
import { fitOdds, type Linear, linear, minimise } from "../regression.ts";
import { openAnswerModels, readQuestions, sourcesFor, storeOf } from "../tasks/answers.ts";
import { holdsGold, readNewsArchive, readNewsQuestions } from "../tasks/answers-news.ts";

/**
 * Fits how the built-in model weighs the features of sentences: `bun eval/answers/fit.ts DATA [FILE] [--glance]` writes
 * `lib/answers/extractive/weights.json`. It learns from the questions of `questions.jsonl` of part `dev`, those that
 * the reader was not trained on of the ones written for it, in the other language as well, and every 18th of TyDi QA's
 * English questions; each weighs what {@link SHARES} says. The settings were chosen on the same, by leaving a fifth
 * out, with an eye on the floors of TyDi QA's Arabic questions, which are not learned from.
 */
const EVERY = 18;
const SHARES = { dev: 1, across: 0.5, tydi: 1 } as const;
type Part = keyof typeof SHARES;
/**
 * Holds what the weights of sentences are pulled towards, times a number that is fitted: what
 * ranks questions of an encyclopedia well. By name of the feature.
 */
const PRIOR: Readonly<Record<string, number>> = {
  ...{ judged: 5, reranked: 8, "article judged": 5 },
  ...{ number: 1, age: 1, time: 1, headline: -2, has: 1 },
};
/** Share of the answerable questions over news that are declined, where they are left out of the fit. */
const DECLINED = 0.053;

/** Holds the weights small. */
const [RANKING_L2, SUPPORT_L2] = [0.3, 0.03];

type Row = { features: readonly number[]; isGold: boolean };
/** `others`: the rows of other articles than the one that answers, as they stand without it. */
type Asked = { part: Part; answerable: boolean; rows: Row[]; others: Row[] };
type Set = {
  /** Says that the articles are met before they were read for reranking. */
  isFresh: boolean;
  documents: { id: string; title: string; text: string }[];
  questions: {
    part: Part;
    text: string;
    /** Holds what sentences are held against, where `text` is what is searched for. */
    read: string;
    article: number;
    isGold: (source: Source, text: string, start: number) => boolean;
  }[];
};

const [data = "../shared/data", output] = process.argv.slice(2).filter((each) => each !== "--glance");
/** The first weights, too: with fewer questions over news they lost fewer of an encyclopedia's sentences. */
const isWhole = process.argv.includes("--glance");
const { signal } = new AbortController();
const PATH = output ?? fileURLToPath(new URL("../../lib/answers/extractive/weights.json", import.meta.url));

/** A question of `written.jsonl`: `gold` are code points of the article's text, missing where it does not answer. */
const Written = z.object({
  part: z.enum(["train", "tempting", "fit"]),
  article: z.string(),
  ask: z.string(),
  /** The same question in the language of the article, of one that is in the other. */
  like: z.string().optional(),
  gold: z.tuple([z.int(), z.int()]).optional(),
});

/** Returns the questions over news that the reader has not learned from. */
function readWritten(): z.output<typeof Written>[] {
  const path = new URL("../../nlp/training/isnad_reader/written.jsonl", import.meta.url);
  const rows = readFileSync(path, "utf8").trim().split("\n");
  return rows.map((row) => Written.parse(JSON.parse(row))).filter(({ part }) => part === "fit");
}

function newsSet(): Set {
  const questions = readNewsQuestions();
  const written = readWritten();
  const documents = readNewsArchive(join(data, "news"), [...questions, ...written]);
  const places = new Map(documents.map(({ id }, place) => [id, place + 1]));
  const textOf = (article = "") => documents[(places.get(article) ?? 0) - 1]?.text ?? "";
  const asked = questions
    .filter(({ part }) => part === "dev")
    .map((question) => {
      const conversation = question.ask.map((content) => ({ role: "user" as const, content }));
      return {
        part: "dev" as const,
        text: searchQuery(conversation),
        read: readQuery(conversation),
        article: places.get(question.article ?? "") ?? 0,
        isGold: (_: Source, text: string) => holdsGold(text, question, textOf(question.article)),
      };
    });
  const own = written.map(({ ask, like, article, gold = [0, 0] }) => {
    const answer = codePointSlicer(textOf(article))(...gold);
    const place = places.get(article) ?? 0;
    return {
      part: like === undefined ? ("dev" as const) : ("across" as const),
      text: ask,
      read: ask,
      article: answer === "" ? 0 : place,
      isGold: ({ articleId }: Source, text: string) => articleId === place && answer !== "" && text.includes(answer),
    };
  });
  return { isFresh: true, documents, questions: [...asked, ...own] };
}

function tydiSet(): Set {
  const { passages, questions } = readQuestions(join(data, "retrieval/tydiqa-goldp/english"));
  return {
    isFresh: false,
    documents: passages,
    questions: questions
      .filter((_, place) => place % EVERY === 0)
      .map(({ text, answers, passage }) => ({
        part: "tydi",
        read: text,
        text,
        article: passage + 1,
        isGold: ({ articleId }, said) =>
          articleId === passage + 1 && answers.some((answer) => said.toLowerCase().includes(answer.toLowerCase())),
      })),
  };
}

type IsGold = Set["questions"][number]["isGold"];

/** Asks each question; `rowsOf` returns what is learned from its sources, and from those but one article. */
async function askAll(
  sets: readonly { set: Set; sources: readonly Source[][] }[],
  rowsOf: (
    text: string,
    sources: readonly Source[],
    isGold: IsGold,
    article: number,
  ) => Promise<Pick<Asked, "rows" | "others">>,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { set, sources } of sets) {
    for (const [place, { part, read, article, isGold }] of set.questions.entries()) {
      const answerable = article > 0;
      asked.push({ part, answerable, ...(await rowsOf(read, at(sources, place), isGold, article)) });
    }
    process.stderr.write(`${asked.length} questions asked\n`);
  }
  return asked;
}

/** Fits by the share of the gold sentences among those of each question, near to a multiple of {@link PRIOR}. */
function fitRanking(asked: readonly Asked[], weightOf: (asked: Asked) => number, l2: number): Linear {
  const telling = asked.filter(({ rows }) => rows.some(({ isGold }) => isGold) && rows.some(({ isGold }) => !isGold));
  const whole = telling.reduce((sum, each) => sum + weightOf(each), 0);
  const gradientOf = (scores: Float64Array): Float64Array => {
    const gradients = new Float64Array(scores.length);
    let from = 0;
    for (const each of telling) {
      const own = scores.subarray(from, from + each.rows.length);
      const highest = Math.max(...own);
      const shares = own.map((score) => Math.exp(score - highest));
      const all = shares.reduce((sum, share) => sum + share, 0);
      const gold = shares.reduce((sum, share, i) => sum + (each.rows[i]?.isGold ? share : 0), 0);
      for (const [i, share] of shares.entries()) {
        gradients[from + i] = (weightOf(each) / whole) * (share / all - (each.rows[i]?.isGold ? share / gold : 0));
      }
      from += each.rows.length;
    }
    return gradients;
  };
  const prior = LOOK_FEATURES.map((name) => PRIOR[name] ?? 0);
  const rows = telling.flatMap((each) => each.rows.map(({ features }) => features));
  const { weights, bias } = minimise(
    rows.map((features) => [...features, linear({ weights: prior, bias: 0 }, features)]),
    gradientOf,
    l2,
    1,
  );
  const scale = at(weights, prior.length);
  return { weights: prior.map((weight, i) => at(weights, i) + scale * weight), bias };
}

/** Returns the score and features of the best row. */
function bestOf(sentence: Linear, rows: readonly Row[]): number[] | undefined {
  const scored = rows.map(({ features }) => [linear(sentence, features), ...features]);
  return scored.toSorted((a, b) => at(b, 0) - at(a, 0))[0];
}

/** Folds by which it is found how many would be declined of questions that were not learned from. */
const FOLDS = 5;

/** Fits both, and sets the threshold by what is declined of questions that are left out of the fit. */
function fitModels(asked: readonly Asked[]): { sentence: Linear; support: Linear } {
  const leftOut = Array.from({ length: FOLDS }, (_, fold) => {
    const { sentence, support } = fitOn(asked.filter((__, place) => place % FOLDS !== fold));
    const rest = asked.filter(({ part }, place) => place % FOLDS === fold && part === "dev");
    return rest.map(({ answerable, rows }) => ({
      answerable,
      support: rows.length === 0 ? Number.NEGATIVE_INFINITY : linear(support, bestOf(sentence, rows) ?? []),
    }));
  }).flat();
  const sorted = leftOut.flatMap((each) => (each.answerable ? [each.support] : [])).toSorted((a, b) => a - b);
  const others = leftOut.flatMap((each) => (each.answerable ? [] : [each.support]));
  const thresholdAt = (share: number): number => {
    const declined = Math.floor(share * sorted.length);
    return (at(sorted, declined - 1) + at(sorted, declined)) / 2;
  };
  const threshold = thresholdAt(DECLINED);
  for (const share of [0.03, DECLINED, 0.08, 0.1]) {
    const told = others.filter((support) => support < thresholdAt(share)).length / others.length;
    process.stderr.write(`declined wrongly ${share}, of what is not answered ${told.toFixed(3)}\n`);
  }
  const { sentence, support } = fitOn(asked);
  return { sentence, support: { ...support, bias: support.bias - threshold } };
}

function fitOn(asked: readonly Asked[]): { sentence: Linear; support: Linear } {
  const sentence = fitRanking(asked, ({ part }) => SHARES[part], RANKING_L2);
  return { sentence, support: fitSupport(asked, sentence) };
}

function fitSupport(asked: readonly Asked[], sentence: Linear): Linear {
  const rows = asked.flatMap((each) => {
    const weight = SHARES[each.part];
    const best = bestOf(sentence, each.rows);
    const hasGold = each.rows.some(({ isGold }) => isGold);
    const own =
      best === undefined || (each.answerable && !hasGold)
        ? []
        : [{ features: best, isGold: each.answerable, weight: each.answerable ? weight : 2 * weight }];
    const other = bestOf(sentence, each.others);
    return other === undefined ? own : [...own, { features: other, isGold: false, weight: weight / 2 }];
  });
  return fitOdds(rows, SUPPORT_L2);
}

const rounded = ({ weights, bias }: Linear): Linear => ({
  weights: weights.map((weight) => Number(weight.toPrecision(5))),
  bias: Number(bias.toPrecision(5)),
});

const models = await openAnswerModels(openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" }));
const { embedder, passageReader } = models;
const sets: { set: Set; sources: Source[][] }[] = [];
for (const set of [newsSet(), tydiSet()]) {
  await using indexed = await indexCollection({ documents: set.documents }, embedder);
  const sources: Source[][] = [];
  // Articles of news are met before they were read beforehand, those of TyDi QA after.
  const store = storeOf(set.isFresh ? undefined : passageReader, set.documents);
  const deps = { ...indexed, ...models, store };
  for (const question of set.questions) sources.push(await sourcesFor(deps, set.documents, question));
  sets.push({ set, sources });
}
const rowsOf = (looks: readonly Judged[], isGold: IsGold): Row[] => {
  const standings = standingsOf(looks);
  return looks.map((look, i) => ({ features: lookFeatures(look, at(standings, i)), isGold: isRight(look, isGold) }));
};
const isRight = ({ sentence: { source, text, offsets } }: Glance, isGold: IsGold): boolean =>
  isGold(source, text, offsets?.start ?? -1);
/** Fits the weights by which sentences are chosen for the reader. */
async function fitGlance(): Promise<Linear> {
  const seen = await askAll(sets, async (text, sources, isGold) => {
    const glances = await compareSentences(text, sources, embedder, signal);
    const rows = glances.map((glance) => ({ features: promiseFeatures(glance), isGold: isRight(glance, isGold) }));
    return { rows, others: [] };
  });
  const rows = seen.flatMap(({ part, rows: own }) => {
    const share = SHARES[part] * (part === "tydi" ? 0.6 : 1);
    return own.some(({ isGold }) => isGold) ? own.map((row) => ({ ...row, weight: share / own.length })) : [];
  });
  return rounded(fitOdds(rows, 0.01));
}

const glance = isWhole ? await fitGlance() : shipped.glance;
const judged = await askAll(sets, async (text, sources, isGold, article) => {
  const looks = await judgeSentences(text, sources, models, signal, glance);
  const others = looks.filter(({ sentence: { source } }) => source.articleId !== article);
  return { rows: rowsOf(looks, isGold), others: article > 0 ? rowsOf(others, isGold) : [] };
});
const { sentence, support } = fitModels(judged);
const weights = { glance, sentence: rounded(sentence), support: rounded(support) };
writeFileSync(PATH, `${JSON.stringify(weights, null, 2)}\n`);
process.exit(0);
