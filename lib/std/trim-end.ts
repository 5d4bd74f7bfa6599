/**
 * Returns the text without the characters at its end that `character` matches, a pattern of one code point without the
 * flags g and y. Takes time with what it removes, where `[…]+$` takes it with the square of each run within the text.
 */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const start = Math.max(0, end - (isPair(text, end - 2) ? 2 : 1));
    if (!character.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}
