/** Exact-span scores over a set: how many entities there are, how many were found, and how many of these are right. */
export type SpanScores = {
  f1: number;
  precision: number;
  recall: number;
  wanted: number;
  found: number;
  right: number;
};

/** Start, end (exclusive) and type of each entity of a sentence of BIO tags, as one text each. */
export function spanKeys(tags: readonly string[]): Set<string> {
  const keys = new Set<string>();
  let start = -1;
  [...tags, "O"].forEach((tag, i) => {
    const type = start < 0 ? "" : (tags[start]?.slice(2) ?? "");
    if (start >= 0 && tag === `I-${type}`) return;
    if (start >= 0) keys.add(`${start}-${i}-${type}`);
    start = tag === "O" ? -1 : i;
  });
  return keys;
}

/** Micro-averaged precision, recall and F1 of exact spans with their types, as CoNLL-2003 counted them. Only spans of
 * `type`, where it is given. */
export function scoreSpans(
  gold: readonly (readonly string[])[],
  found: readonly (readonly string[])[],
  type?: string,
): SpanScores {
  const counted = (tags: readonly string[]) =>
    [...spanKeys(tags)].filter((key) => type === undefined || key.endsWith(`-${type}`));
  let goldCount = 0;
  let made = 0;
  let right = 0;
  gold.forEach((tags, i) => {
    const want = new Set(counted(tags));
    const have = counted(found[i] ?? []);
    goldCount += want.size;
    made += have.length;
    right += have.filter((key) => want.has(key)).length;
  });
  const precision = made === 0 ? 0 : right / made;
  const recall = goldCount === 0 ? 0 : right / goldCount;
  const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { f1, precision, recall, wanted: goldCount, found: made, right };
}
