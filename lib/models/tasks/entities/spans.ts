import type { TagSpan } from "./chain.ts";

/** The spans in a sentence of BIO tags. An `I-` that follows no tag of its type begins a span. */
export function spansOf(tags: readonly string[]): Omit<TagSpan, "probability">[] {
  const spans: Omit<TagSpan, "probability">[] = [];
  let open: { type: string; start: number; end: number } | undefined;
  tags.forEach((tag, i) => {
    const type = tag.slice(2);
    if (tag.startsWith("I-") && open?.type === type) {
      open.end = i + 1;
      return;
    }
    open = tag === "O" ? undefined : { type, start: i, end: i + 1 };
    if (open !== undefined) spans.push(open);
  });
  return spans;
}
