import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { LexiconSubjects, SenseEntry } from "@isnad/lib/contract";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { morphAnswer, type MorphToken } from "../../lib/arabic/morphology/answer.ts";
import { bareForm } from "../../lib/arabic/morphology/written-forms.ts";
import type { Lexicon } from "../../lib/arabic/morphology/lexicon.ts";
import { type MorphModel, openMorphology } from "../../lib/arabic/morphology/model.ts";
import { sensesOf, wordsWithSenses } from "../../lib/arabic/senses/answer.ts";
import { createSenseChooser, openSensePriors, type SenseChooser } from "../../lib/arabic/senses/choose.ts";
import {
  createInventory,
  type Inventory,
  openInventory,
  readSenseForms,
  SENSE_FORMS,
} from "../../lib/arabic/senses/inventory.ts";
import { openSenseModel, SENSES_EMBEDDER } from "../../lib/arabic/senses/sense-vectors.ts";
import { entriesHash, type EvalTask } from "../task.ts";
import { isHeldOut } from "../retrieval-sets.ts";
import { readArticles } from "./known-item.ts";

/** Words with fewer senses are not measured. */
const SENSES = 3;

/**
 * Shares of examples whose word gets the sense that the example stands under; `first`: were the first sense always
 * chosen. An example whose word is not recognised is wrong.
 */
type WsdFigures = { size: number; accuracy: number; first: number; predictions: string[] };

/**
 * Holds what reads and chooses; `forms`: those that have senses of their own, as {@link createInventory} takes them.
 */
type WsdReaders = {
  lexicon: Lexicon;
  model: MorphModel;
  chooser: SenseChooser;
  forms?: ReadonlyMap<string, readonly string[]>;
};

/** Measures the chooser on the examples of those `senses` for which `measured` holds. RangeError when there is none. */
export async function evalWsd(
  senses: readonly SenseEntry[],
  measured: (sense: SenseEntry) => boolean,
  { lexicon, model, chooser, forms }: WsdReaders,
): Promise<WsdFigures> {
  const inventory = createInventory(senses, forms);
  const words = Map.groupBy(
    senses.filter(({ pos }) => pos !== "mwe"),
    ({ lemma, pos }) => `${bareForm(lemma)} ${pos}`,
  );
  const counts = { all: 0, right: 0, first: 0 };
  const predictions: string[] = [];
  for (const group of words.values()) {
    if (group.length < SENSES) continue;
    for (const sense of group.filter(measured)) {
      for (const example of sense.examples) {
        const tokens = morphAnswer({ lexicon, model }, { text: example, all: false });
        const place = tokens.findIndex((token) => isWord(token, sense));
        const chosen = place < 0 ? undefined : at(await sensesOf(tokens, { inventory, chooser }), place).sense;
        counts.all++;
        if (chosen?.id === sense.id) counts.right++;
        if (at(group, 0).id === sense.id) counts.first++;
        predictions.push(`${sense.id}\t${chosen?.id ?? ""}\t${example}`);
      }
    }
  }
  if (counts.all === 0) throw new RangeError(`no example of a word with ${SENSES} senses or more`);
  return { size: counts.all, accuracy: counts.right / counts.all, first: counts.first / counts.all, predictions };
}

function isWord({ lemma }: MorphToken, sense: SenseEntry): boolean {
  return bareForm(lemma) === bareForm(sense.lemma);
}

const LEXICON = fileURLToPath(new URL("../../nlp/lexicon", import.meta.url));

