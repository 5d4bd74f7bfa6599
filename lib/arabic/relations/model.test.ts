import { expect, test } from "bun:test";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { likelySpans, marginals, type ReArgument, speakersOf } from "./model.ts";
import { ROLES } from "./spans.ts";
import { type ReWord, reWords } from "./words.ts";

const LENGTH = 4;
const spans = [
  { from: 0, to: 1 },
  { from: 0, to: 2 },
  { from: 1, to: 3 },
  { from: 2, to: 3 },
  { from: 3, to: 4 },
];
const scores = Float64Array.from({ length: spans.length * ROLES }, (_, i) => Math.sin(i * 7.3) * 2 - 0.5);

/** All sets of spans that do not overlap, each in one role, and the sum of their scores. */
function ways(from = 0): { chosen: number[]; total: number }[] {
  if (from >= LENGTH) return [{ chosen: [], total: 0 }];
  const without = ways(from + 1);
  const beginning = spans.flatMap((span, i) => (span.from === from ? [{ i, to: span.to }] : []));
  return [
    ...without,
    ...beginning.flatMap(({ i, to }) =>
      ways(to).flatMap(({ chosen, total }) =>
        Array.from({ length: ROLES }, (_, role) => ({
          chosen: [i * ROLES + role, ...chosen],
          total: total + (scores[i * ROLES + role] ?? 0),
        })),
      ),
    ),
  ];
}

test("the probability of a span in a role is its share of all ways to part the words", () => {
  const all = ways();
  const mass = all.reduce((sum, { total }) => sum + Math.exp(total), 0);
  const chances = marginals({ spans, scores });
  for (let i = 0; i < scores.length; i++) {
    const own = all.filter(({ chosen }) => chosen.includes(i)).reduce((sum, { total }) => sum + Math.exp(total), 0);
    expect(chances[i]).toBeCloseTo(own / mass, 9);
  }
});

test("spans that are likely enough are told in the order of the words; of those that overlap the likelier", () => {
  const chances = new Float64Array(spans.length * ROLES);
  const likely = { span: 1, role: 0, chance: 0.6 };
  const last = { span: 4, role: 5, chance: 0.31 };
  for (const { span, role, chance } of [
    { span: 0, role: 2, chance: 0.35 },
    likely,
    { span: 2, role: 1, chance: 0.4 },
    { span: 3, role: 1, chance: 0.29 },
    last,
  ]) {
    chances[span * ROLES + role] = chance;
  }
  expect(likelySpans(spans, chances, 0.3)).toMatchObject([likely, last]);
});

const morphology = await openMorphology();
const wordsOf = (text: string): ReWord[] => reWords(morphAnswer(morphology, { text, all: false }), []);
const argument = (role: ReArgument["role"], from: number, to: number): ReArgument => ({
  ...{ role, from, to, confidence: 1 },
});

test("a name behind a comma is that of the speaker, whoever is joined to him speaks, and others are spoken to", () => {
  const named = wordsOf("قال وزير الخارجية، سامر حداد، إن الحل قريب");
  const post = argument("agent", 1, 3);
  expect(speakersOf(named, [post, argument("target", 4, 6)])).toEqual([post]);
  const joined = wordsOf("قال الوزير ورئيس البلدية إن الحل قريب");
  const minister = argument("agent", 1, 2);
  expect(speakersOf(joined, [minister, argument("target", 2, 4)])).toEqual([minister, argument("agent", 2, 4)]);
  const asked = wordsOf("ناشدت النقابة الحكومة التدخل");
  const both = [argument("agent", 1, 2), argument("target", 2, 3)];
  expect(speakersOf(asked, both)).toEqual(both);
});
