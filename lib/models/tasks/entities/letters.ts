const MARK = /[\p{M}\u0640\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** UTF-16 units that the first letters of a word take with their marks. */
export function unitsOf(word: string, letters: number): number {
  let seen = 0;
  for (let i = 0; i < word.length; i++) {
    if (MARK.test(word[i] ?? "")) continue;
    if (seen === letters) return i;
    seen++;
  }
  return word.length;
}
