import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { SenseEntry } from "../../contract/lexicon.ts";
import { readEntries } from "../lexicon-files.ts";
import { bareForm, hasMarks, vowelForm } from "../morphology/written-forms.ts";

/** Tells whether two lemmas have the same letters, and besides the same vowels, where both tell them. */
export function lemmaMatch(one: string, other: string): { letters: boolean; vowels: boolean } {
  const letters = lettersOf(one) === lettersOf(other);
  return { letters, vowels: letters && vowelForm(one) === vowelForm(other) };
}

const lettersOf = (lemma: string): string => lemma.normalize("NFC").replace(/[\u064b-\u0652\u0670\u0640]/gu, "");

/** The file of a lexicon that lists the forms with senses of their own. */
export const SENSE_FORMS = "sense-forms.tsv";

const LEXICON = fileURLToPath(new URL("../../../nlp/lexicon/", import.meta.url));

/** The senses of words and of expressions of several words. */
export type Inventory = {
  byId(id: string): SenseEntry | undefined;
  /**
   * Returns the senses of a lemma or an expression, whatever its part of speech, the most frequent first; vowels count
   * where the lemma has some.
   */
  search(lemma: string): readonly SenseEntry[];
  /** Returns the senses that a word or expression with this one can have as well, itself included. */
  rivals(sense: SenseEntry): readonly SenseEntry[];
  /**
   * Returns the senses of a lemma, the most frequent first; vowels do not count. `upos` is the universal part of
   * speech.
   */
  of(lemma: string, upos: string): readonly SenseEntry[];
  /**
   * Returns the senses that a word has in this form (أيام are days and never today): a noun as it is written, in normal
   * form; undefined for most, which have all senses of their lemma.
   */
  ofForm(form: string): readonly SenseEntry[] | undefined;
  /**
   * Returns the longest expression that begins with the first of these words, with its senses: each word by the normal
   * forms that it can stand for, its proclitics among them.
   */
  expressionAt(words: readonly (readonly string[])[]): { length: number; senses: readonly SenseEntry[] } | undefined;
};

/** The universal parts of speech that words can have, the likeliest first, by the part of speech of their senses. */
const POS: Readonly<Record<string, readonly string[]>> = {
  verb: ["VERB", "AUX"],
  noun: ["NOUN", "PROPN", "NUM", "ADJ", "ADV", "ADP"],
  adj: ["ADJ", "NOUN", "ADV"],
  adv: ["ADV", "NOUN"],
  num: ["NUM", "NOUN", "ADJ"],
  particle: ["PART", "ADP", "SCONJ", "CCONJ", "ADV", "DET", "PRON", "VERB"],
  prep: ["ADP", "PART", "NOUN", "ADV"],
  conj: ["CCONJ", "SCONJ", "PART", "ADP"],
  pron: ["PRON", "DET"],
};

/** Holds what a part of the inventory is called whose words are of middle frequency in news, or low. */
const RARER = [/^(?!.*(?:^mid|low|^rare))/u, /^mid/u, /low|^rare/u];

/** Proclitics that end an expression (`طبقا ل`), and are written with the word behind it. */
const JOINED = new Set(["ل", "ب"]);

/** Tells how rare the words of the part of a sense are in news: by kind of part, then by number. */
function rarityOf({ id }: SenseEntry): number {
  return RARER.findIndex((kind) => kind.test(id)) * 1000 + Number(/(\d+)-\d+$/.exec(id)?.[1] ?? 0);
}

/**
 * Makes the inventory of senses: those of frequent parts first, within a part in the order in which they are given.
 * `forms`: the ids of the senses of some forms, which must exist (RangeError).
 */
