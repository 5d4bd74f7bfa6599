const SURROGATE = /[\ud800-\udfff]/;

/** Length of `s` in code points; a lone surrogate counts as one. */
export function codePointLength(s: string): number {
  if (!SURROGATE.test(s)) return s.length;
  let length = 0;
  for (let i = 0; i < s.length; i += unitsAt(s, i)) length++;
  return length;
}

/** `s` from code point `start` to `end` (exclusive; default: the end). Offsets beyond the text are cut to it. */
export function codePointSlice(s: string, start: number, end = Number.POSITIVE_INFINITY): string {
  if (!SURROGATE.test(s)) return s.slice(Math.max(0, start), Math.max(0, end));
  const from = codePointToUnit(s, start);
  return s.slice(from, from + codePointToUnit(s.slice(from), end - Math.max(0, start)));
}

/** What gives slices of `s`, as {@link codePointSlice} does; many cost one pass over the text in all. */
export function codePointSlicer(s: string): (start: number, end: number) => string {
  if (!SURROGATE.test(s)) return (start, end) => s.slice(Math.max(0, start), Math.max(0, end));
  const points = [...s];
  return (start, end) => points.slice(Math.max(0, start), Math.max(0, end)).join("");
}

/** The UTF-16 offset of code point `offset` in `s`, cut to the text. */
export function codePointToUnit(s: string, offset: number): number {
  if (!SURROGATE.test(s)) return Math.min(Math.max(0, offset), s.length);
  let unit = 0;
  for (let n = 0; n < offset && unit < s.length; n++) unit += unitsAt(s, unit);
  return unit;
}

/**
 * A converter of UTF-16 offsets in `s` to code point offsets. Offsets that never decrease from call to call cost one
 * pass over the text in all; a smaller one starts again.
 */
export function unitToCodePoint(s: string): (unit: number) => number {
  if (!SURROGATE.test(s)) return (unit) => Math.min(unit, s.length);
  let unit = 0;
  let point = 0;
  return (target) => {
    if (target < unit) unit = point = 0;
    while (unit < target && unit < s.length) {
      unit += unitsAt(s, unit);
      point++;
    }
    return point;
  };
}

function unitsAt(s: string, i: number): 1 | 2 {
  return (s.charCodeAt(i) & 0xfc00) === 0xd800 && (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}
