import type { Features, Lemma, Lexicon } from "./lexicon.ts";
import type { WordRules } from "./rules.ts";
import { vowelled } from "./written-forms.ts";

/**
 * Holds what can stand behind stems without clitics, in normal form: feminine, weak and broken endings, sound plurals.
 */
const ENDINGS = ["", "ه", "ي", "ا", "و", "ء", "ون", "ات", "يات", "وات", "يون"];

/** Holds what stands before the forms that are listed: nothing, or the prefix of the third person. */
const PREFIXES = ["", "ي"];

/** The forms that a dictionary would list: of nouns, and of verbs the third person of perfect and imperfect. */
const LISTED: readonly Features[] = [
  { stt: "d", form_num: "s" },
  { stt: "d", form_num: "p" },
  { asp: "p", per: "3", gen: "m", num: "s" },
  { asp: "i", per: "3", gen: "m", num: "s", mod: "i" },
];

/** Case and mood, which forms in a list do not have. */
const LAST_VOWEL = /[\u064b-\u0650]$/u;

/** Holds what stands around a stem, in Buckwalter's transliteration. */
type Frame = { before: string; behind: string };

/**
 * Makes a function that tells the forms of a lemma with their vowels, without case, mood and clitics: singular,
 * feminine, broken and sound plurals; of a verb perfect and imperfect, passive as well. A word that is not inflected
 * has its stems.
 */
export function createLemmaForms(lexicon: Lexicon, rules: WordRules): (lemma: Lemma) => string[] {
  const known = new Map<number, Frame[]>();

  function framesOf(signature: number): Frame[] {
    const frames = known.get(signature) ?? listedFrames(signature, rules);
    known.set(signature, frames);
    return frames;
  }

  return (lemma) => {
    const stems = lexicon.stemsOf(lemma);
    const forms = stems.flatMap(({ form, signature }) =>
      framesOf(signature).map(({ before, behind }) => vowelled(before + form + behind).replace(LAST_VOWEL, "")),
    );
    return [...new Set(forms.length > 0 ? forms : stems.map(({ form }) => vowelled(form)))];
  };
}

function listedFrames(signature: number, rules: WordRules): Frame[] {
  const { features } = rules.signature(signature);
  const frames = ENDINGS.flatMap((letters) =>
    rules.endings(signature, letters).flatMap((ending) =>
      PREFIXES.flatMap((before) => rules.prefixes(ending.sequence, before))
        .filter((prefix) => isListed({ ...prefix.features, ...features, ...ending.features }))
        .filter((prefix) => rules.agree(prefix, signature, ending))
        .map(({ form }) => ({ before: form, behind: ending.form })),
    ),
  );
  return [...new Map(frames.map((frame) => [`${frame.before} ${frame.behind}`, frame])).values()];
}

function isListed({ cas = "n", ...features }: Features): boolean {
  const hasClitic = ["enc0", "prc0", "prc1", "prc2", "prc3"].some((name) => (features[name] ?? "0") !== "0");
  if (hasClitic || !/^[nu]$/.test(cas)) return false;
  return LISTED.some((listed) => Object.entries(listed).every(([name, value]) => features[name] === value));
}
