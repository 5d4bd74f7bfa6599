import type { Analysis } from "./analyse.ts";
import type { Ending, WordRules } from "./rules.ts";
import { bareForm, isContradicted, vowelled } from "./written-forms.ts";

/** A word of a sentence as it was read: its universal part of speech, and its analysis where the lexicon has it. */
type ReadWord = { token: string; upos: string; analysis: Analysis | undefined };

/**
 * Says what the place of a word in its sentence makes of it; what neither letters nor words around tell is left out.
 */
export type Inflection = {
  case?: "nom" | "acc" | "gen";
  state?: "def" | "indef" | "const";
  mood?: "ind" | "sub" | "jus";
  /** The word with its vowels, without that of a case which is unknown; undefined for one that the lexicon lacks. */
  diac?: string;
};

const CASES = { n: "nom", a: "acc", g: "gen" } as const;
const STATES = { d: "def", i: "indef", c: "const" } as const;
const MOODS = { i: "ind", s: "sub", j: "jus" } as const;
type Case = keyof typeof CASES;
type State = keyof typeof STATES;
type Mood = keyof typeof MOODS;

const isKey = <T extends object>(table: T, key: string | undefined): key is Extract<keyof T, string> =>
  key !== undefined && Object.hasOwn(table, key);

/** Holds what the rules know of a word while the words behind it are read. */
type Found = { cas: Case | undefined; stt: State | undefined };

/** Returns case, state, mood and vowels of the words of a sentence, by their letters and the words around. */
export function inflect(words: readonly ReadWord[], rules: WordRules): Inflection[] {
  const found: Found[] = [];
  return words.map((word, place) => {
    const { analysis } = word;
    if (analysis === undefined) {
      found.push({ cas: undefined, stt: undefined });
      return {};
    }
    const variants = variantsOf(word.token, analysis, rules);
    const { asp, cas } = analysis.features;
    const stt = cas === undefined ? undefined : stateOf(words, place);
    const wanted = {
      cas: cas === undefined ? undefined : caseOf(words, place, found),
      mod: asp === "i" ? moodOf(words, place) : undefined,
      stt,
    };
    const left = narrowed(narrowed(narrowed(variants, "stt", wanted.stt), "cas", wanted.cas), "mod", wanted.mod);
    const known = (name: string): string | undefined => {
      const values = new Set(left.map(({ features }) => features[name]));
      return values.size === 1 ? [...values][0] : undefined;
    };
    const own = cas === undefined ? undefined : known("cas");
    const mood = asp === "i" ? known("mod") : undefined;
    found.push({ cas: isKey(CASES, own) ? own : undefined, stt });
    return {
      ...(isKey(CASES, own) && { case: CASES[own] }),
      ...(stt !== undefined && { state: STATES[stt] }),
      ...(isKey(MOODS, mood) && { mood: MOODS[mood] }),
      diac: vowelled(utterable(analysis.prefix.form + analysis.stem.form + endingOf(left, analysis.ending), analysis)),
    };
  });
}

/** Endings that were found for an analysis: an analysis is one object as long as its word is kept. */
const cached = new WeakMap<Analysis, readonly Ending[]>();

/** Returns the endings that a reading can have where it is written so: they differ in case, mood and state. */
function variantsOf(token: string, analysis: Analysis, rules: WordRules): readonly Ending[] {
  let variants = cached.get(analysis);
  if (variants === undefined) {
    const { prefix, stem, ending } = analysis;
    const same = (one: Ending): boolean =>
      Object.entries(ending.features).every(([name, value]) => UNWRITTEN.has(name) || one.features[name] === value);
    variants = rules
      .inflections(stem.signature, ending.letters)
      .filter((each) => same(each) && rules.agree(prefix, stem.signature, each))
      .filter((each) => rules.prefixes(each.sequence, prefix.letters).some(({ form }) => form === prefix.form));
    cached.set(analysis, variants);
  }
  const isVerb = analysis.pos === "verb";
  const [prefix, stem] = [vowelled(analysis.prefix.form), vowelled(analysis.stem.form)];
  const fitting = variants.filter(
    ({ form }) => !isContradicted(token, { prefix, stem, ending: vowelled(form), isVerb }) && endsAlike(token, form),
  );
  return fitting.length > 0 ? fitting : [analysis.ending];
}

const UNWRITTEN: ReadonlySet<string> = new Set(["cas", "mod", "stt"]);

/** Tells whether the last vowel that is written on a word, if one is, is that of an ending. */
function endsAlike(token: string, form: string): boolean {
  const written = /[\u064b-\u0650]$/u.exec(token)?.[0];
  return written === undefined || vowelled(form).endsWith(written);
}

function narrowed(variants: readonly Ending[], name: string, value: string | undefined): readonly Ending[] {
  const fitting = value === undefined ? variants : variants.filter(({ features }) => features[name] === value);
  return fitting.length > 0 ? fitting : variants;
}

/** Returns the form of the endings that are left, without the vowel in which they differ. */
function endingOf(left: readonly Ending[], fallback: Ending): string {
  const forms = [...new Set(left.map(({ form }) => form))].sort((a, b) => a.length - b.length);
  const [first = fallback.form] = forms;
  if (forms.length <= 1) return first;
  const plain = first.replace(/[aiuoFNK]$/, "");
  return plain === first ? first.replace(/^[aiu]/, "") : plain;
}

/**
 * Returns a form without a vowel that nobody can say: behind an alef of length (ضحايا), of tanwin in a feminine in ى
 * (إحدى), and the first of two.
 */
