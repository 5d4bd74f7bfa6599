import { normalForm } from "../../text/mod.ts";
import type { Analysis } from "./analyse.ts";
import { analyse } from "./analyse.ts";
import { encliticsOf, procliticsOf } from "./clitics.ts";
import { DRAWN_OUT, phraseOf, respelt, withJoinedParticle, withSmallAlef } from "./spellings.ts";
import { bareForm, lettersOf, vowelled, withoutMarks } from "./written-forms.ts";
import type { Features, Lexicon } from "./lexicon.ts";
import type { Prefix, WordRules } from "./rules.ts";

/** A reading of a word by lemma and part of speech, with what its parts look like in normal form. */
export type Candidate = {
  /** The cheapest analysis of this reading; none for a word that the lexicon does not have. */
  analysis?: Analysis;
  /** Every analysis of this reading: the forms that it can be. */
  analyses: Analysis[];
  /** The lemma's letters, without vowels. */
  lemma: string;
  /** The lexicon's part of speech. */
  pos: string;
  /** The letters before the stem and after it. */
  before: string;
  after: string;
  cost: number;
};

/**
 * Returns the lemma of a reading with its vowels, in Arabic script; without them where the lexicon does not have the
 * word.
 */
export function vowelledLemma({ analysis, lemma }: Candidate): string {
  return analysis === undefined ? lemma : vowelled(analysis.lemma.form);
}

/** Cost of a reading that the lexicon does not have. */
const GUESS = 34;

/**
 * Readings that cost so much more than the cheapest one are not looked at: frequent words are not guessed at. Of verbs,
 * nouns and adjectives less is enough: what the treebank has that costs more are mistakes of its own.
 */
const FARTHEST = 20;
const FARTHEST_CONTENT = 18;
const FARTHEST_KNOWN = 11;
const FARTHEST_NAME = 14;
const CONTENT: ReadonlySet<string> = new Set(["verb", "noun", "adj"]);

/** Beside a particle or adverb, which is frequent, verbs and names are rare: فهناك congratulates nobody. */
const FARTHEST_BY_PARTICLE = 8;
const PARTICLE = /^(?:adv|prep|pron|part|conj|verb_pseudo)/;

/** And whatever else a preposition with its pronoun could be: لهم is "for them", and no grief. */
const FARTHEST_BY_PRONOUN = 8;

/** And letters that are spelled, which news writes as it writes its most frequent particles: إن, في. */
const FARTHEST_ABBREVIATION = 0;

/** And comparatives beside a verb in the same letters: أوضح is "he made clear". */
const FARTHEST_COMPARATIVE = 7;

/** And verbs beside nouns that stand as prepositions, behind a conjunction: وقبل is "and before". */
const FARTHEST_BY_PREPOSITION = 2;
const PREPOSITION = /^[وف] (?:بعد|قبل|حسب|حول|فوق|تحت|دون|ضد|ضمن|وفق)$/u;

/**
 * And what else a word can be that is one of the nouns of kin with their pronoun or case (وأبوك), or has a particle
 * joined to it (لابد).
 */
const FARTHEST_BY_KIN = 5;
const KIN: ReadonlySet<string> = new Set([">ab", ">ax", "Ham"]);
const FARTHEST_BY_JOINED = 4;
const JOINED = /(?:lA|laA|yA|yaA|mA|maA)_(?:neg|voc)$/;

/** Clitics that a word outside of the lexicon may carry, longest first; at least so many letters stay. */
const PROCLITICS = ["وبال", "وال", "بال", "فال", "كال", "ولل", "لل", "ال", "و", "ب", "ل", "ف", "ك", ""];
const MIN_STEM_LETTERS = 3;

/** An article before a number, or a word in other letters: الـ, والـ, بالـ, للـ. */
const STRETCHED_ARTICLE = /^[وف]?(?:[بك]?ا|ل)ل\u0640+$/u;

