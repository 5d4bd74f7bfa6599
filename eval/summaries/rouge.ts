import { fold } from "@isnad/lib/text";

/** F1 of a summary against a reference: single words, pairs of words, longest common subsequence. */
export type Rouge = { rouge1: number; rouge2: number; rougeL: number };

/** ROUGE of Lin (2004) over folded words, without stemming. */
export function rouge(summary: string, reference: string): Rouge {
  const [made, wanted] = [rougeWords(summary), rougeWords(reference)];
  return {
    rouge1: overlap(made, wanted, 1),
    rouge2: overlap(made, wanted, 2),
    rougeL: f1(commonLength(made, wanted), made.length, wanted.length),
  };
}

/** The words that are compared. */
function rougeWords(text: string): string[] {
  return (
    fold(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

function overlap(made: readonly string[], wanted: readonly string[], size: number): number {
  const grams = gramsOf(wanted, size);
  let common = 0;
  for (const [gram, count] of gramsOf(made, size)) common += Math.min(count, grams.get(gram) ?? 0);
  return f1(common, made.length - size + 1, wanted.length - size + 1);
}

function gramsOf(words: readonly string[], size: number): Map<string, number> {
  const grams = new Map<string, number>();
  for (let i = 0; i + size <= words.length; i++) {
    const gram = words.slice(i, i + size).join(" ");
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}

/** Length of the longest common subsequence. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const word of a) {
    const next = new Uint32Array(b.length + 1);
    for (let j = 1; j <= b.length; j++) {
      next[j] = b[j - 1] === word ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function f1(common: number, made: number, wanted: number): number {
  return common === 0 ? 0 : (2 * common) / (made + wanted);
}
