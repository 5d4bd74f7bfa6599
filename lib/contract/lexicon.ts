import { z } from "zod";

/** The 21 types of Wojood, by which entities are annotated. */
export const ENTITY_TYPES = [
  "PERS",
  "NORP",
  "OCC",
  "ORG",
  "GPE",
  "LOC",
  "FAC",
  "EVENT",
  "DATE",
  "TIME",
  "CARDINAL",
  "ORDINAL",
  "PERCENT",
  "LANGUAGE",
  "QUANTITY",
  "WEBSITE",
  "UNIT",
  "LAW",
  "MONEY",
  "PRODUCT",
  "CURR",
] as const;

/** The types that entities of articles have: CoNLL's in English, Wojood's in Arabic. Nobody is only an occupation. */
export const ARTICLE_ENTITY_TYPES = ["PER", "MISC", ...ENTITY_TYPES.filter((type) => type !== "OCC")] as const;

/** Parts of speech of senses; `mwe` is an expression of several words. */
const SENSE_POS = ["verb", "noun", "adj", "adv", "particle", "prep", "conj", "pron", "num", "mwe"] as const;

/** Holds what an event is; the guideline of the relations says when each applies. */
export const EVENT_TYPES = [
  "acquisition",
  "agreement",
  "aid",
  "appointment",
  "arrest",
  "attack",
  "award",
  "death",
  "disaster",
  "election",
  "founding",
  "injury",
  "launch",
  "life",
  "match",
  "meeting",
  "protest",
  "resignation",
  "statement",
  "transfer",
  "trial",
  "visit",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Holds what sort of check-worthy sentence one is; the guideline of the claims says when each applies. */
const CLAIM_KINDS = [
  "cause",
  "comparison",
  "fact-with-number",
  "fact-without-number",
  "history",
  "law",
  "quote",
  "record",
  "rumour",
] as const;

/** Holds what sort of sentence one is that nobody needs to check. */
const NO_CLAIM_KINDS = [
  "announcement",
  "background",
  "call",
  "description",
  "fragment",
  "gossip",
  "greeting",
  "irony",
  "no-comment",
  "number-without-claim",
  "opinion",
  "personal",
  "prediction",
  "procedure",
  "promise",
  "question",
  "vague",
  "wish",
] as const;

/** Holds what an argument is to its event. */
export const ARGUMENT_ROLES = [
  "agent",
  "target",
  "place",
  "time",
  "topic",
  "amount",
  "instrument",
  "from",
  "to",
  "result",
] as const;
export type ArgumentRole = (typeof ARGUMENT_ROLES)[number];

/** Holds where the speaker of a dialect sentence is from. */
const DIALECT_REGIONS = ["jordanian", "lebanese", "palestinian", "syrian"] as const;

/** Universal part-of-speech tags, as the dialect sentences carry them. */
const UNIVERSAL_POS = [
  "ADJ",
  "ADP",
  "ADV",
  "AUX",
  "CCONJ",
  "DET",
  "INTJ",
  "NOUN",
  "NUM",
  "PART",
  "PRON",
  "PROPN",
  "PUNCT",
  "SCONJ",
  "SYM",
  "VERB",
  "X",
] as const;

const text = () => z.string().regex(/^\S(?:.*\S)?$/u, "must be one line without white space around it");
const id = () =>
  z.string().regex(/^[a-z][a-z0-9-]*-\d{4,}$/, "must be the file's name and a number, as `verbs-1-0001`");

/** A place in a text: code points, end exclusive. */
const span = { start: z.int().min(0), end: z.int().min(1) };
const Span = z.strictObject(span);

/** One sense of a word, in our own words. */
export const SenseEntry = z.strictObject({
  id: id(),
  lemma: text().regex(/[\u064b-\u0652\u0670]/u, "must carry its vowels"),
  pos: z.enum(SENSE_POS),
  root: z.string().regex(/^(?:[ء-ي](?: [ء-ي]){2,4})?$/u, "must be three to five letters, one space between, or empty"),
  gloss: text(),
  en: z.array(text()).min(1).max(3),
  examples: z.array(text()).min(1).max(2),
});
export type SenseEntry = z.output<typeof SenseEntry>;

/** A further example of a sense, which models learn from and nobody is shown. */
export const SenseExample = z.strictObject({ sense: id(), text: text() });
export type SenseExample = z.output<typeof SenseExample>;

/** A sentence and its entities, nested ones included. */
export const EntitySentence = z.strictObject({
  id: id(),
  text: text(),
  entities: z.array(z.strictObject({ ...span, type: z.enum(ENTITY_TYPES) })),
});
export type EntitySentence = z.output<typeof EntitySentence>;

/** A sentence and its events; none where it tells of none. */
export const RelationSentence = z.strictObject({
  id: id(),
  text: text(),
  events: z.array(
    z.strictObject({
      trigger: Span,
      type: z.enum(EVENT_TYPES),
      arguments: z.array(z.strictObject({ role: z.enum(ARGUMENT_ROLES), ...span })),
    }),
  ),
});
export type RelationSentence = z.output<typeof RelationSentence>;

/** A sentence of a dialect and its words, in the order of the text. */
export const DialectSentence = z.strictObject({
  id: id(),
  text: text(),
  region: z.enum(DIALECT_REGIONS),
  tokens: z
    .array(
      z.strictObject({
        token: text(),
        coda: text(),
        segments: z.array(text()).min(1),
        msa_lemma: text(),
        dialect_lemma: text(),
        pos: z.enum(UNIVERSAL_POS),
        gloss: text(),
      }),
    )
    .min(1),
});
export type DialectSentence = z.output<typeof DialectSentence>;

/** A sentence and whether it is check-worthy; its kind decides the label. */
export const ClaimSentence = z.discriminatedUnion("label", [
  z.strictObject({ id: id(), text: text(), label: z.literal("claim"), kind: z.enum(CLAIM_KINDS) }),
  z.strictObject({ id: id(), text: text(), label: z.literal("no"), kind: z.enum(NO_CLAIM_KINDS) }),
]);
export type ClaimSentence = z.output<typeof ClaimSentence>;

/** The kinds of language data of our own, each a folder of `nlp/lexicon`, and what a line of its files is. */
export const LEXICON_KINDS = {
  senses: SenseEntry,
  entities: EntitySentence,
  relations: RelationSentence,
  dialect: DialectSentence,
} as const;
export type LexiconKind = keyof typeof LEXICON_KINDS;

const Subject = z.strictObject({ held_out: z.boolean() });

/** `subjects.json`: every file of every kind by its name without `.jsonl`, and whether training must not read it. */
export const LexiconSubjects = z.strictObject({
  senses: z.record(z.string(), Subject),
  entities: z.record(z.string(), Subject),
  relations: z.record(z.string(), Subject),
  dialect: z.record(z.string(), Subject),
});
export type LexiconSubjects = z.output<typeof LexiconSubjects>;

/** `claims/topics.json`: every topic, two files each, and whether training must not read it. */
export const ClaimTopics = z.record(z.string(), Subject);
export type ClaimTopics = z.output<typeof ClaimTopics>;