/** Senses of words in the examples of the inventory's held-out parts: of words with three senses and more. */
export const wsd: EvalTask = {
  name: "wsd",
  formats: "a folder with senses/*.jsonl and subjects.json, as nlp/lexicon",
  sets: () => [{ set: "held-out parts of nlp/lexicon", path: LEXICON }],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const embedder = await createEmbedder({ registry, model: SENSES_EMBEDDER, timeoutMs: 600_000 });
    const { encoder, vectors } = await openSenseModel({ registry });
    // The examples are as many of one sense as of another, so that shares of news would not measure the model.
    const priors = { ...openSensePriors(), of: () => undefined };
    const chooser = createSenseChooser({ embedder, encoder, vectors, priors });
    const { lexicon, model } = await openMorphology();
    return {
      async measure({ path }) {
        const subjects = LexiconSubjects.parse(JSON.parse(readFileSync(join(path, "subjects.json"), "utf8"))).senses;
        const senses = readEntries(join(path, "senses"), SenseEntry);
        const heldOut = ({ id }: SenseEntry): boolean => subjects[id.replace(/-\d+$/, "")]?.held_out ?? false;
        const forms = existsSync(join(path, SENSE_FORMS)) ? readSenseForms(path) : new Map();
        const readers = { lexicon, model, chooser, forms };
        const { accuracy, first, size, predictions } = await evalWsd(senses, heldOut, readers);
        const corpus = entriesHash(senses.filter(heldOut));
        return { figures: { accuracy, "first sense": first }, size, predictions, corpus };
      },
      async close() {
        await embedder.close();
        await encoder.close();
      },
    };
  },
};

/** Universal parts of speech of content words; names have no senses. */
const CONTENT: ReadonlySet<string> = new Set(["VERB", "NOUN", "ADJ", "ADV"]);

/** The share of content words, as they run, that have a sense; `missing`: lemmas without one by count, most first. */
type Coverage = { words: number; covered: number; missing: [lemma: string, count: number][] };

/** Measures an inventory on texts. Throws RangeError when they have no content word. */
export function coverageOf(
  texts: Iterable<string>,
  { lexicon, model, inventory }: { lexicon: Lexicon; model: MorphModel; inventory: Inventory },
): Coverage {
  const missing = new Map<string, number>();
  const counts = { words: 0, covered: 0 };
  for (const text of texts) {
    const tokens = morphAnswer({ lexicon, model }, { text, all: false });
    const covered = new Set(
      wordsWithSenses(tokens, inventory).flatMap(({ from, to }) =>
        Array.from({ length: to - from }, (_, i) => from + i),
      ),
    );
    tokens.forEach(({ lemma, pos }, place) => {
      if (!CONTENT.has(pos)) return;
      counts.words++;
      if (covered.has(place)) counts.covered++;
      else missing.set(`${lemma}\t${pos}`, (missing.get(`${lemma}\t${pos}`) ?? 0) + 1);
    });
  }
  if (counts.words === 0) throw new RangeError("no content word to measure");
  return {
    words: counts.words,
    covered: counts.covered / counts.words,
    missing: [...missing].sort((a, b) => b[1] - a[1]),
  };
}

/** Articles that are read, spread evenly, unless all are asked for. */
const ARTICLES = 120;

/** Says how many of the content words of Arabic articles have a sense: of those that nobody wrote senses by. */
export const senseCoverage: EvalTask = {
  name: "sense-coverage",
  formats: "JSON lines with title and text (or content), plain or .gz, in Arabic; --out: lemmas without a sense",
  sets: (data) => [
    { set: "ant_v2_ar, held-out twentieth", path: join(data, "news/ant_v2_ar.jsonl.gz"), heldOut: true },
  ],
  async load({ full }) {
    const { model, lexicon } = await openMorphology();
    const inventory = openInventory();
    return {
      async measure({ path, heldOut = false }) {
        const all = readArticles(path).filter(({ text }) => !heldOut || isHeldOut(text));
        const step = full ? 1 : Math.max(1, Math.floor(all.length / ARTICLES));
        const texts = all.filter((_, number) => number % step === 0).map(({ text }) => text);
        const { words, covered, missing } = coverageOf(texts, { lexicon, model, inventory });
        const predictions = missing.map(([lemma, count]) => `${count}\t${lemma}`);
        return { figures: { "with a sense": covered }, size: words, predictions };
      },
      async close() {},
    };
  },
};