/** The personal pronouns as they are joined to words: what is taken for one where it stands by itself. */
const PRONOUNS = new Set([
  "ه",
  "ها",
  "هم",
  "هما",
  "هن",
  "ك",
  "كم",
  "كن",
  "ي",
  "ني",
  "نا",
  "هو",
  "هي",
  "نحن",
  "انا",
  "انت",
  "انتم",
]);

/** Holds what a place's odds weigh beside the costs of lemmas, which were counted in news of other lands. */
const PLACE = 2;

/** The accusative without article as it is written with its marks, in which no name stands that nobody knows. */
const TANWIN = /\p{L}{2}(?:\u064b\u0627|\u0627\u064b)$/u;

/** Finds the readings of a word, cheapest first. */
export function candidatesOf(word: string, lexicon: Lexicon, rules: WordRules): Candidate[] {
  if (!/[\u0621-\u063a\u0641-\u064a\u0671]/u.test(word)) return [plain(word)];
  const best = new Map<string, Candidate>();
  const add = (reading: Omit<Candidate, "analyses">): void => {
    const key = `${reading.analysis?.lemma.form ?? reading.lemma} ${reading.pos} ${reading.before}`;
    const known = best.get(key);
    const analyses = known?.analyses ?? [];
    if (reading.analysis !== undefined) analyses.push(reading.analysis);
    if (known === undefined || reading.cost < known.cost) best.set(key, { ...reading, analyses });
  };
  const letters = normalForm(word);
  const phrase = phraseOf(word);
  if (phrase !== undefined) return [{ lemma: phrase, pos: "interj", before: "", after: "", analyses: [], cost: 0 }];
  const marked = withSmallAlef(word, { lexicon, rules });
  const written = likelyPassives(word, marked ?? analyse(word, lexicon, rules));
  if (PRONOUNS.has(letters)) add({ lemma: "هُوَ", pos: "pron", before: "", after: "", cost: 6 });
  const other = written.length > 0 ? undefined : respelt(word, { lexicon, rules });
  const isSpeltOut = written.some((each) => spellingOf(each) === withoutMarks(word));
  const joined = isSpeltOut && !JOINS_ANYWAY.test(letters) ? [] : withJoinedParticle(word, { lexicon, rules });
  for (const analysis of [...written, ...(other?.analyses ?? []), ...joined]) {
    add({
      analysis,
      lemma: lettersOf(analysis.lemma.form),
      pos: analysis.pos,
      before: lettersOf(analysis.prefix.form),
      after: lettersOf(analysis.ending.form),
      cost: analysis.cost + (other?.analyses.includes(analysis) === true ? other.cost : 0),
    });
  }
  // A construct that lost its pronoun is written with ت (مسيرت + ه).
  if (word.endsWith("ت") && letters.length > MIN_STEM_LETTERS) {
    for (const analysis of analyse(`${word.slice(0, -1)}ة`, lexicon, rules)) {
      if (!lettersOf(analysis.ending.form).endsWith("ة")) continue;
      add({
        analysis,
        lemma: lettersOf(analysis.lemma.form),
        pos: analysis.pos,
        before: lettersOf(analysis.prefix.form),
        after: "ت",
        cost: analysis.cost + 1,
      });
    }
  }
  const isFullyRead =
    other?.isSure === true ||
    joined.length > 0 ||
    written.some(isLongReading) ||
    written.some((each) => isSure(each, word)) ||
    areMine(written);
  for (const proclitic of isFullyRead ? [] : PROCLITICS) {
    const bare = withoutMarks(word).replace(DRAWN_OUT, "$1");
    if (!bare.startsWith(proclitic)) continue;
    if (proclitic !== "" && bare.length - proclitic.length < MIN_STEM_LETTERS) continue;
    const rest = bare.slice(proclitic.length);
    const cost = GUESS + proclitic.length * 1.5;
    if (TANWIN.test(word)) {
      for (const pos of ["noun", "adj"])
        add({ lemma: rest.slice(0, -1), pos, before: proclitic, after: "ا", cost: pos === "noun" ? cost : cost + 1 });
      continue;
    }
    // Nobody draws out a name.
    add({
      lemma: rest,
      pos: bare.length < withoutMarks(word).length ? "adj" : "noun_prop",
      before: proclitic,
      after: "",
      cost,
    });
    if (/(?:ية|يه)$/u.test(rest)) add({ lemma: rest.slice(0, -1), pos: "adj", before: proclitic, after: "ة", cost });
    else if (rest.endsWith("ي")) add({ lemma: rest, pos: "adj", before: proclitic, after: "", cost: cost + 1 });
    if (rest.endsWith("ات"))
      add({ lemma: rest.slice(0, -2), pos: "noun", before: proclitic, after: "ات", cost: cost + 1 });
    add({ lemma: rest, pos: "noun", before: proclitic, after: "", cost: cost + 1.5 });
  }
  preferVerbalNoun(best);
  if (marked === undefined) addPlace(best, { word, lexicon });
  const articles = STRETCHED_ARTICLE.test(word) ? [...best.values()].filter(({ pos }) => pos === "part_det") : [];
  if (articles.length > 0) return articles;
  const readings = [...best.values()].sort((a, b) => a.cost - b.cost);
  const [cheapest] = readings;
  if (cheapest === undefined) return [];
  return readings.filter((each) => each.cost <= cheapest.cost + farthestOf(each, cheapest));
}