function utterable(form: string, { features }: Analysis): string {
  const isFeminine = (features.gen ?? features.form_gen) === "f";
  const plain = form.replace(/(?<=[AY])[aiuNK]$/, "").replace(/[aiu](?=[FNK]$)/, "");
  return isFeminine ? plain.replace(/(?<=Y)F$/, "") : plain;
}

/** Universal parts of speech of words that have a case. */
const NOMINAL: ReadonlySet<string> = new Set(["NOUN", "ADJ", "PROPN", "NUM"]);

function stateOf(words: readonly ReadWord[], place: number): State {
  const { analysis } = words[place] ?? {};
  const { prc0, enc0 } = analysis?.features ?? {};
  if (prc0?.startsWith("Al") === true) return "d";
  if (enc0 !== undefined && enc0 !== "0") return "c";
  const next = words[place + 1];
  const nextClitics = next?.analysis?.features;
  const isJoined = [nextClitics?.prc1, nextClitics?.prc2].every((each) => each === undefined || each === "0");
  const isNominal = next !== undefined && /^(?:NOUN|PROPN|X)$/.test(next.upos);
  return isGoverning(words, place) && isNominal && isJoined ? "c" : "i";
}

/**
 * Tells whether a word can have a noun behind it in the genitive: a noun, be it of a name (وزارة), and a quantifier or
 * adjective before what it is of (كامل أسطول, أحد الحلين), but no adjective of the noun before it.
 */
function isGoverning(words: readonly ReadWord[], place: number): boolean {
  const { upos = "", analysis } = words[place] ?? {};
  if (upos === "PROPN") return analysis?.pos === "noun";
  if (upos !== "ADJ") return /^(?:NOUN|NUM|ADP|DET)$/.test(upos);
  const before = words[place - 1];
  return before === undefined || !NOMINAL.has(before.upos) || isDefinite(before);
}

/** Verb-like particles that the accusative follows. */
const ACCUSATIVE = new Set("ان لكن لان كان لعل ليت".split(" "));

function caseOf(words: readonly ReadWord[], place: number, found: readonly Found[]): Case | undefined {
  const own = words[place];
  const features = own?.analysis?.features ?? {};
  if (/^(?:bi|li|ka|wa)_prep/.test(features.prc1 ?? "")) return "g";
  const [before, known] = [words[place - 1], found[place - 1]];
  if (own !== undefined && isAdverbial(own) && before?.upos !== "ADP") return "a";
  if (before === undefined) return features.prc0?.startsWith("Al") === true ? "n" : undefined;
  if (before.upos === "ADP") return hasPronoun(before) ? undefined : "g";
  if (known?.stt === "c" && !hasPronoun(before)) return "g";
  const particle = before.analysis;
  if (particle?.pos === "verb_pseudo" && ACCUSATIVE.has(bareForm(vowelled(particle.lemma.form)))) return "a";
  if (own?.upos === "ADJ" && NOMINAL.has(before.upos))
    return isDefinite(before) === isDefinite(own) ? known?.cas : undefined;
  if (features.prc2?.startsWith("wa") === true && NOMINAL.has(before.upos)) return known?.cas;
  if (before.upos !== "VERB" || (hasPronoun(before) && features.prc0 === undefined)) return undefined;
  const { per, num, gen, vox } = particle?.features ?? {};
  if (per !== "3" || num === "p" || num === "d") return "a";
  const gender = features.gen ?? features.form_gen;
  return vox === "p" || gender === gen ? "n" : undefined;
}

/** Nouns that stand as prepositions: unless another is before them they are in the accusative. */
const ADVERBIAL = new Set(
  (
    "مع عند لدي بعد قبل منذ حول ضد خلال بين فوق تحت امام وراء خلف داخل خارج قرب نحو ضمن وسط اثناء اثر حسب وفق رغم عبر دون طوال " +
    "حيال تجاه ازاء قباله"
  ).split(" "),
);
const isAdverbial = ({ upos, analysis }: ReadWord): boolean =>
  (upos === "ADP" || upos === "NOUN" || upos === "ADV") &&
  analysis !== undefined &&
  !/^Al/.test(analysis.features.prc0 ?? "") &&
  ADVERBIAL.has(bareForm(vowelled(analysis.lemma.form)));

const isDefinite = ({ analysis }: ReadWord): boolean =>
  analysis?.features.prc0?.startsWith("Al") === true || (analysis?.features.enc0 ?? "0") !== "0";
const hasPronoun = ({ analysis }: ReadWord): boolean => (analysis?.features.enc0 ?? "0") !== "0";

/** Particles before the verb, with the conjunctions that can be joined to them. */
const SUBJUNCTIVE = /^[وف]?(?:لن|[بلك]?ان|كي|لكي|حتي|ب?الا|لئلا)$/u;
const JUSSIVE = /^[وفا]?(?:لم|لما)$/u;
const CONDITION = /^[وف]?إنْ?$/u;

function moodOf(words: readonly ReadWord[], place: number): Mood {
  const { prc1 = "0", per } = words[place]?.analysis?.features ?? {};
  if (prc1.startsWith("li_sub")) return "s";
  if (prc1.startsWith("li_jus")) return "j";
  const before = words[place - 1];
  // لما is also "for what".
  if (before?.analysis?.features.prc1?.startsWith("li_prep") === true) return "i";
  const particle = bareForm(before?.token ?? "");
  if (CONDITION.test(before?.token ?? "")) return "j";
  if (SUBJUNCTIVE.test(particle)) return "s";
  return JUSSIVE.test(particle) || (/^[وف]?لا$/u.test(particle) && per === "2") ? "j" : "i";
}
