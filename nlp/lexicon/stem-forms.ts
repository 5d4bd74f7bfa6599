/** The kinds of word that a stem can be, each a bit: which affixes it takes. */
export const KINDS = {
  masculine: 1,
  feminine: 2,
  masculineDual: 4,
  feminineDual: 8,
  masculinePlural: 16,
  femininePlural: 32,
  perfect: 64,
  imperfect: 128,
  proper: 256,
  other: 512,
} as const;
export type Kind = keyof typeof KINDS;

const NOMINAL: readonly (readonly [string, Kind])[] = [
  ["MS", "masculine"],
  ["FS", "feminine"],
  ["MD", "masculineDual"],
  ["FD", "feminineDual"],
  ["MP", "masculinePlural"],
  ["FP", "femininePlural"],
];

/** The kinds of a noun or adjective by its `COND-T` in the lexicon; all of them when it names none. */
export function kindsOf(condition: string): number {
  const codes = condition.split(/\|\||\s/);
  const mask = NOMINAL.reduce((sum, [code, kind]) => (codes.includes(code) ? sum | KINDS[kind] : sum), 0);
  return mask === 0 ? 63 : mask;
}

/** The letters between a stem that ends in a weak letter or hamza and its endings, by class of the stem (`COND-S`). */
const ENDINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/#a[YA]-Ap-[yw]/, ["ى", "ا", "و", ""]],
  [/#ap-w/, ["", "و"]],
  [/#A'-w/, ["ء", "ئ", "ؤ", "", "و"]],
  [/#A'/, ["ء", "ئ", "ؤ", ""]],
  [/#A\}iy/, ["ئي", "ء"]],
  [/#iy/, ["ي", ""]],
  [/#aA/, ["ا", ""]],
  [/#a>/, ["أ", "ئ", "ؤ", ""]],
  [/#w'|#o'/, ["ء", "ئ", "ؤ", ""]],
  [/#-ay/, ["ى", "ا", ""]],
  [/#-aw/, ["ا", "و", ""]],
  [/#-iy/, ["ي", ""]],
  [/#-aY/, ["ى", "ا", ""]],
  [/#-uw/, ["و", ""]],
  [/#-a>/, ["أ", "ؤ", "ئ", ""]],
  [/#-A'/, ["اء", "ا", "اؤ", "ائ"]],
];

/** Returns what can stand between a stem of this class and its ending; one empty text for most stems. */
export function endings(condition: string): readonly string[] {
  return ENDINGS.find(([pattern]) => pattern.test(condition))?.[1] ?? [""];
}

/** The written forms of the passive of a hollow verb, which differ from those of the active (`يقول`, `يقال`). */
export function passiveForms(form: string, root: string, kind: string): string[] {
  if (!/^.[وي].$/.test(root)) return [];
  if (kind === "imperfect" && /.[وي].$/.test(form)) return [form.replace(/[وي](.)$/, "ا$1")];
  return kind === "perfect" && /.ا.$/.test(form) ? [form.replace(/ا(.)$/, "ي$1")] : [];
}
