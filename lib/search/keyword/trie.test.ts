import { expect, setDefaultTimeout, test } from "bun:test";
import { randomNumbers } from "./testing/random.ts";
import { FormTrie } from "./trie.ts";

setDefaultTimeout(300_000);

const random = randomNumbers(11);
const WORDS = [
  ...new Set(
    Array.from({ length: 3_000 }, () =>
      Array.from({ length: 2 + random(8) }, () => "abcdeابجد"[random(9)] ?? "a").join(""),
    ),
  ),
];
const trie = new FormTrie();
WORDS.forEach((word, i) => {
  trie.add(word, i + 1);
});

/** Returns how many edits two words are apart (optimal string alignment), computed plainly. */
function apart(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      const row = rows[i] ?? [];
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, i > 1 && j > 1 ? swapped : Infinity);
    }
  }
  return at(a.length, b.length);
}

test.each([1, 2])("words within %d edits are those that a plain comparison finds, no more and no fewer", (edits) => {
  for (let turn = 0; turn < 40; turn++) {
    const word = [...(WORDS[random(WORDS.length)] ?? "")];
    const place = random(word.length);
    if (turn % 4 === 0) word.splice(place, 2, ...word.slice(place, place + 2).reverse());
    else if (turn % 4 === 1) word.splice(place, 1);
    else word.splice(place, turn % 4 === 2 ? 1 : 0, "e");
    const sought = word.join("");
    const expected = WORDS.flatMap((each, i) => (apart(sought, each) <= edits ? [[i + 1, apart(sought, each)]] : []));
    const near = trie.within(sought, edits).map(({ form, edits }) => [form, edits]);
    const byForm = ([a = 0]: number[], [b = 0]: number[]) => a - b;
    expect(near.sort(byForm)).toEqual(expected);
  }
});

test("words are found by how they begin, all of them, whatever came between", () => {
  for (const prefix of ["a", "ab", "اب", "dead", "x"]) {
    const forms: number[] = [];
    trie.forEachBeginning(prefix, (form) => forms.push(form));
    const expected = WORDS.flatMap((word, i) => (word.startsWith(prefix) ? [i + 1] : []));
    expect(forms.sort((a, b) => a - b)).toEqual(expected);
  }
});

test("a trie that was written to disk finds the same, takes new words, and refuses columns that do not fit", () => {
  const restored = new FormTrie();
  restored.restore(trie.columns());
  restored.add("zebra", 9_999);
  expect(restored.within("zebar", 1)).toEqual([{ form: 9_999, edits: 1 }]);
  expect(restored.within("abca", 1).length).toBe(trie.within("abca", 1).length);
  const columns = { ...trie.columns(), forms: new Uint32Array(3) };
  expect(() => new FormTrie().restore(columns)).toThrow(RangeError);
});

test("what is too long to be a word is left out, and finds nothing", () => {
  const long = "a".repeat(30);
  trie.add(long, 5_000);
  expect(trie.within(long, 2)).toEqual([]);
});
