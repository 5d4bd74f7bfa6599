import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import {
  type Dialect,
  type DialectIdentifier,
  DIALECTS,
  openDialectIdentifier,
} from "../../lib/arabic/dialect/identify.ts";
import {
  readRegionSentences,
  type RegionSentence,
  sharedSentences,
} from "../../lib/arabic/training/dialect-sentences.ts";
import { entriesHash, type EvalTask } from "../task.ts";

/**
 * F1 of each dialect that the sentences have, its mean over them, and the share of sentences that are right; one
 * prediction a line.
 */
type DialectFigures = {
  size: number;
  macroF1: number;
  accuracy: number;
  f1: Partial<Record<Dialect, number>>;
  predictions: string[];
};

/** Measures an identifier. RangeError when there is no sentence. */
export function evalDialect(sentences: readonly RegionSentence[], identify: DialectIdentifier): DialectFigures {
  if (sentences.length === 0) throw new RangeError("no sentence to measure");
  const found = sentences.map(({ text }) => identify(text).dialect);
  const f1: Partial<Record<Dialect, number>> = {};
  for (const dialect of DIALECTS) {
    const gold = sentences.filter((each) => each.dialect === dialect).length;
    if (gold === 0) continue;
    const right = sentences.filter((each, i) => each.dialect === dialect && found[i] === dialect).length;
    f1[dialect] = (2 * right) / (gold + found.filter((each) => each === dialect).length);
  }
  const all = Object.values(f1);
  return {
    size: sentences.length,
    macroF1: all.reduce((sum, each) => sum + each, 0) / all.length,
    accuracy: sentences.filter(({ dialect }, i) => found[i] === dialect).length / sentences.length,
    f1,
    predictions: sentences.map(({ dialect, text }, i) => `${dialect}\t${found[i]}\t${text}`),
  };
}

const REGIONS = fileURLToPath(new URL("../../nlp/lexicon/regions", import.meta.url));

/** Sentences of five regions and of the standard language. */
export const dialect: EvalTask = {
  name: "dialect",
  formats: "a folder with held-out.tsv, as nlp/lexicon/regions",
  sets: (data) => [
    { set: "held-out sentences of nlp/lexicon/regions", path: REGIONS },
    ...(existsSync(join(data, "linguistic"))
      ? [{ set: "Shami, UD South Levantine, UD PUD", path: join(data, "linguistic") }]
      : []),
  ],
  async load() {
    const identify = await openDialectIdentifier();
    return {
      async measure({ path }) {
        const isOwn = existsSync(join(path, "held-out.tsv"));
        const sentences = isOwn ? readRegionSentences(path, "held-out") : sharedSentences(dirname(path), "held-out");
        const { f1, macroF1, accuracy, size, predictions } = evalDialect(sentences, identify);
        return {
          figures: { "macro-F1": macroF1, accuracy, ...f1 },
          ...{ size, predictions, corpus: entriesHash(sentences) },
        };
      },
      async close() {},
    };
  },
};
