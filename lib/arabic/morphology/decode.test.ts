import { expect, test } from "bun:test";
import type { Candidate } from "./candidates.ts";
import { decode, featuresOf, prepare, weigh } from "./decode.ts";
import type { Word } from "./features.ts";

const candidate = (lemma: string, pos: string, cost: number): Candidate => ({
  ...{ lemma, pos, cost, before: "", after: "", analyses: [] },
});
const word = (text: string, candidates: Candidate[]): Word => ({ text, letters: text, candidates });

const words = [
  word("قال", [candidate("قال", "verb", 1), candidate("قال", "noun", 3)]),
  word("وزير", [candidate("وزير", "noun", 2), candidate("وزير", "noun_prop", 6)]),
  word("فرنسا", [candidate("فرنسا", "noun_prop", 2), candidate("فرنسا", "noun", 5), candidate("رنسا", "verb", 9)]),
  word("أمس", [candidate("أمس", "adv", 1), candidate("أمس", "noun", 1)]),
];
const UPOS: Readonly<Record<string, string[]>> = {
  ...{ verb: ["VERB"], noun: ["NOUN", "ADJ"] },
  ...{ noun_prop: ["PROPN"], adv: ["ADV", "NOUN"] },
};
const uposOf = (pos: string): string[] => UPOS[pos] ?? [];

/** Weights of which any two sequences of labels have another sum. */
function weightsOf(seed: number): Float32Array {
  return Float32Array.from({ length: 1 << 14 }, (_, i) => Math.sin((i + 1) * 12.9898 + seed * 78.233) * 4);
}

/** Every sequence of one label for each word. */
function sequences<T>(choices: readonly (readonly T[])[]): T[][] {
  return choices.reduce<T[][]>((all, next) => all.flatMap((head) => next.map((each) => [...head, each])), [[]]);
}

test("of all sequences of labels the one of the greatest weight is taken", () => {
  for (let seed = 0; seed < 20; seed++) {
    const weights = weightsOf(seed);
    const labels = words.map((each) => prepare(each, uposOf, weights));
    const weightOf = (sequence: (typeof labels)[number]): number =>
      weigh(Uint32Array.from(featuresOf(words, sequence)), weights);
    const best = sequences(labels).reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
    expect(decode(words, labels, weights).map(({ label }) => label)).toEqual(best.map(({ label }) => label));
  }
});

test("weights that were learned since the labels were prepared count where they are asked for afresh", () => {
  const [before, now] = [weightsOf(1), weightsOf(2)];
  const prepared = words.map((each) => prepare(each, uposOf, before));
  const expected = decode(
    words,
    words.map((each) => prepare(each, uposOf, now)),
    now,
  );
  const fresh = decode(words, prepared, now, { fresh: true });
  expect(fresh.map(({ label }) => label)).toEqual(expected.map(({ label }) => label));
});

test("a label is a candidate with each universal part of speech that it can stand for, of the first dozen", () => {
  expect(
    prepare(words[0] ?? word("", []), uposOf).map(({ label: { candidate: own, upos } }) => [own.pos, upos]),
  ).toEqual([
    ["verb", "VERB"],
    ["noun", "NOUN"],
    ["noun", "ADJ"],
  ]);
  const many = word(
    "كلمة",
    Array.from({ length: 40 }, (_, i) => candidate(`كلمة${i}`, "verb", i)),
  );
  expect(prepare(many, uposOf)).toHaveLength(12);
});

test("no words have no labels", () => {
  expect(decode([], [], weightsOf(0))).toEqual([]);
});
