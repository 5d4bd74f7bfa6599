/** The tokens that matter to what may follow. */
export type TokenRules = {
  /** The first time stamp, of 0 s; all tokens from there on are time stamps. */
  firstStamp: number;
  /** The end of a window; tokens below it are text. */
  end: number;
  noStamps: number;
  /** Tokens that are never put, and those that are not put first. */
  suppressed: readonly number[];
  suppressedFirst: readonly number[];
  /** The latest time stamp that a window may begin with, counted from the first. */
  latestFirst: number;
};

const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Takes from the logits of the next token what must not follow on `heard`, in place: time stamps come first, in pairs
 * and in order, and whenever all of them together are likelier than any text (`ApplyTimestampRules` of openai/whisper).
 */
export function applyRules(logits: Float32Array, heard: readonly number[], rules: TokenRules): void {
  const { firstStamp, end, noStamps, suppressed, suppressedFirst, latestFirst } = rules;
  for (const token of suppressed) logits[token] = NEVER;
  logits[noStamps] = NEVER;
  const isStamp = (token: number | undefined): boolean => token === undefined || token >= firstStamp;
  const endsInStamp = heard.length > 0 && isStamp(heard.at(-1));
  const endsInPair = endsInStamp && isStamp(heard.at(-2));
  if (endsInPair) logits.fill(NEVER, firstStamp);
  else if (endsInStamp) logits.fill(NEVER, 0, end);
  const last = heard.findLast((token) => token >= firstStamp);
  // A stretch of text has some length.
  if (last !== undefined) logits.fill(NEVER, firstStamp, endsInStamp && !endsInPair ? last : last + 1);
  if (heard.length === 0) {
    for (const token of suppressedFirst) logits[token] = NEVER;
    logits.fill(NEVER, 0, firstStamp);
    logits.fill(NEVER, firstStamp + latestFirst + 1);
    return;
  }
  let [text, stamp] = [NEVER, NEVER];
  for (let token = 0; token < firstStamp; token++) text = Math.max(text, logits[token] ?? NEVER);
  for (let token = firstStamp; token < logits.length; token++) stamp = Math.max(stamp, logits[token] ?? NEVER);
  let stamps = 0;
  if (stamp > NEVER)
    for (let token = firstStamp; token < logits.length; token++) stamps += Math.exp((logits[token] ?? NEVER) - stamp);
  if (stamp + Math.log(stamps) > text) logits.fill(NEVER, 0, firstStamp);
}
