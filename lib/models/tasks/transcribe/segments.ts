import { at } from "../../../std/mod.ts";
import type { TokenRules } from "./timestamp-rules.ts";

/** Tokens between two times, in positions of the encoder from the window's beginning. */
export type Stretch = { start: number; end: number; tokens: readonly number[] };

/**
 * Cuts what was heard in a window of `length` positions where two time stamps meet. `advance` says where the next
 * window begins: at the last such place, since what follows it may have been cut off, or behind this one
 * (`transcribe` of openai/whisper).
 */
export function cutWindow(
  tokens: readonly number[],
  length: number,
  { firstStamp }: Pick<TokenRules, "firstStamp">,
): { stretches: Stretch[]; advance: number } {
  const isStamp = tokens.map((token) => token >= firstStamp);
  const position = (place: number): number => at(tokens, place) - firstStamp;
  const cuts = tokens.flatMap((_, i) => (i > 0 && isStamp[i] && isStamp[i - 1] ? [i] : []));
  const endsInOne = isStamp.at(-1) === true && isStamp.at(-2) === false;
  if (cuts.length === 0) {
    const last = tokens.findLast((token) => token > firstStamp);
    const end = last === undefined ? length : last - firstStamp;
    return { stretches: [{ start: 0, end, tokens }], advance: length };
  }
  if (endsInOne) cuts.push(tokens.length);
  const stretches = cuts.map((cut, i): Stretch => {
    const from = i === 0 ? 0 : at(cuts, i - 1);
    return { start: position(from), end: position(cut - 1), tokens: tokens.slice(from, cut) };
  });
  const last = position(at(cuts, cuts.length - 1) - 1);
  return { stretches, advance: endsInOne ? length : Math.max(1, Math.min(last, length)) };
}
