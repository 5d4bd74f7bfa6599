import { expect, test } from "bun:test";
import { type Asked, conditionsOf, holds, undecided, union } from "./lexicon.ts";
import { type Affix, beginnings, completions, createSpellers, products, rowOf } from "./rules.ts";
import { encliticsOf, guessedProclitics } from "./clitics.ts";

const CONDITIONS = 40;
const NOTHING = conditionsOf([], CONDITIONS);

const affix = (form: string, asks: Asked, brings: readonly number[]): Affix => ({
  ...{ form, letters: form.replace(/[aiu]/g, ""), asks, features: {} },
  brings: conditionsOf(brings, CONDITIONS),
});

/** Three places; -1 minus a number is a condition that must not be brought. */
const LISTS: readonly (readonly Affix[])[] = [
  [affix("", [], []), affix("t", [[1]], [2]), affix("ta", [[-4]], [35])],
  [affix("", [[-3]], []), affix("n", [[2, 35]], [3]), affix("nu", [[-36], [0]], [])],
  [affix("", [], [4]), affix("h", [[3, -36]], []), affix("tn", [[1], [4, -1]], [])],
];

test("what stands after a stem is what is left of all combinations when the conditions are judged", () => {
  const row = rowOf(LISTS, createSpellers());
  const all = products(LISTS);
  const stems = [[], [0], [1], [0, 1, 3]].flatMap((brings) =>
    [[], [[2]], [[-36], [3, 4]]].map((asks) => ({ asks, brings: conditionsOf(brings, CONDITIONS) })),
  );
  let joined = 0;
  for (const stem of stems) {
    const begun = beginnings(stem, row);
    for (const letters of new Set(["x", ...all.map((each) => each.letters)])) {
      const expected = all.filter(
        ({ letters: own, asks, brings }) => own === letters && holds([...stem.asks, ...asks], [stem.brings, brings]),
      );
      expect(completions(begun, row, letters).map(({ form }) => form)).toEqual(expected.map(({ form }) => form));
      expect(row.spells(letters)).toBe(all.some(({ letters: own }) => own === letters));
      joined += expected.length;
    }
  }
  expect(joined).toBeGreaterThan(20);
});

test("a stem that nothing can follow stands alone where its own conditions hold", () => {
  const row = rowOf([], createSpellers());
  const alone = (asks: Asked): number =>
    completions(beginnings({ asks, brings: conditionsOf([1], CONDITIONS) }, row), row, "").length;
  expect([alone([]), alone([[1]]), alone([[2]]), alone([[-2]])]).toEqual([1, 1, 0, 0]);
});

test("a clause is left open while what can still be brought decides it", () => {
  const [one, two] = [conditionsOf([1], CONDITIONS), conditionsOf([2], CONDITIONS)];
  expect(undecided([[1], [-3]], one, NOTHING)).toEqual([]);
  expect(undecided([[2], [-3, 1]], one, two)).toEqual([[2]]);
  expect(undecided([[-3]], one, two)).toEqual([[-3]]);
  expect(undecided([[-2]], one, two)).toBeUndefined();
  expect(undecided([[3]], one, two)).toBeUndefined();
  expect([...union(one, two)]).toEqual([...conditionsOf([1, 2], CONDITIONS)]);
});

test.each([
  ["وبال", ["وَ", "بِ", "ال"]],
  ["فلل", ["فَ", "لِ", "ال"]],
  ["ك", ["كَ"]],
  ["ال", ["ال"]],
  ["", []],
])("the letters %p before a word that no lexicon has are the clitics %p", (before, forms) => {
  expect(guessedProclitics(before).map(({ form }) => form)).toEqual(forms);
});

test("the pronoun of the first person is نِي after a verb and ي after a noun", () => {
  expect(encliticsOf({ enc0: "1s_dobj" })).toEqual([{ form: "نِي", type: "dobj" }]);
  expect(encliticsOf({ enc0: "1s_poss" })).toEqual([{ form: "ِي", type: "poss" }]);
});
