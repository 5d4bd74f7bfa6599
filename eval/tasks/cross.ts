import { fileURLToPath, URL } from "node:url";
import { DialectSentence } from "@isnad/lib/contract";
import { createEmbedder, createPassageReader, createReranker, openRegistry } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import { toCorpusSentence } from "../../lib/arabic/dialect/answer.ts";
import { createDialectCorpus } from "../../lib/arabic/dialect/corpus.ts";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { indexCollection } from "../indexed.ts";
import { type Collection, dataFolder, readCollection, readJsonLines } from "../retrieval-sets.ts";
import { entriesHash, type EvalTask } from "../task.ts";
import { evalRerank } from "./rerank.ts";
import { evalHybrid } from "./retrieval.ts";

/** A language that is asked in, and the one of the passages. */
type Direction = "ar-en" | "en-ar";

/** The collections of each language whose passages are searched, below the folder of the data. */
const PASSAGES: Record<Direction, readonly string[]> = {
  "ar-en": ["retrieval/tydiqa-goldp/beir-en"],
  "en-ar": ["retrieval/tydiqa-goldp/beir-ar-dev", "retrieval/arcd-train"],
};

/** The direction that the name of a file of questions says, as `test.ar-en.jsonl`; undefined for another name. */
export function directionOf(path: string): Direction | undefined {
  const name = /\.(ar-en|en-ar)\.jsonl$/.exec(path)?.[1];
  return name === "ar-en" || name === "en-ar" ? name : undefined;
}

/** All passages of the data folder in the language that is searched. */
export function passagesOf(data: string, direction: Direction): Collection["documents"] {
  const all = PASSAGES[direction].flatMap((folder) => readCollection(`${data}/${folder}`).documents);
  return [...new Map(all.map((document) => [document.id, document])).values()];
}

/** The questions of a file, each with the one passage that answers it. Throws where that is not among the passages. */
export function readQuestions(path: string, documents: Collection["documents"]): Collection {
  const ids = new Set(documents.map(({ id }) => id));
  const rows = readJsonLines(path).map((row) => ({
    id: String(row._id),
    text: String(row.text),
    passage: String(row.passage),
  }));
  const stray = rows.find(({ passage }) => !ids.has(passage));
  if (stray !== undefined) throw new Error(`${path}: ${stray.id}: there is no passage ${stray.passage}`);
  return {
    documents,
    queries: rows.map(({ id, text }) => ({ id, text })),
    grades: new Map(rows.map(({ id, passage }) => [id, new Map([[passage, 1]])])),
  };
}

const questions = (name: string): string => fileURLToPath(new URL(`../cross/${name}.jsonl`, import.meta.url));

/** Questions in one language about passages in the other one; with `full` reranked, too. */
export const cross: EvalTask = {
  name: "cross",
  formats: "a BEIR folder; or questions of eval/cross, about the passages of the data folder",
  sets: () => [
    { set: "Arabic to English", path: questions("test.ar-en") },
    { set: "English to Arabic", path: questions("test.en-ar") },
  ],
  async load({ full }) {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const embedder = await createEmbedder({ registry, timeoutMs: 600_000 });
    const reranker = full ? await createReranker({ registry, timeoutMs: 600_000 }) : undefined;
    const reader = full ? await createPassageReader({ registry, timeoutMs: 600_000 }) : undefined;
    return {
      async measure({ path }) {
        const collection = collectionAt(path);
        await using indexed = await indexCollection(collection, embedder);
        const { keyword, vector, hybrid, byScore, rankings } = await evalHybrid(indexed, collection);
        const reranked = reranker && (await evalRerank(indexed, { reranker, reader }, collection, { stage: "hybrid" }));
        const predictions = rankings.flatMap(({ query, ids, scores }) =>
          ids.map((id, place) => `${query}\t${id}\t${place + 1}\t${scores[place]?.toFixed(6)}`),
        );
        const figures = {
          "nDCG@10": hybrid,
          "by score": byScore,
          ...(reranked && { reranked: reranked.after }),
          "keyword alone": keyword,
          "vector alone": vector,
        };
        return { figures, size: collection.queries.length, predictions };
      },
      async close() {
        await embedder.close();
        await reranker?.close();
        await reader?.close();
      },
    };
  },
};

function collectionAt(path: string): Collection {
  const direction: Direction | undefined = directionOf(path);
  if (direction === undefined) return readCollection(path);
  const data = dataFolder(process.env);
  if (data === undefined) throw new Error("the passages stand in the data folder, and there is none");
  return readQuestions(path, passagesOf(data, direction));
}

/** Holds what the route asks for where nothing else is said. */
const ASKED = { topK: 3, threshold: 0.65 };

/**
 * Shares of words, signs left out: `found` has an entry, `lemma` has the right lemma of the standard language first,
 * `gloss` has that meaning first, word for word.
 */
type GlossaryFigures = { size: number; found: number; lemma: number; gloss: number; predictions: string[] };

/** Looks up the words of each subject among the sentences of all others. RangeError when there are not two subjects. */
export function evalGlossary(all: readonly DialectSentence[]): GlossaryFigures {
  const subjects = Map.groupBy(all, ({ id }) => id.replace(/-\d+$/, ""));
  if (subjects.size < 2) throw new RangeError("words are looked up in other subjects: there must be two");
  const counts = { size: 0, found: 0, lemma: 0, gloss: 0 };
  const predictions: string[] = [];
  for (const [subject, sentences] of subjects) {
    const others = [...subjects].flatMap(([name, own]) => (name === subject ? [] : own)).map(toCorpusSentence);
    const corpus = createDialectCorpus({ size: others.length, at: (place) => at(others, place) }, subject);
    for (const { token, msa_lemma, gloss } of sentences.flatMap(({ tokens }) => tokens)) {
      if (!/[\p{L}\p{N}]/u.test(token)) continue;
      const [best] = corpus.glossary(token, ASKED);
      counts.size++;
      if (best !== undefined) counts.found++;
      if (best?.lemma_msa === msa_lemma) counts.lemma++;
      if (best?.gloss === gloss) counts.gloss++;
      predictions.push([token, msa_lemma, gloss, best?.lemma_msa ?? "", best?.gloss ?? ""].join("\t"));
    }
  }
  const { size } = counts;
  return { size, found: counts.found / size, lemma: counts.lemma / size, gloss: counts.gloss / size, predictions };
}

const SENTENCES = fileURLToPath(new URL("../../nlp/lexicon/dialect", import.meta.url));

/** Words in dialect looked up among the sentences of all other subjects. */
export const glossary: EvalTask = {
  name: "glossary",
  formats: "a folder of *.jsonl, one file a subject, as nlp/lexicon/dialect",
  sets: () => [{ set: "nlp/lexicon/dialect, each subject left out", path: SENTENCES }],
  async load() {
    return {
      async measure({ path }) {
        const sentences = readEntries(path, DialectSentence);
        const { size, predictions, ...figures } = evalGlossary(sentences);
        return { figures, size, predictions, corpus: entriesHash(sentences) };
      },
      async close() {},
    };
  },
};