/** Holds what it costs to say "I hurt" in the letters of "he was hurt": news tells of others. */
const FIRST_PERSON = 4;

/**
 * Readings of a word, those dearer that are letter for letter a passive of their verb: in the first person (أصيب), and
 * in the active with another last letter (توفي of توفى).
 */
function likelyPassives(word: string, analyses: readonly Analysis[]): Analysis[] {
  const formOf = ({ asp, vox, per, num }: Features): string => `${asp} ${vox} ${per} ${num}`;
  const passives = new Set(
    analyses.flatMap(({ lemma, prefix, features }) =>
      formOf(features) === "p p 3 s" && !asks(prefix) ? [lemma.id] : [],
    ),
  );
  return analyses.map((each) => {
    if (!passives.has(each.lemma.id)) return each;
    const form = formOf(each.features);
    const isActive = form === "p a 3 s" && word.endsWith("ي") && each.ending.form.endsWith("Y");
    return form === "i a 1 s" || isActive ? { ...each, cost: each.cost + FIRST_PERSON } : each;
  });
}

/** Tells whether a prefix has the particle of questions, of which أ is the letter, too. */
const asks = ({ features }: Prefix): boolean => features.prc3?.startsWith(">a") === true;

/** Holds what it costs that a woman does what is also called so: مشاهدة is rather "watching" than a spectator. */
const DOER = 3;

/** Makes the noun of a doer dearer in the feminine, where the verbal noun of the same form of verb is written so. */
function preferVerbalNoun(best: Map<string, Candidate>): void {
  const nouns = [...best].filter(([, { pos, analysis }]) => pos === "noun" && analysis !== undefined);
  const isVerbalNoun = ({ analysis }: Candidate): boolean => /^mu.A.a.ap$/.test(analysis?.lemma.form ?? "");
  const verbal = new Set(nouns.filter(([, each]) => isVerbalNoun(each)).map(([, { lemma }]) => lemma));
  for (const [key, each] of nouns) {
    const isDoer = /^mu.A.i.$/.test(each.analysis?.lemma.form ?? "") && /^(?:ة|ات)$/u.test(each.after);
    const isOther = isDoer
      ? verbal.has(`${each.lemma}ة`)
      : isDoers(each) && nouns.some(([, other]) => isSame(each, other));
    if (isOther) best.set(key, { ...each, cost: each.cost + DOER });
  }
}

/** Tells whether a reading is the plural of doers that is written as a feminine: عملة, workers. */
const isDoers = ({ analysis, after }: Candidate): boolean =>
  after === "ة" && analysis?.features.num === "p" && /^.[aA]?A.i.$/.test(analysis.lemma.form);

