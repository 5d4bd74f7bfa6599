import { sentenceUnits } from "../../../text/sentences.ts";

/** UTF-16 units of a piece, at most: no model's longest sequence is passed, not even by a token for every letter. */
export const LONGEST_PIECE = 400;

/** A text in pieces that are translated one by one, and what stands between them: one more than there are pieces. */
export type CutText = { pieces: string[]; between: string[] };

/**
 * Cuts a text into its sentences, and a sentence that is too long at a blank, after a comma or semicolon where there is
 * one in its second half. White space between sentences, line feeds among it, is kept.
 */
export function cutText(text: string): CutText {
  const pieces: string[] = [];
  const between: string[] = [];
  let at = 0;
  for (const { start, end } of sentenceUnits(text).flatMap((span) => parts(text, span.start, span.end))) {
    between.push(text.slice(at, start));
    pieces.push(text.slice(start, end));
    at = end;
  }
  between.push(text.slice(at));
  return { pieces, between };
}

/** The text of pieces that were translated. */
export function joinText({ between }: Pick<CutText, "between">, pieces: readonly string[]): string {
  return between.map((gap, i) => gap + (pieces[i] ?? "")).join("");
}

function parts(text: string, start: number, end: number): { start: number; end: number }[] {
  const cut: { start: number; end: number }[] = [];
  let from = start;
  while (end - from > LONGEST_PIECE) {
    const to = from + cutAt(text.slice(from, from + LONGEST_PIECE));
    cut.push({ start: from, end: to });
    from = to;
    while (from < end && /\s/.test(text[from] ?? "")) from++;
  }
  if (from < end) cut.push({ start: from, end });
  return cut;
}

/** Where a stretch is cut: after its last pause, else at its last blank, else at its end but in no character. */
function cutAt(stretch: string): number {
  const pause = Math.max(...[",", ";", "\u060c", "\u061b", ":"].map((mark) => stretch.lastIndexOf(`${mark} `)));
  if (pause > stretch.length / 2) return pause + 1;
  const blank = stretch.search(/\s\S*$/);
  if (blank > 0) return blank;
  return /[\uD800-\uDBFF]$/.test(stretch) ? stretch.length - 1 : stretch.length;
}
