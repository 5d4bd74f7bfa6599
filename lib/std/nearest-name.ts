import { at } from "./at.ts";

const MAX_EDITS = 2;

/** Returns the one of `names` that `name` may be a slip of the pen for: at most two edits away, in either case. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .filter((each) => Math.abs(each.length - name.length) <= MAX_EDITS)
    .map((each) => ({ each, edits: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.each;
}

/** Levenshtein distance, in UTF-16 units (Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, at(row, j) + 1, at(next, j - 1) + 1));
    }
    row = next;
  }
  return at(row, b.length);
}
