const CONTROLS = /(?:(?![\s\u0085])\p{Cc})+/gu;
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const MARKS = /[\u061c\u200e\u200f]/g;

/**
 * A text without control characters (one between two letters becomes a space) and without the characters that open or
 * close a direction of their own (bidirectional embeddings, overrides and isolates): one that is left open turns the
 * text behind it round wherever it is shown. White space, joiners and direction marks stay.
 */
export function withoutControls(text: string): string {
  return text.replace(DIRECTIONS, "").replace(CONTROLS, (run, at: number, whole: string) => {
    const isBetween = /\S/.test(whole.charAt(at - 1)) && /\S/.test(whole.charAt(at + run.length));
    return isBetween ? " " : "";
  });
}

/** A title or name without what {@link withoutControls} drops and without direction marks. */
export function withoutMarks(text: string): string {
  return withoutControls(text).replace(MARKS, "");
}
