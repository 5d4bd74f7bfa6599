import type { NestedSpan, WordRanks } from "./spans.ts";

/** A sentence of a text: its words, folded, and the spans found in it. */
type Sentence = { words: readonly string[]; spans: readonly NestedSpan[] };

/** Types of which a name has one in all of a text: nobody is a person here and a town there (سيدي بوزيد). */
const KINDS = /^(?:PERS|GPE|LOC)$/;

/** Types of which a family name is taken to be, far from its first name. */
const TAKEN_FOR = /^(?:ORG|GPE|LOC|FAC|PRODUCT|WEBSITE|NORP|OCC|EVENT|LAW)$/;

/** The least probability of a person's name that all of the text is read by, and what is left of it elsewhere. */
const PERSON = { least: 0.6, elsewhere: 0.9 };

/** Words behind which a name is that of a thing: شركة فورد. */
const THING =
  /^[وف]?[بلك]?(?:ال|ل)?(?:شركه|مجموعه|نادي|فريق|قناه|صحيفه|موقع|مجله|حزب|بنك|مصرف|جامعه|مؤسسه|موسسه|مدينه|مطار|شارع|ملعب|سياره|تنظيم|وكاله)$/u;

/**
 * Returns the spans of a text's sentences as the whole text tells them: a name is of the kind that it most likely has
 * in all of them; who is named with a first name once is a person where the family name stands alone, in a headline
 * above all, and a name of several words is found wherever it stands.
 */
export function knownElsewhere(sentences: readonly Sentence[], rank: WordRanks): NestedSpan[][] {
  const persons = new Persons(sentences);
  const retyped = sentences.map(({ words, spans }) =>
    spans.map((span) => (persons.isNamedAt(words, span) ? { ...span, type: "PERS" } : span)),
  );
  const found = sentences.map(({ words }, i) => withPersons(words, retyped[i] ?? [], persons, rank));
  return ofOneKind(
    sentences.map(({ words }) => words),
    found,
  );
}

/** The persons of a text whose names have several words. */
class Persons {
  /** Their last words, each with the sum of the probabilities of their names. */
  private readonly last = new Map<string, number>();
  /** The last two words of names, joined by a space, with the highest probability of these. */
  private readonly pairs = new Map<string, number>();
  /** Words alone that are something else, each with the sum of its probabilities. */
  private readonly others = new Map<string, number>();

  constructor(sentences: readonly Sentence[]) {
    for (const { words, spans } of sentences) {
      for (const span of spans) {
        const name = wordsOf(words, span);
        const end = name.at(-1) ?? "";
        if (name.length === 1 && span.type !== "PERS") this.add(this.others, end, span.probability);
        if (name.length < 2 || span.type !== "PERS" || span.probability < PERSON.least || end.length < 3) continue;
        this.add(this.last, end, span.probability);
        const pair = name.slice(-2).join(" ");
        this.pairs.set(pair, Math.max(this.pairs.get(pair) ?? 0, span.probability));
      }
    }
  }

  /** Tells whether a span of one word is the family name of a person of the text. */
  isNamedAt(words: readonly string[], span: NestedSpan): boolean {
    const [name = "", ...more] = wordsOf(words, span);
    const sum = this.last.get(name);
    if (sum === undefined || more.length > 0 || !TAKEN_FOR.test(span.type) || THING.test(words[span.start - 1] ?? "")) {
      return false;
    }
    // النصر, فلسطين
    const isWord = name.startsWith("ال") || span.type !== "ORG";
    return !isWord || sum >= (this.others.get(name) ?? 0);
  }

  /** Returns how likely the two words from a place on are the end of a person's name; undefined where they are none. */
  pairAt(words: readonly string[], place: number): number | undefined {
    return this.pairs.get(`${words[place] ?? ""} ${words[place + 1] ?? ""}`);
  }

  /** Returns how likely a word is the last one of a person's name; undefined where it is none. */
  lastAt(word: string): number | undefined {
    const sum = this.last.get(word);
    return sum === undefined ? undefined : Math.min(sum, 1);
  }

  private add(sums: Map<string, number>, key: string, value: number): void {
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
}

const wordsOf = (words: readonly string[], { start, end, cut }: NestedSpan): string[] =>
  words.slice(start, end).map((word, place) => word.slice(place === 0 ? cut : 0));

/** Adds the persons of the text where a sentence has their names and nothing says so: أبو زقول, and who is no word. */
function withPersons(
  words: readonly string[],
  spans: readonly NestedSpan[],
  persons: Persons,
  rank: WordRanks,
): NestedSpan[] {
  const kept = [...spans];
  const isTaken = (start: number, end: number, least: number): boolean =>
    kept.some((span) => span.start < end && start < span.end && span.end - span.start >= least);
  for (let start = 0; start < words.length; start++) {
    const word = words[start] ?? "";
    const pair = persons.pairAt(words, start);
    if (pair !== undefined && !isTaken(start, start + 2, 2)) {
      // A span of a single one of the two words is a part of the name.
      for (const span of spans) {
        if (start <= span.start && span.end <= start + 2 && kept.includes(span)) kept.splice(kept.indexOf(span), 1);
      }
      kept.push({ type: "PERS", start, end: start + 2, probability: pair * PERSON.elsewhere, cut: 0 });
    }
    const alone = rank.has(word) || THING.test(words[start - 1] ?? "") ? undefined : persons.lastAt(word);
    if (alone === undefined || isTaken(start, start + 1, 1)) continue;
    kept.push({ type: "PERS", start, end: start + 1, probability: alone * PERSON.elsewhere, cut: 0 });
  }
  return kept.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Returns the spans of the sentences of a text, each name of the kind that it most likely has in all of them. */
function ofOneKind(sentences: readonly (readonly string[])[], spans: readonly NestedSpan[][]): NestedSpan[][] {
  const nameOf = (sentence: number, span: NestedSpan): string => wordsOf(sentences[sentence] ?? [], span).join(" ");
  const sums = new Map<string, Map<string, number>>();
  for (const [i, own] of spans.entries()) {
    for (const span of own.filter(({ type }) => KINDS.test(type))) {
      const kinds = sums.get(nameOf(i, span)) ?? new Map<string, number>();
      kinds.set(span.type, (kinds.get(span.type) ?? 0) + span.probability);
      sums.set(nameOf(i, span), kinds);
    }
  }
  return spans.map((own, i) =>
    own.map((span) => {
      const kinds = KINDS.test(span.type) ? sums.get(nameOf(i, span)) : undefined;
      if (kinds === undefined || kinds.size < 2) return span;
      const [type] = [...kinds].reduce((best, each) => (each[1] > best[1] ? each : best));
      return { ...span, type };
    }),
  );
}
