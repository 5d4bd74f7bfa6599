/**
 * Whether a path, with its query, begins with what a pattern of RFC 9309 says: `*` stands for anything, `$` at the end
 * for the end. Both in the form of {@link normalisePath}. Matches greedily, in time proportional to the path for each
 * piece of the pattern.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).split("*");
  const first = pieces[0] ?? "";
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const index = path.indexOf(piece, at);
    if (index < 0) return false;
    at = index + piece.length;
  }
  if (pieces.length === 1) return !anchored || at === path.length;
  const last = pieces.at(-1) ?? "";
  return anchored ? path.endsWith(last) && path.length - last.length >= at : path.indexOf(last, at) >= 0;
}

/** Percent-encodes what needs it and brings the rest into one form, so that `/ä` and `/%C3%A4` are the same. */
export function normalisePath(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[a-z0-9._~-]/i.test(char) ? char : code.toUpperCase();
    })
    .replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}