/** Tells whether another noun is what the first is written as, and no dearer. */
const isSame = (one: Candidate, other: Candidate): boolean =>
  other !== one &&
  other.cost <= one.cost &&
  other.before === one.before &&
  /ap$/.test(other.analysis?.lemma.form ?? "");

/** Tells how much more than the cheapest reading of its word one may cost. */
function farthestOf({ pos, analysis }: Candidate, cheapest: Candidate): number {
  if (analysis === undefined) return CONTENT.has(pos) ? FARTHEST_CONTENT : FARTHEST;
  if (cheapest.pos === "prep" && cheapest.after !== "") return FARTHEST_BY_PRONOUN;
  if (PARTICLE.test(cheapest.pos) && (pos === "verb" || pos === "noun_prop")) return FARTHEST_BY_PARTICLE;
  if (PARTICLE.test(cheapest.pos) && pos === "abbrev") return FARTHEST_ABBREVIATION;
  if (pos === "verb" && PREPOSITION.test(`${cheapest.before} ${cheapest.lemma}`)) return FARTHEST_BY_PREPOSITION;
  if (pos === "adj_comp" && cheapest.pos === "verb") return FARTHEST_COMPARATIVE;
  if (pos === "noun_prop") return FARTHEST_NAME;
  if (CONTENT.has(pos) && cheapest.pos === "noun") {
    if (JOINED.test(cheapest.analysis?.features.prc1 ?? "")) return FARTHEST_BY_JOINED;
    if (KIN.has(cheapest.analysis?.lemma.form ?? "")) return FARTHEST_BY_KIN;
  }
  return CONTENT.has(pos) || pos === "adj_comp" ? FARTHEST_KNOWN : FARTHEST;
}

/**
 * Makes the name the reading that a word has as often as it means a place in the sentences of our own lexicon: what
 * else it could be is rarer (تعز, الرقة). Names that the lexicon has have their own entry.
 */
function addPlace(best: Map<string, Candidate>, { word, lexicon }: { word: string; lexicon: Lexicon }): void {
  const bare = withoutMarks(word);
  const cheapest = [...best.values()].reduce((least, each) => (each.cost < least.cost ? each : least));
  // Particles are more frequent than any place: فإن is not the lake فان.
  if (!CONTENT.has(cheapest.pos) && cheapest.pos !== "noun_prop") return;
  for (const [before, rest] of partings(bare)) {
    const odds = lexicon.placeOdds(normalForm(rest));
    if (odds === undefined || rest.length < MIN_STEM_LETTERS) continue;
    const cost = cheapest.cost - PLACE * Math.log(odds);
    const clitics = rest.startsWith("ال") ? (before === "ل" ? "لل" : `${before}ال`) : before;
    const lemma = rest.replace(/^ال/u, "");
    const isOwn = (each: Candidate): boolean =>
      each.pos === "noun_prop" && each.analysis !== undefined && [before, clitics].includes(each.before);
    const [key, known] = [...best].find(([, each]) => isOwn(each)) ?? [`${lemma} noun_prop ${clitics}`, undefined];
    if (known !== undefined && known.cost <= cost) continue;
    best.set(key, { lemma, pos: "noun_prop", before: clitics, after: "", analyses: [], ...known, cost });
  }
}

/** Returns the ways to take a conjunction or preposition off a word, the article left with what follows. */
function partings(word: string): [before: string, rest: string][] {
  const parted: [string, string][] = [["", word]];
  for (const clitic of ["و", "ب", "ل"]) if (word.startsWith(clitic)) parted.push([clitic, word.slice(1)]);
  if (word.startsWith("لل")) parted.push(["ل", `ا${word.slice(1)}`]);
  return parted;
}

/** Words that are read in full, and are a particle and a word as well: the verb "to wish" behind "if", in one word. */
const JOINS_ANYWAY = /^[وف]?انشاء$/u;

/** Returns the letters of a reading. */
function spellingOf({ prefix, stem, ending }: Analysis): string {
  return lettersOf(prefix.form + stem.form + ending.form);
}

