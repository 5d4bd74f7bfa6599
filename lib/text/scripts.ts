const NUMBER = /^[+\-−–]?\p{Nd}{1,4}$/u;
const RAISED = [..."⁰¹²³⁴⁵⁶⁷⁸⁹"];

/**
 * Returns how a number in `<sup>` or `<sub>` is written in plain text behind what stands before it, so that the two do
 * not make another number: `10^6`, `1010_2`, `m²`. Undefined for another text, and where nothing is to be told apart,
 * as in `CO2` and `21st`.
 */
export function scriptText(tag: string, inner: string, before: string): string | undefined {
  const text = inner.trim();
  if ((tag !== "sup" && tag !== "sub") || !NUMBER.test(text)) return undefined;
  const isBehindDigit = /\p{Nd}$/u.test(before);
  if (tag === "sub") return isBehindDigit ? `_${text}` : undefined;
  if (isBehindDigit) return `^${text}`;
  return text
    .replace(/\p{Nd}/gu, (digit) => RAISED[digitValue(digit)] ?? digit)
    .replace(/[-−–]/, "⁻")
    .replace("+", "⁺");
}

/** The decimal digits of a script stand in a row from zero on. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--;
  return code - zero;
}
