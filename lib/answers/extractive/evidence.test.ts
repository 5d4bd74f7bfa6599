import { describe, expect, test } from "bun:test";
import { sentencesOf } from "../citations.ts";
import type { Source } from "../tasks.ts";
import { contextsOf, readQuestion, readSentence, weightsOf } from "./reading.ts";
import { type Glance, type Look, LOOK_FEATURES, lookFeatures, standingsOf } from "./evidence.ts";

const source = (n: number, title: string, text: string, over: Partial<Source> = {}): Source => ({
  ...{ n, articleId: n, title, url: "" },
  passages: [{ text, start: 0 }],
  ...over,
});

/** Returns the looks at all sentences of the sources, each with its judgement of the table. */
function looksAt(text: string, sources: readonly Source[], judged: Readonly<Record<string, number>> = {}): Look[] {
  const question = readQuestion(text);
  const sentences = sources.flatMap(sentencesOf).map((sentence) => readSentence(sentence, question));
  const weights = weightsOf(sentences, question.topics.length);
  const contexts = contextsOf(sentences, question.topics);
  return sentences.flatMap((sentence, i) => {
    const context = contexts[i];
    if (context === undefined) return [];
    const glance: Glance = { question, weights, sentence, context, cosine: 0.5 };
    const own = judged[sentence.text] ?? -5;
    return [{ ...glance, judged: own, reranked: own, near: sentence.has }];
  });
}

/** Returns the features of the sentence that has a text, by name. */
function featuresOf(looks: readonly Look[], text: string): Readonly<Record<string, number>> {
  const standings = standingsOf(looks);
  const place = looks.findIndex(({ sentence }) => sentence.text === text);
  const [look, standing] = [looks[place], standings[place]];
  if (look === undefined || standing === undefined) throw new Error(`no sentence says ${text}`);
  const values = lookFeatures(look, standing);
  expect(values).toHaveLength(LOOK_FEATURES.length);
  return Object.fromEntries(LOOK_FEATURES.map((name, i) => [name, values[i] ?? Number.NaN]));
}

const COST = "It cost 38 million dinars.";
const BRIDGE = source(1, "Bridge of Sahlan opens", `The bridge opened on Tuesday. ${COST}`);

describe("what a question asks for and is about is told of a sentence", () => {
  test("what it asks for, and what the headline above it has", () => {
    const cost = featuresOf(looksAt("How much did the bridge of Sahlan cost?", [BRIDGE]), COST);
    expect(cost).toMatchObject({ number: 1, headline: 0, lead: 0, around: 1, "name not around": 0 });
    expect(cost.has).toBeLessThan(1);
    expect(featuresOf(looksAt("When did the bridge open?", [BRIDGE]), "The bridge opened on Tuesday.").time).toBe(1);
    expect(featuresOf(looksAt("How old is the bridge?", [BRIDGE]), COST).age).toBe(-1);
  });

  test("a name and a number that neither it nor its article has", () => {
    const noma = featuresOf(looksAt("How much did Noma pay for the bridge in 2019?", [BRIDGE]), COST);
    expect(noma).toMatchObject({ "name not around": 1, "name not in article": 1, "number not in article": 1 });
    const dated = source(1, BRIDGE.title, `The bridge opened on Tuesday. ${COST}`, { published: "2019-03-01" });
    const inYear = featuresOf(looksAt("How much did Sahlan pay for the bridge in 2019?", [dated]), COST);
    expect(inYear).toMatchObject({ "number not around": 0, "name not in article": 0 });
  });

  test("that it is of the other language, and asks itself", () => {
    const arabic = featuresOf(looksAt("كم كلف جسر سهلان؟", [BRIDGE]), COST);
    expect(arabic).toMatchObject({ crosses: 1, number: 1 });
    const asks = source(1, "", "What did the bridge cost?");
    expect(featuresOf(looksAt("How much did the bridge cost?", [asks]), "What did the bridge cost?").asks).toBe(1);
  });
});

test("a sentence stands behind the best of its article and of all, and its article behind the best one", () => {
  const [first, second] = ["The ferry sank.", "The ferry left."];
  const sources = [
    source(1, "", `${first} ${second}`, { score: 5 }),
    source(2, "", COST, { score: 2 }),
    source(3, "", "x y"),
  ];
  const looks = looksAt("How much did the ferry cost?", sources, { [first]: 5, [second]: 0, [COST]: 2.5 });
  expect(featuresOf(looks, second)).toMatchObject({ behind: 1, "behind own article": -1, "article behind": 0 });
  expect(featuresOf(looks, COST)).toMatchObject({ behind: 0.5, "article behind": 0.5, "article judged behind": 0.6 });
  expect(featuresOf(looks, "x y")).toMatchObject({ "article not judged": 1, "article judged": -1 });
});