/** Letters of a reading that its clitics make up, from which on it is no chance that a name looks so. */
const MIN_CLITIC_LETTERS = 3;

/**
 * Tells whether a reading takes so much of a word for clitics that it is no name that the lexicon lacks: وسأساعدكم.
 */
function isLongReading({ features, stem }: Analysis): boolean {
  const enclitics = encliticsOf(features).map(({ form }) => bareForm(form));
  const proclitics = procliticsOf(features).map(({ form }) => bareForm(form));
  if (lettersOf(stem.form).length < MIN_STEM_LETTERS || Math.max(0, ...enclitics.map((each) => each.length)) < 2)
    return false;
  return proclitics.length > 0 && [...proclitics, ...enclitics].join("").length >= MIN_CLITIC_LETTERS;
}

/** Holds the most that a lemma costs with whose pronoun, or accusative, a word is no name: إدارتها, حاليا. */
const DEAREST_INFLECTED = 23;

/** Prepositions that the lexicon has among nouns. */
const NOUN_AS_PREPOSITION = /^(?:مع|عند|لدى|بعد|قبل|بين)$/u;

/** Tells whether a word is spelt as a frequent word with its pronoun or in the accusative, and so no name. */
function isSure(analysis: Analysis, word: string): boolean {
  const { pos, lemma, features, stem, ending } = analysis;
  const [pronoun] = encliticsOf(features);
  const letters = lettersOf(stem.form).length;
  if (spellingOf(analysis) !== withoutMarks(word)) return false;
  if (pos === "prep" || NOUN_AS_PREPOSITION.test(lettersOf(lemma.form)))
    return pronoun !== undefined && spellingOf(analysis).length >= MIN_STEM_LETTERS;
  if (!/^(?:noun|adj)$/.test(pos) || letters < MIN_STEM_LETTERS || lemma.cost > DEAREST_INFLECTED) return false;
  return /AF$/.test(ending.form) || (pronoun !== undefined && bareForm(pronoun.form).length > 1);
}

/** Holds the most that a word costs whose plural with "my" leaves no doubt: أولادي. */
const DEAREST_MINE = 27;

/** Tells whether a word is likeliest the plural of a frequent noun with "my". */
function areMine(written: readonly Analysis[]): boolean {
  const least = Math.min(...written.map(({ cost }) => cost));
  const cheapest = written.filter(({ cost }) => cost === least);
  return least <= DEAREST_MINE && cheapest.every(({ features: { enc0, num } }) => enc0 === "1s_poss" && num === "p");
}

/** Returns the reading of what is not written in Arabic letters; tatweel by itself has a part of speech of its own. */
function plain(word: string): Candidate {
  const isWord = /(?!\u0640)\p{L}/u.test(word);
  const sign = word.includes("\u0640") ? "foreign" : "punc";
  const pos = /\p{N}/u.test(word) ? "digit" : isWord ? "foreign_word" : sign;
  return { lemma: word, pos, before: "", after: "", analyses: [], cost: 0 };
}

/**
 * Tells whether a reading is a verb in a form of the jussive alone (يقل of قال) behind a word that does not bring one:
 * `before` is the word before it, undefined at the beginning of a sentence.
 */
export function isStrayJussive({ analyses }: Candidate, before: string | undefined): boolean {
  if (analyses.length === 0) return false;
  const isJussive = analyses.every(({ features }) => features.mod === "j" && features.prc1?.startsWith("li") !== true);
  const particle = bareForm(before ?? "");
  const isForbidden = PROHIBITION.test(particle) && analyses.some(({ features }) => features.per === "2");
  return isJussive && !isForbidden && !JUSSIVE_PARTICLE.test(particle);
}

/** Words that the jussive stands behind, with the conjunctions that can be joined to them. */
const JUSSIVE_PARTICLE = /^[وفا]?(?:لم|لما|ان|من|ما|مهما|متي|اينما|حيثما)$/u;

/** The particle of prohibition, which is that of denial before anybody but the person spoken to. */
const PROHIBITION = /^[وف]?لا$/u;
