import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Asked,
  conditionsOf,
  createLexicon,
  holds,
  lemmaId,
  readTable,
  sealTables,
  TABLES,
  undecided,
  union,
} from "./lexicon.ts";

const LEMMAS = [
  "kitAb\tnoun\tكتب\tbook | letter\t152",
  "katab\tverb\tكتب\twrite\t160",
  "bayot\tnoun\tبيت\thouse\t140",
  "",
];
const STEMS = ["بيت\tbayot,2,2", "كتاب\tkitAb,1,0", "كتب\tkutub,a,0;katab,3,1", ""];
const PLACES = "حلب\t30\t2\nتعز\t9\t0";
const lexicon = createLexicon(LEMMAS.join("\n"), STEMS.join("\n"), PLACES);

test("a lemma has its form, part of speech, root, gloss and cost", () => {
  expect(lexicon.lemma(0)).toEqual({
    id: 0,
    form: "kitAb",
    pos: "noun",
    root: "كتب",
    gloss: "book | letter",
    cost: 15.2,
  });
});

test("a word has the stems that are written so, with the numbers of signature and lemma in base 36", () => {
  expect(lexicon.stems("كتب")).toEqual([
    { form: "kutub", signature: 10, lemma: 0 },
    { form: "katab", signature: 3, lemma: 1 },
  ]);
  expect(lexicon.stems("كتب")).toBe(lexicon.stems("كتب"));
  expect(lexicon.stems("بيت")).toHaveLength(1);
});

test("what is in no line has no stems: not a part of one, nor nothing", () => {
  for (const letters of ["كت", "كتابة", "", "kutub", "\t"]) expect(lexicon.stems(letters)).toEqual([]);
});

test("a lemma has all of its stems, also those that are written otherwise, and is found by its number", () => {
  expect(lexicon.stemsOf(lexicon.lemma(0)).map(({ form }) => form)).toEqual(["kitAb", "kutub"]);
  expect(lexicon.lemmaById(lemmaId(lexicon.lemma(1)))).toBe(lexicon.lemma(1));
  expect(lexicon.lemmaById(7)).toBeUndefined();
});

test("each of thousands of words has its own stems, each lemma its own number, and what is in no line has none", () => {
  const letters = [..."ابتثجحخدذرزسشصضطظعغفقكلمنهوي"];
  const word = (n: number): string =>
    [n % 28, Math.floor(n / 28) % 28, Math.floor(n / 784)].map((i) => letters[i]).join("");
  const count = 9_000;
  const numbers = Array.from({ length: count }, (_, n) => n);
  const many = createLexicon(
    numbers.map((n) => `f${n}\tnoun\t\tgloss ${n}\t${n % 300}`).join("\n"),
    numbers.map((n) => `${word(n)}\ts${n},1,${n.toString(36)};t${n},2,${(count - 1 - n).toString(36)}\n`).join(""),
  );
  expect(many.size).toBe(count);
  const wrong = numbers.filter((n) => {
    const [first, second] = many.stems(word(n));
    const lemma = many.lemma(n);
    const forms = many.stemsOf(lemma).map(({ form }) => form);
    return (
      first?.form !== `s${n}` ||
      second?.lemma !== count - 1 - n ||
      lemma.cost !== (n % 300) / 10 ||
      many.lemmaById(lemmaId(lemma))?.id !== n ||
      [...forms].sort().join() !== [`s${n}`, `t${count - 1 - n}`].sort().join()
    );
  });
  expect(wrong).toEqual([]);
  const absent = numbers.map((n) => word(n + count)).filter((each) => many.stems(each).length > 0);
  expect(absent).toEqual([]);
  expect(many.lemma(count)).toMatchObject({ form: "", gloss: "" });
});

test("the odds of a place are above 1 where it is meant more often than something else", () => {
  expect(lexicon.placeOdds("حلب")).toBeCloseTo(30.5 / 3, 9);
  expect(lexicon.placeOdds("تعز")).toBeCloseTo(9.5, 9);
  expect(lexicon.placeOdds("بيت")).toBeUndefined();
  expect(createLexicon("", "").placeOdds("حلب")).toBeUndefined();
});

test("a table that is cut short between two lines is damaged, and one that is missing is named", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-tables-"));
  try {
    cpSync(TABLES, folder, { recursive: true });
    const whole = readTable("lemmas.tsv", folder);
    const path = join(folder, "lemmas.tsv");
    writeFileSync(path, whole.slice(0, whole.indexOf("\n", whole.length / 2) + 1));
    expect(() => readTable("lemmas.tsv", folder)).toThrow(`${path} does not have the checksum`);
    expect(readTable("stems.tsv", folder)).toBe(readFileSync(join(TABLES, "stems.tsv"), "utf8"));
    sealTables(folder);
    expect(readTable("lemmas.tsv", folder).length).toBeLessThan(whole.length);
    rmSync(path);
    expect(() => readTable("lemmas.tsv", folder)).toThrow("lemmas.tsv");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the tables that ship are as they were built", () => {
  for (const name of ["lemmas.tsv", "places.tsv", "rules.json", "stems.tsv"] as const) readTable(name);
});

const SIZE = 70;
const set = (...numbers: number[]) => conditionsOf(numbers, SIZE);
/** What asks that a condition is not brought. */
const not = (number: number): number => -1 - number;

test("a clause holds where one of its literals does, and all clauses must", () => {
  expect(holds([], [])).toBe(true);
  expect(holds([[3, 65]], [set(1), set(65)])).toBe(true);
  expect(holds([[3, 65]], [set(1), set(2)])).toBe(false);
  expect(holds([[3], [65]], [set(3), set(65)])).toBe(true);
  expect(holds([[3], [65]], [set(3)])).toBe(false);
  expect(holds([[]], [set(3)])).toBe(false);
});

test("a negated literal holds where nobody brings its condition, number 0 and the last among them", () => {
  for (const number of [0, 31, 32, 63, 64, 69]) {
    expect(holds([[not(number)]], [set()])).toBe(true);
    expect(holds([[not(number)]], [set(), set(number)])).toBe(false);
    expect(holds([[number]], [set(number)])).toBe(true);
  }
});

test("a union has the conditions of both; one that adds nothing changes nothing", () => {
  const [small, large] = [set(1), set(1, 40, 69)];
  expect(union(small, set(69, 40))).toEqual(large);
  expect(union(large, small)).toBe(large);
  expect(union(conditionsOf([], 0), large)).toBe(large);
  expect(small).toEqual(set(1));
});

/** All sets of some of these numbers. */
function subsets(numbers: readonly number[]): number[][] {
  return numbers.reduce<number[][]>((all, number) => all.flatMap((each) => [each, [...each, number]]), [[]]);
}

test("what is decided early is what would have come out in the end, whatever is still brought", () => {
  const numbers = [0, 33, 69];
  const literals = numbers.flatMap((number) => [number, not(number)]);
  const clauses = [[], ...literals.map((each) => [each]), ...literals.map((each, i) => [each, literals[i - 1] ?? 0])];
  for (const asked of clauses.flatMap((one): Asked[] => clauses.map((other) => [one, other]))) {
    for (const now of subsets(numbers)) {
      for (const later of subsets(numbers)) {
        const left = undecided(asked, set(...now), set(...later));
        for (const more of subsets(later)) {
          const end = set(...now, ...more);
          const expected = holds(asked, [end]);
          expect(left !== undefined && holds(left, [end])).toBe(expected);
        }
      }
    }
  }
});
