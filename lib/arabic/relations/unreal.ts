import type { ReWord } from "./words.ts";

/** Words that make of the verb or noun behind them what did not happen, or might happen. */
const BEFORE = new Set(
  "لم لن لا لو لولا هل ربما لعل ليت كاد يكاد كادت تكاد اذا عدم دون بدون نفي ينفي نفت تنفي انكر انكرت الغي الغت الغاء".split(
    " ",
  ),
);

/** Verbs of failing, where `في` stands between them and what failed. */
const FAILED = new Set(["فشل", "اخفق"]);

/** What stands before `أن` with a verb that tells what happens all the same. */
const REAL_BEFORE_AN = new Set(["قبل", "بعد", "منذ", "قرر"]);

/**
 * Whether the words before a word say that what it names is denied, asked, supposed, wished for or failed: negation and
 * the like directly before it, `قد` or `أن` before an imperfect verb.
 */
export function isUnreal(words: readonly ReWord[], place: number): boolean {
  const [word, previous, second] = [words[place], words[place - 1], words[place - 2]];
  if (word === undefined || previous === undefined) return false;
  const particle = withoutConjunction(previous);
  if (BEFORE.has(particle)) return true;
  if (particle === "في" && FAILED.has(second?.lemma ?? "")) return true;
  if (word.pos !== "VERB" || word.aspect !== "i") return false;
  return particle === "قد" || (particle === "ان" && !REAL_BEFORE_AN.has(second?.lemma ?? ""));
}

function withoutConjunction({ form, clitics }: ReWord): string {
  return /^[وف]/u.test(clitics) ? form.slice(1) : form;
}
