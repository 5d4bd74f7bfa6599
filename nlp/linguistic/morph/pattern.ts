const RADICALS = ["ف", "ع", "ل", "ل", "ل"];

/**
 * The pattern of a vowelled word: its root's letters replaced by ف ع ل (مَكتُوب of ك ت ب: مَفعُول); `undefined` where
 * the root's letters are not all found in order, as in weak roots.
 */
export function patternOf(word: string, root: string): string | undefined {
  if (root.length < 3) return undefined;
  let pattern = "";
  let place = 0;
  for (const letter of word) {
    const radical = /[أإآؤئ]/u.test(letter) ? "ء" : letter;
    if (place < root.length && radical === root[place]) {
      pattern += RADICALS[place] ?? "ل";
      place++;
    } else pattern += letter;
  }
  return place === root.length ? pattern : undefined;
}
