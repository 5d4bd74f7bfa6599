import { sentences } from "@isnad/lib/text";

/** Returns numbers from 0 to 1, the same ones for a seed. After Steele and others (2014), splitmix. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let t = state ^ (state >>> 16);
    t = Math.imul(t, 0x21f0aaad);
    t ^= t >>> 15;
    t = Math.imul(t, 0x735a2d97);
    return ((t ^ (t >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Returns the same in another order. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const [a, b] = [mixed[i], mixed[j]];
    if (a === undefined || b === undefined) continue;
    mixed[i] = b;
    mixed[j] = a;
  }
  return mixed;
}

/** Holds the sources of the script: chance, and a text that has nothing to do with the one that is edited. */
type EditSource = { random: () => number; foreign: string };

/** Makes a text into a copy of itself. */
type Edit = (text: string, source: EditSource) => string;

const sentencesOf = (text: string): string[] => {
  const points = [...text];
  return sentences(text).map(({ start, end }) => points.slice(start, end).join(""));
};

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

const at = <T>(list: readonly T[], random: () => number): T | undefined => list[Math.floor(random() * list.length)];

/** Writes foreign sentences in place of a share of the words' worth of sentences. */
const sentencesReplaced =
  (part: number): Edit =>
  (text, { random, foreign }) => {
    const all = sentencesOf(text);
    const others = sentencesOf(foreign);
    const total = wordsOf(text).length;
    const order = shuffled([...all.keys()], random);
    let replaced = 0;
    for (const i of order) {
      const length = wordsOf(all[i] ?? "").length;
      if (replaced + length / 2 > part * total) continue;
      all[i] = at(others, random) ?? "";
      replaced += length;
    }
    return all.join(" ");
  };

/** Writes foreign words in place of a share of the words, one here and one there. */
const wordsReplaced =
  (part: number): Edit =>
  (text, { random, foreign }) => {
    const others = wordsOf(foreign);
    return wordsOf(text)
      .map((word) => (random() < part ? (at(others, random) ?? word) : word))
      .join(" ");
  };

const FORMS: readonly (readonly [string, string])[] = [
  ["أ", "ا"],
  ["إ", "ا"],
  ["آ", "ا"],
  ["ة", "ه"],
  ["ى", "ي"],
  ["ئ", "ء"],
  ["ؤ", "ء"],
  ["colour", "color"],
  ["favour", "favor"],
  ["labour", "labor"],
  ["isation", "ization"],
  ["ise ", "ize "],
  ["ised ", "ized "],
  ["centre", "center"],
  ["-", " "],
];

/** Spells a text as another desk does: letters, marks, tatweel, digits, case, quotes. */
const respelt: Edit = (text, { random }) => {
  let spelt = text;
  for (const [from, to] of FORMS) spelt = random() < 0.5 ? spelt.replaceAll(from, to) : spelt;
  spelt = spelt.replace(/["“”«»]/g, () => (random() < 0.5 ? "'" : ""));
  spelt = spelt.replace(/\d/g, (digit) =>
    /\p{Script=Arabic}/u.test(text) ? String.fromCharCode(0x660 + Number(digit)) : digit,
  );
  return wordsOf(spelt)
    .map((word) => {
      if (!/^\p{Script=Arabic}{4,}$/u.test(word)) return random() < 0.1 ? word.toUpperCase() : word;
      const middle = 1 + Math.floor(random() * (word.length - 2));
      const mark = random() < 0.2 ? "\u064e" : random() < 0.1 ? "\u0640" : "";
      return word.slice(0, middle) + mark + word.slice(middle);
    })
    .join(" ");
};

/** Holds closings of agencies and papers; none is of the data. */
const CLOSINGS = {
  ar: [
    "تابعوا آخر الأخبار المحلية والعالمية لحظة بلحظة عبر تطبيقنا الجديد المتاح مجانا على متاجر الهواتف الذكية، واشتركوا في نشرتنا البريدية لتصلكم أهم عناوين اليوم كل صباح.",
    "جميع الحقوق محفوظة لمؤسسة النشر ولا يجوز نقل هذا المحتوى أو إعادة نشره كليا أو جزئيا دون إذن كتابي مسبق من إدارة التحرير في المؤسسة.",
  ],
  en: [
    "Follow the latest news as it happens on our new application, which you can download for free from all stores, and sign up for our morning letter to get the best stories of the day in your inbox.",
    "All rights reserved by the publisher. This material may not be published, broadcast, rewritten or redistributed in whole or in part without written permission of the editors in chief.",
  ],
};

/** Returns what papers of the language of a text end theirs with. */
export const closingsOf = (text: string): readonly string[] =>
  /\p{Script=Arabic}/u.test(text) ? CLOSINGS.ar : CLOSINGS.en;

/** Lists the ways in which texts are taken over. */
export const EDITS: Record<string, Edit> = {
  whole: (text) => text,
  "first sentence cut": (text) => sentencesOf(text).slice(1).join(" "),
  "first third cut": (text) =>
    wordsOf(text)
      .slice(wordsOf(text).length / 3)
      .join(" "),
  "sentences 10 %": sentencesReplaced(0.1),
  "sentences 30 %": sentencesReplaced(0.3),
  "sentences 60 %": sentencesReplaced(0.6),
  "words 10 %": wordsReplaced(0.1),
  "words 30 %": wordsReplaced(0.3),
  brief: (text, { random }) => {
    const all = sentencesOf(text).filter((sentence) => wordsOf(sentence).length >= 8);
    const from = Math.floor(random() * Math.max(1, all.length - 1));
    return all.slice(from, from + 2).join(" ");
  },
  "paragraphs added": (text, { random, foreign }) => {
    const all = sentencesOf(text);
    const own = sentencesOf(foreign).slice(0, 4).join(" ");
    all.splice(Math.floor(random() * (all.length + 1)), 0, own);
    return all.join(" ");
  },
  moved: (text, { random }) => {
    const all = sentencesOf(text);
    const from = 1 + Math.floor(random() * Math.max(1, all.length - 1));
    return [...all.slice(from), ...all.slice(0, from)].join(" ");
  },
  spelling: respelt,
  "every ninth word": (text, { random, foreign }) => {
    const others = wordsOf(foreign);
    return wordsOf(text)
      .map((word, i) => (i % 9 === 8 ? (at(others, random) ?? word) : word))
      .join(" ");
  },
  "other ending": (text, { random }) => {
    const all = sentencesOf(text);
    return [...all.slice(0, Math.max(1, all.length - 1)), at(closingsOf(text), random) ?? ""].join(" ");
  },
};
