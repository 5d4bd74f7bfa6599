import type { NestedText } from "@isnad/lib/models";

/** BIO tags of each token, the outermost entity's first; empty for a token in no entity. */
export function tagsOf({ tokens, entities }: NestedText): string[][] {
  const tags: string[][] = tokens.map(() => []);
  let from = 0;
  for (const { type, start, end } of entities) {
    while (from < tokens.length && (tokens[from]?.end ?? 0) <= start) from++;
    for (let i = from; i < tokens.length && (tokens[i]?.start ?? end) < end; i++) {
      tags[i]?.push(`${i === from ? "B" : "I"}-${type}`);
    }
  }
  return tags;
}