export function createInventory(
  given: readonly SenseEntry[],
  forms: ReadonlyMap<string, readonly string[]> = new Map(),
): Inventory {
  const senses = given
    .map((sense) => ({ sense, rarity: rarityOf(sense) }))
    .sort((a, b) => a.rarity - b.rarity)
    .map(({ sense }) => sense);
  const byId = new Map(senses.map((sense) => [sense.id, sense]));
  const byForm = new Map(
    Array.from(forms, ([form, ids]) => [
      form,
      ids.map((id) => {
        const sense = byId.get(id);
        if (sense === undefined)
          throw new RangeError(`${SENSE_FORMS}: ${form} has the sense ${id}, which does not exist`);
        return sense;
      }),
    ]),
  );
  const single = senses.filter(({ pos }) => pos !== "mwe");
  const byLemma = Map.groupBy(single, ({ lemma }) => bareForm(lemma));
  const keyOf = (lemma: string): string => lemma.split(" ").map(bareForm).join(" ");
  const expressions = Map.groupBy(
    senses.filter(({ pos }) => pos === "mwe"),
    ({ lemma }) => keyOf(lemma),
  );
  const byFirst = Map.groupBy([...expressions.keys()], (key) => key.split(" ", 1)[0] ?? "");
  return {
    byId: (id) => byId.get(id),
    search(lemma) {
      const key = keyOf(lemma.trim().replace(/\s+/g, " "));
      const all = key.includes(" ") ? (expressions.get(key) ?? []) : (byLemma.get(key) ?? []);
      return hasMarks(lemma) && !key.includes(" ") ? all.filter((sense) => lemmaMatch(lemma, sense.lemma).vowels) : all;
    },
    rivals: ({ lemma, pos }) =>
      pos === "mwe"
        ? (expressions.get(keyOf(lemma)) ?? [])
        : (byLemma.get(bareForm(lemma)) ?? []).filter((other) => other.pos === pos),
    of(lemma, upos) {
      // A final ه that belongs to a word is no ة: مُوَجَّه is not مَوْجَة.
      const all = (byLemma.get(bareForm(lemma)) ?? []).filter((sense) => !isOtherEnding(lemma, sense.lemma));
      const fitOf = ({ pos }: SenseEntry): number => POS[pos]?.indexOf(upos) ?? -1;
      const fitting = all.filter((sense) => fitOf(sense) >= 0);
      // Of words with other vowels (عام, "year" and "general"), the one that was read comes first.
      const same = fitting.filter((sense) => lemmaMatch(lemma, sense.lemma).vowels);
      const fits = (same.length > 0 ? same : fitting).map(fitOf);
      // Words of several parts of speech (بعد, "after" and "dimension") have the senses of the one that fits best.
      const best = fitting.find((sense) => fitOf(sense) === Math.min(...fits));
      return best === undefined ? [] : all.filter(({ pos }) => pos === best.pos);
    },
    ofForm: (form) => byForm.get(form),
    expressionAt(words) {
      const starts = (words[0] ?? []).flatMap((form) => byFirst.get(form) ?? []);
      const matching = starts.filter((key) =>
        key.split(" ").every((part, place) => words[place]?.includes(part) ?? false),
      );
      const [longest] = matching.sort((a, b) => b.split(" ").length - a.split(" ").length);
      if (longest === undefined) return undefined;
      const parts = longest.split(" ");
      return {
        length: JOINED.has(parts.at(-1) ?? "") ? parts.length - 1 : parts.length,
        senses: expressions.get(longest) ?? [],
      };
    },
  };
}

/** Tells whether one of two words ends in ه and the other in ة. */
function isOtherEnding(one: string, other: string): boolean {
  const [last, otherLast] = [one, other].map((word) => /[هة](?=\p{M}*$)/u.exec(word)?.[0] ?? "");
  return last !== otherLast;
}

/** Returns the inventory that ships. Throws when a file is missing or a line has another form. */
export function openInventory(): Inventory {
  return createInventory(readEntries(join(LEXICON, "senses"), SenseEntry), readSenseForms(LEXICON));
}

/** Returns the ids of the senses of some forms, by the form, as `sense-forms.tsv` of a lexicon lists them. */
export function readSenseForms(lexicon: string): Map<string, string[]> {
  const lines = readFileSync(join(lexicon, SENSE_FORMS), "utf8").trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [form = "", ids = ""] = line.split("\t");
      return [bareForm(form), ids.split(" ")];
    }),
  );
}

const FILE = new URL("../../../nlp/lexicon/rare-senses.txt", import.meta.url);

/** Returns the ids of senses of frequent words that news hardly ever means. Throws when the file cannot be read. */
export function openRareSenses(path = fileURLToPath(FILE)): ReadonlySet<string> {
  return new Set(readFileSync(path, "utf8").trim().split("\n"));
}
