/** Arabic letters in normal form by the Latin ones that they are written with; weak letters are vowels. */
const ARABIC: Readonly<Record<string, string>> = {
  ...{ ا: "a", ب: "b", ت: "t", ث: "t", ج: "j", ح: "h", خ: "k", د: "d", ذ: "z", ر: "r", ز: "z", س: "s", ش: "S" },
  ...{ ص: "s", ض: "d", ط: "t", ظ: "z", ع: "a", غ: "g", ف: "f", ق: "k", ك: "k", ل: "l", م: "m", ن: "n", ه: "h" },
  ...{ و: "o", ي: "i", ء: "a", ئ: "i", ؤ: "o" },
};

/** Spellings of one sound in Latin letters, in the order in which they are replaced. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/sch|tch|sh|ch/g, "S"],
  [/ph/g, "f"],
  [/th/g, "t"],
  [/kh/g, "k"],
  [/gh/g, "g"],
  [/ck/g, "k"],
  [/x/g, "ks"],
  [/c(?=[eiy])/g, "s"],
  [/dj/g, "j"],
  [/wr/g, "r"],
  [/tz/g, "ts"],
];

/** Consonants that are taken for one another in the key; what is missing here is not heard. */
const CLASSES: Readonly<Record<string, string>> = {
  ...{ b: "b", p: "b", t: "t", d: "d", g: "g", j: "g", k: "k", q: "k", c: "k", S: "k", s: "s", z: "s" },
  ...{ r: "r", f: "f", v: "f", l: "l", m: "m", n: "n" },
};

const VOWELS = "aeiouwy";
const NEAR: ReadonlySet<string> = new Set(
  [
    "ou",
    "ow",
    "uw",
    "ie",
    "iy",
    "ei",
    "ey",
    "ae",
    "ov",
    "bp",
    "fv",
    "gj",
    "kq",
    "kc",
    "sc",
    "ao",
    "sz",
    "Sk",
    "aw",
  ].flatMap(([a = "", b = ""]) => [a + b, b + a]),
);

const IS_ARABIC = /\p{Script=Arabic}/u;
const ARTICLE = /^ال(?=...)/u;

/** A word in normal form as it sounds, in Latin letters: an Arabic one without its article, a Latin one respelled. */
export function romanised(form: string): string {
  if (!IS_ARABIC.test(form)) return SPELLINGS.reduce((word, [spelling, sound]) => word.replace(spelling, sound), form);
  let word = "";
  for (const letter of form.replace(ARTICLE, "").replaceAll("تش", "ش")) word += ARABIC[letter] ?? "";
  return word;
}

/**
 * A key of a word in normal form that names share across scripts: its consonants in classes, each once where it is
 * doubled. Empty for words of fewer than two, which too many words would share, and for what is no word.
 */
export function soundKey(form: string): string {
  let key = "";
  for (const letter of romanised(form)) {
    const consonant = CLASSES[letter] ?? "";
    if (!key.endsWith(consonant) || key === "") key += consonant;
  }
  return key.length < 2 ? "" : key;
}

const isVowel = (letter: string): boolean => VOWELS.includes(letter);

/**
 * How far two words are apart as they sound ({@link romanised}): edits, of which those of vowels and of h cost little,
 * because Arabic leaves the short ones out, over the letters of the longer one.
 */
export function soundDistance(a: string, b: string): number {
  const light = (letter: string) => isVowel(letter) || letter === "h";
  let row = [0];
  for (const [j, y] of [...b].entries()) row.push((row[j] ?? 0) + (light(y) ? 0.25 : 1));
  for (const x of a) {
    const drop = light(x) ? 0.35 : 1;
    const before = row;
    row = [(before[0] ?? 0) + drop];
    for (let j = 0; j < b.length; j++) {
      const y = b[j] ?? "";
      const change = x === y ? 0 : NEAR.has(x + y) ? 0.2 : isVowel(x) && isVowel(y) ? 0.4 : 1;
      const add = light(y) ? 0.25 : j > 0 && y === b[j - 1] ? 0.15 : 1;
      row.push(Math.min((before[j] ?? 0) + change, (before[j + 1] ?? 0) + drop, (row[j] ?? 0) + add));
    }
  }
  return (row.at(-1) ?? 0) / Math.max(1, a.length, b.length);
}
