/** Keys that lie beside each other, by rows of the keyboards for English and Arabic; letters are in normal form. */
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm", "ضصثقفغعهخحجد", "شسيبلاتنمكط", "ئءؤرىهوزظ"];

/** Letters that are written for one another because they look or sound alike, or are one letter of another spelling. */
const ALIKE = "يئ هت ضظ ذز دذ سص تط ثس ثت حخ جخ ءا ؤو ئء قك غع صض طظ زر ei ie ck sz sc gj vw fv yi ao";

/** Costs of kinds of edits: `missing`, `extra` and `changed` of any letter; the others of likelier slips. */
const COSTS = {
  ...{ missing: 0.4, extra: 1.3, changed: 1.6 },
  ...{ alike: 0.5, beside: 0.7, doubled: 0.6, swapped: 0.4 },
  /** Times that a vowel counts that is missing or too much. */
  vowel: 0.7,
  /** Added for another first letter. */
  first: 0.3,
};

/** Vowels of Arabic that are written or not, and of English, which are mistaken most. */
const VOWELS = new Set("اويaeiou");

const pairs = (words: string): Set<string> => new Set(words.split(" ").flatMap(([a = "", b = ""]) => [a + b, b + a]));
const alike = pairs(ALIKE);
const beside = new Set(
  ROWS.flatMap((row, r) =>
    [...row].flatMap((key, i) => {
      const near = [row[i + 1], ROWS[r % 3 < 2 ? r + 1 : r]?.[i - 1], ROWS[r % 3 < 2 ? r + 1 : r]?.[i]];
      return near.flatMap((other) => (other === undefined || other === key ? [] : [key + other, other + key]));
    }),
  ),
);

function changed(a: string, b: string): number {
  if (a === b) return 0;
  if (alike.has(a + b)) return COSTS.alike;
  return beside.has(a + b) ? COSTS.beside : COSTS.changed;
}

/** Returns the cost of a letter of `word` at `i` that the other word has not, where any such letter costs `cost`. */
function single(word: string, i: number, cost: number): number {
  if (word[i] === word[i - 1] || word[i] === word[i + 1]) return Math.min(cost, COSTS.doubled);
  return VOWELS.has(word[i] ?? "") ? cost * COSTS.vowel : cost;
}

/**
 * Returns how unlikely it is that `written` is a slip for `meant`: edits, of which those that fingers and spelling
 * make (letters left out, swapped or doubled, neighbouring keys, letters that look alike) cost less, and one of the
 * first letter more.
 */
export function editCost(written: string, meant: string): number {
  const width = meant.length + 1;
  const costs = new Float64Array((written.length + 1) * width);
  const at = (i: number, j: number): number => costs[i * width + j] ?? 0;
  for (let i = 0; i <= written.length; i++) {
    for (let j = 0; j <= meant.length; j++) {
      if (i + j === 0) continue;
      let least = Number.POSITIVE_INFINITY;
      if (i > 0) least = Math.min(least, at(i - 1, j) + single(written, i - 1, COSTS.extra));
      if (j > 0) least = Math.min(least, at(i, j - 1) + single(meant, j - 1, COSTS.missing));
      if (i > 0 && j > 0) least = Math.min(least, at(i - 1, j - 1) + changed(written[i - 1] ?? "", meant[j - 1] ?? ""));
      if (i > 1 && j > 1 && written[i - 1] === meant[j - 2] && written[i - 2] === meant[j - 1]) {
        least = Math.min(least, at(i - 2, j - 2) + COSTS.swapped);
      }
      costs[i * width + j] = least;
    }
  }
  return at(written.length, meant.length) + (written[0] === meant[0] ? 0 : COSTS.first);
}
