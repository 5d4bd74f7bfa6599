import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createTagger, openRegistry, type Tagger } from "@isnad/lib/models";
import { CommandError } from "@isnad/lib/service/cli";
import type { EvalTask } from "../task.ts";

/** A sentence of a CoNLL file: its tokens with BIO tags, and the line (from 1) that each token stands in. */
type ConllSentence = { tokens: string[]; tags: string[]; lines: number[] };

/** Names of types that mean the same in another set. */
const SAME: Readonly<Record<string, string>> = { PERS: "PER", PERSON: "PER", ORGANIZATION: "ORG", LOCATION: "LOC" };

/**
 * Reads CoNLL columns, plain or .gz: the token first, its tag last, separated by tabs or blanks; an empty line between
 * sentences. Tags may be IO, BIO or begin with `I-`: a span then begins where the type changes. Language prefixes
 * (`en:`) and invisible marks before tokens are taken off.
 */
function readConll(path: string): ConllSentence[] {
  const bytes = readFileSync(path);
  const text = new TextDecoder().decode(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  return parseConll(text);
}

/** {@link readConll} of a text. */
export function parseConll(text: string): ConllSentence[] {
  const lines = text.split(/\r?\n/);
  const prefixed =
    lines.some((line) => /^[a-z]{2}:\S/.test(line)) && lines.every((line) => /^(?:[a-z]{2}:|\s*$)/.test(line));
  const sentences: ConllSentence[] = [];
  let open: ConllSentence | undefined;
  lines.forEach((line, i) => {
    const [token, tag] = columns(line);
    if (token === "" || token === "-DOCSTART-" || tag === undefined) {
      open = undefined;
      return;
    }
    if (open === undefined) {
      open = { tokens: [], tags: [], lines: [] };
      sentences.push(open);
    }
    open.tokens.push(prefixed ? token.slice(3) : token);
    open.tags.push(tagAfter(open.tags.at(-1) ?? "O", tag));
    open.lines.push(i + 1);
  });
  return sentences;
}

function columns(line: string): [string, string | undefined] {
  const bare = line.replace(/[\u200e\ufeff]/g, "");
  const cells = bare.includes("\t") ? bare.split("\t") : bare.trim().split(/\s+/);
  const token = cells[0]?.trim() ?? "";
  return [token, cells.length > 1 ? cells.at(-1)?.trim() : undefined];
}

function tagAfter(before: string, tag: string): string {
  if (!/^[BI]-./.test(tag)) return "O";
  const type = tag.slice(2);
  const same = SAME[type] ?? type;
  return tag.startsWith("I-") && before.slice(2) === same ? `I-${same}` : `B-${same}`;
}

/** Exact-span scores over a set: how many entities there are, how many were found, and how many of these are right. */
type SpanScores = {
  f1: number;
  precision: number;
  recall: number;
  wanted: number;
  found: number;
  right: number;
};

/** Start, end (exclusive) and type of each entity of a sentence of BIO tags, as one text each. */
export function spanKeys(tags: readonly string[]): Set<string> {
  const keys = new Set<string>();
  let start = -1;
  [...tags, "O"].forEach((tag, i) => {
    const type = start < 0 ? "" : (tags[start]?.slice(2) ?? "");
    if (start >= 0 && tag === `I-${type}`) return;
    if (start >= 0) keys.add(`${start}-${i}-${type}`);
    start = tag === "O" ? -1 : i;
  });
  return keys;
}

/** Micro-averaged precision, recall and F1 of exact spans with their types, as CoNLL-2003 counted them. Only spans of
 * `type`, where it is given. */
export function scoreSpans(
  gold: readonly (readonly string[])[],
  found: readonly (readonly string[])[],
  type?: string,
): SpanScores {
  const counted = (tags: readonly string[]) =>
    [...spanKeys(tags)].filter((key) => type === undefined || key.endsWith(`-${type}`));
  let goldCount = 0;
  let made = 0;
  let right = 0;
  gold.forEach((tags, i) => {
    const want = new Set(counted(tags));
    const have = counted(found[i] ?? []);
    goldCount += want.size;
    made += have.length;
    right += have.filter((key) => want.has(key)).length;
  });
  const precision = made === 0 ? 0 : right / made;
  const recall = goldCount === 0 ? 0 : right / goldCount;
  const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { f1, precision, recall, wanted: goldCount, found: made, right };
}

/**
 * A set to measure: CoNLL columns. `part`: only the last fifth of its sentences, which the shipped model was not
 * trained on.
 */
type EntitySet = { path: string; lang?: "ar" | "en"; part?: "last-fifth" };

/**
 * Holds what was measured: scores over all types and by type, and one prediction a token, `line<TAB>tag`, in input
 * order.
 */
type EntityEvaluation = SpanScores & {
  sentences: number;
  tokens: number;
  types: Record<string, SpanScores>;
  predictions: string[];
};

/** Types of the heads that ship. */
const KNOWN = /^(?:PER|LOC|ORG|MISC|person|location|corporation|group|product|creative-work)$/;
const SOCIAL = /^(?:person|location|corporation|group|product|creative-work)$/;

/** Sentences that are taken for one document: the formats do not say where one ends. */
const DOCUMENT = 50;

/**
 * Tags the sentences of a set with the head that answers in its types, and compares. Its language is that of its
 * letters where it is not given. @throws CommandError when the set has no entity of a type that the tagger knows
 */
export async function evalEntities(tagger: Pick<Tagger, "tagTokens">, set: EntitySet): Promise<EntityEvaluation> {
  const all = readConll(set.path);
  const sentences = set.part === "last-fifth" ? all.slice(all.length - Math.floor(all.length / 5)) : all;
  const gold = sentences.map(({ tags }) => tags);
  const types = [...new Set(gold.flat().map((tag) => tag.slice(2)))].filter((type) => type !== "").sort();
  const head = headFor(types, set.lang ?? languageOf(sentences));
  if (sentences.length > 0 && !types.some((type) => KNOWN.test(type))) {
    const content =
      types.length === 0 ? "no entity" : `only entities of types that the tagger does not know (${types.join(", ")})`;
    throw new CommandError(`${set.path}: holds ${content}`);
  }
  const predicted: string[][] = [];
  for (let i = 0; i < sentences.length; i += DOCUMENT) {
    const part = sentences.slice(i, i + DOCUMENT).map(({ tokens }) => ({ tokens, head }));
    predicted.push(...(await tagger.tagTokens(part)).map(({ tags }) => tags));
  }
  return {
    ...scoreSpans(gold, predicted),
    sentences: sentences.length,
    tokens: gold.reduce((sum, tags) => sum + tags.length, 0),
    types: Object.fromEntries(types.map((type) => [type, scoreSpans(gold, predicted, type)])),
    predictions: sentences.flatMap(({ lines }, i) => lines.map((line, t) => `${line}\t${predicted[i]?.[t] ?? "O"}`)),
  };
}

function headFor(types: readonly string[], lang: "ar" | "en"): string {
  if (lang === "ar") return "ar";
  return types.some((type) => SOCIAL.test(type)) ? "social" : "en";
}

function languageOf(sentences: readonly ConllSentence[]): "ar" | "en" {
  const tokens = sentences.slice(0, 200).flatMap((sentence) => sentence.tokens);
  const arabic = tokens.filter((token) => /(?=\p{Script=Arabic})\p{L}/u.test(token)).length;
  return arabic * 2 > tokens.length ? "ar" : "en";
}

/**
 * The entity tagger; exact spans and types, as conlleval counts. Two sets are measured on the fifth that training
 * leaves out.
 */
export const entities: EvalTask = {
  name: "entities",
  formats: "CoNLL columns: token first, tag last, an empty line between sentences; plain or .gz",
  sets: (data) => [
    { set: "ANERcorp held-out fifth", path: join(data, "ner/ar/anercorp_train.txt"), lang: "ar", part: "last-fifth" },
    { set: "WNUT-17 dev", path: join(data, "ner/en/wnut17/CONLL-format/data/dev/emerging.dev.conll"), lang: "en" },
    {
      set: "Wikigold held-out fifth",
      path: join(data, "ner/en/wikigold/CONLL-format/data/wikigold.conll.txt"),
      lang: "en",
      part: "last-fifth",
    },
  ],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const tagger = await createTagger({ registry });
    return {
      async measure({ path, lang, part }) {
        const { f1, precision, recall, tokens, predictions } = await evalEntities(tagger, {
          path,
          ...(lang !== undefined && { lang }),
          ...(part !== undefined && { part }),
        });
        return { figures: { F1: f1, P: precision, R: recall }, size: tokens, predictions };
      },
      close: () => tagger.close(),
    };
  },
};
