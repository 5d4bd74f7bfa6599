import { at } from "../../std/mod.ts";
import { hasAskedFor } from "../question.ts";
import { ARABIC, type Context, type ReadQuestion, type ReadSentence } from "./reading.ts";

/** Holds what a sentence is judged by at first: no model has read it together with the question. */
export type Glance = {
  question: ReadQuestion;
  weights: readonly number[];
  sentence: ReadSentence;
  context: Context;
  /** Cosine with the question. */
  cosine: number;
};

/** Words of a sentence that says little alone. */
const FEW_WORDS = 6;
/** Capitals that count. */
const MAX_CAPITALS = 4;
const ASKS = /[?\u061f]["'\u00bb\u201d\s]*$/u;

/** The names of {@link glanceFeatures}, in order. */
const GLANCE_FEATURES = [
  ...[
    "cosine",
    "has",
    "around",
    "article",
    "articleGap",
    "number",
    "age",
    "time",
    "other kind",
    "capitals",
    "no capital",
  ],
  ...["headline", "length", "short", "new words", "lead", "crosses", "cosine, crosses", "around, crosses"],
  ...["around, same", "asks"],
];

/** Returns the features of a sentence at first. */
function glanceFeatures({ question, weights, sentence, context, cosine }: Glance): number[] {
  const { text, offsets, words, has } = sentence;
  const { kind } = question;
  const crosses = question.isArabic === ARABIC.test(text) ? 0 : 1;
  const fits = hasAskedFor(kind, text, question.text);
  const fit = fits === undefined ? 0 : fits ? 1 : -1;
  const others = words.filter(({ isStop, terms }) => !isStop && !terms.some((term) => question.stems.has(term)));
  const capitals = Math.min(MAX_CAPITALS, others.filter(({ isCapital }) => isCapital).length) / MAX_CAPITALS;
  const isPerson = kind === "person" && !ARABIC.test(text);
  const around = mean(context.around, weights);
  return [
    cosine,
    mean(has, weights),
    around,
    mean(context.article, weights),
    gap(context.article, weights),
    kind === "number" || kind === "money" ? fit : 0,
    kind === "age" ? fit : 0,
    kind === "time" ? fit : 0,
    kind === "place" || kind === "reason" ? fit : 0,
    isPerson ? capitals : 0,
    isPerson && capitals === 0 ? 1 : 0,
    offsets === null ? 1 : 0,
    Math.log1p(words.length),
    words.length < FEW_WORDS ? 1 : 0,
    Math.log1p(others.length),
    context.isLead ? 1 : 0,
    crosses,
    crosses * cosine,
    crosses * around,
    (1 - crosses) * around,
    ASKS.test(text) ? 1 : 0,
  ];
}

/** Returns the features by which sentences are chosen for the reader: also how early the search has their article. */
export function promiseFeatures(glance: Glance): number[] {
  return [...glanceFeatures(glance), 1 / (1 + glance.sentence.source.n)];
}

/** Holds what a sentence is judged by in the end, beside {@link Standing}. */
export type Look = Glance & {
  /** The reader's score. */
  judged: number;
  /** The reranker's score: how near the sentence is to the question in meaning. */
  reranked: number;
  /** Tells how near in meaning the nearest word of the sentence is to each topic, a cosine; 1 for one that it has. */
  near: readonly number[];
};

/** The names of {@link lookFeatures}, in order. */
export const LOOK_FEATURES = [
  ...GLANCE_FEATURES,
  ...["judged", "near", "near²", "near · judged", "near around", "near article", "least around", "gap", "gap article"],
  ...["first", "first article", "judged, article", "article behind", "behind own article", "share of article"],
  ...["behind", "cosine, article behind", "rank", "article judged", "article judged behind", "article not judged"],
  ...[
    "reranked",
    "reranked behind",
    "reranked, article",
    "number not around",
    "number not in article",
    "name not around",
    "name not in article",
  ],
];

/** Holds what scores of the reader and of the reranker are divided by. */
const JUDGED_UNIT = 5;
/** Holds what stands for the score of an article that the search has not judged: that of one that hardly answers. */
const UNJUDGED_SCORE = -5;
/** Cosines of words up to this one say nothing. */
const FAR_COSINE = 0.25;

/** Tells how a sentence and its article stand among all that were judged. */
type Standing = {
  /** The best score of its article, and of all. */
  ofArticle: number;
  ofAll: number;
  /** The share of its article's sentences among those judged. */
  share: number;
  /** Tells how far the best cosine of its article is behind the best of all: 0 and less. */
  cosineBehind: number;
  /** The reranker's best score of its article, and of all. */
  rerankedOfArticle: number;
  rerankedOfAll: number;
  /** The score that the search gave its article, and how far that is behind the best one. */
  article: number;
  articleBehind: number;
  /** Says that the search has judged other articles, and this one not. */
  isUnjudged: boolean;
};

/** Returns how each sentence and its article stand among all. */
export function standingsOf(looks: readonly Look[]): Standing[] {
  const byArticle = Map.groupBy(looks, ({ sentence }) => sentence.source.n);
  const highest = (some: readonly Look[], of: (look: Look) => number) => Math.max(...some.map(of));
  const judgedOf = ({ judged }: Look): number => judged;
  const cosineOf = ({ cosine }: Look): number => cosine;
  const rerankedOf = ({ reranked }: Look): number => reranked;
  const [ofAll, nearest] = [highest(looks, judgedOf), highest(looks, cosineOf)];
  const rerankedOfAll = highest(looks, rerankedOf);
  // Where the search judged none, an article is as good as its best sentence.
  const isSearchJudged = looks.some(({ sentence }) => sentence.source.score !== undefined);
  const standings = looks.map(({ sentence: { source } }) => {
    const own = byArticle.get(source.n) ?? looks;
    const ofArticle = highest(own, judgedOf);
    const article = source.score ?? (isSearchJudged ? UNJUDGED_SCORE : ofArticle);
    const isUnjudged = isSearchJudged && source.score === undefined;
    const [share, cosineBehind] = [own.length / looks.length, highest(own, cosineOf) - nearest];
    const rerankedOfArticle = highest(own, rerankedOf);
    return { ofArticle, ofAll, share, cosineBehind, rerankedOfArticle, rerankedOfAll, article, isUnjudged };
  });
  const best = Math.max(...standings.map(({ article }) => article));
  return standings.map((standing) => ({ ...standing, articleBehind: best - standing.article }));
}

/** Returns the features of a sentence in the end. */
export function lookFeatures(look: Look, standing: Standing): number[] {
  const { ofArticle, ofAll, share, cosineBehind, article: own, articleBehind, isUnjudged } = standing;
  const { rerankedOfArticle, rerankedOfAll } = standing;
  const { question, weights, context, sentence } = look;
  const near = look.near.map((value) => Math.max(0, (value - FAR_COSINE) / (1 - FAR_COSINE)));
  const withNear = (values: readonly number[]) => values.map((value, i) => Math.max(value, at(near, i)));
  const around = withNear(context.around);
  const article = withNear(context.article);
  const nearness = mean(withNear(sentence.has), weights);
  const judged = look.judged / JUDGED_UNIT;
  const isNumber = question.topics.map((topic) => topic.isNumber);
  const isName = question.topics.map((topic) => topic.isName);
  const first = question.topics.findIndex(({ isName, isKind }) => !isName && !isKind);
  return [
    ...glanceFeatures(look),
    judged,
    nearness,
    nearness ** 2,
    nearness * judged,
    mean(around, weights),
    mean(article, weights),
    around.length === 0 ? 1 : Math.min(...around),
    gap(around, weights),
    gap(article, weights),
    first < 0 ? 1 : at(around, first),
    first < 0 ? 1 : at(article, first),
    ofArticle / JUDGED_UNIT,
    (ofAll - ofArticle) / JUDGED_UNIT,
    (look.judged - ofArticle) / JUDGED_UNIT,
    share,
    (ofAll - look.judged) / JUDGED_UNIT,
    cosineBehind,
    1 / (1 + sentence.source.n),
    own / JUDGED_UNIT,
    articleBehind / JUDGED_UNIT,
    isUnjudged ? 1 : 0,
    look.reranked / JUDGED_UNIT,
    (rerankedOfAll - look.reranked) / JUDGED_UNIT,
    rerankedOfArticle / JUDGED_UNIT,
    ...[isNumber, isName].flatMap((is) => [missing(context.around, is), missing(context.article, is)]),
  ];
}

/** Returns how surely one of the topics that count is missing. */
function missing(values: readonly number[], counts: readonly boolean[]): number {
  return Math.max(0, ...values.map((value, i) => (counts[i] ? 1 - value : 0)));
}

function mean(values: readonly number[], weights: readonly number[]): number {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return whole === 0 ? 1 : values.reduce((sum, value, i) => sum + value * at(weights, i), 0) / whole;
}

/** Returns how much the topic weighs that is missing most, as a share of the heaviest. */
function gap(values: readonly number[], weights: readonly number[]): number {
  const heaviest = Math.max(0, ...weights);
  return heaviest === 0 ? 0 : Math.max(0, ...values.map((value, i) => at(weights, i) * (1 - value))) / heaviest;
}
