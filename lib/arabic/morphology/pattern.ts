const RADICALS = ["ف", "ع", "ل", "ل", "ل"];

/** What patterns begin with, longest first; a letter of it may be a radical all the same (مُنتَخَب, مَلِك). */
const PREFIXES = ["است", "مست", "ان", "من", "مت", "ا", "أ", "م", "ت", ""].map(
  (letters) => new RegExp(`^${[...letters].map((letter) => `${letter}\\p{M}*`).join("")}`, "u"),
);

/**
 * The pattern of a vowelled word: its root's letters replaced by ف ع ل (مَكتُوب of ك ت ب: مَفعُول); `undefined` where
 * the root's letters are not all found in order, as in weak roots. They are looked for behind the longest prefix that
 * has all of them behind it: مُمكِن of م ك ن is مُفعِل.
 */
export function patternOf(word: string, root: string): string | undefined {
  if (root.length < 3) return undefined;
  for (const prefix of PREFIXES) {
    const before = prefix.exec(word)?.[0];
    const stem = before === undefined ? undefined : stemPattern(word.slice(before.length), root);
    if (stem !== undefined) return `${before}${stem}`;
  }
  return undefined;
}

function stemPattern(stem: string, root: string): string | undefined {
  let pattern = "";
  let place = 0;
  for (const letter of stem) {
    const radical = /[أإآؤئ]/u.test(letter) ? "ء" : letter;
    if (place < root.length && radical === root[place]) {
      pattern += RADICALS[place] ?? "ل";
      place++;
    } else pattern += letter;
  }
  return place === root.length ? pattern : undefined;
}
