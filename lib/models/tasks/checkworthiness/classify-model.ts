import type { InferenceSession } from "onnxruntime-node";
import { at } from "../../../std/collections.ts";
import { type Genre, GENRES, type ModelCard, readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import { openSession, textOf, unusable } from "../../runtime/onnxruntime.ts";
import { loadPieces, type Pieces } from "../../tokenizers/pieces.ts";
import { createSequenceTokenizer } from "../../tokenizers/sequence-tokenizer.ts";

/**
 * Sequences of one run of a model, padded with 0 to the longest: ids of shape [rows, length]. `rows` are indexes into
 * the sequences.
 */
export type SequenceBatch = { rows: readonly number[]; length: number; ids: Int32Array };

/** Cells of a padded batch whose states stay within a processor's second-level cache. */
const BATCH_CELLS = 512;

/** Share of a batch that may be padding: beyond it, a run more costs less than the cells. */
const PADDING_ID = 0.1;

/**
 * Groups sequences of similar length into batches of at most `cells` cells (or one sequence), of which at most a share
 * of `padding` is padding.
 */
export function batchSequences(
  sequences: readonly (readonly number[])[],
  cells: number = BATCH_CELLS,
  padding: number = PADDING_ID,
): SequenceBatch[] {
  const order = sequences.map((_, index) => index).sort((a, b) => lengthOf(sequences, a) - lengthOf(sequences, b));
  const batches: SequenceBatch[] = [];
  let rows: number[] = [];
  let filled = 0;
  for (const index of order) {
    const length = lengthOf(sequences, index);
    const size = (rows.length + 1) * length;
    if (rows.length > 0 && (size > cells || size - filled - length > size * padding)) {
      batches.push(padded(sequences, rows));
      rows = [];
      filled = 0;
    }
    rows.push(index);
    filled += length;
  }
  if (rows.length > 0) batches.push(padded(sequences, rows));
  return batches;
}

function lengthOf(sequences: readonly (readonly number[])[], index: number): number {
  return sequences[index]?.length ?? 0;
}

function padded(sequences: readonly (readonly number[])[], rows: readonly number[]): SequenceBatch {
  const length = Math.max(...rows.map((row) => lengthOf(sequences, row)));
  const ids = new Int32Array(rows.length * length);
  rows.forEach((row, place) => {
    ids.set(sequences[row] ?? [], place * length);
  });
  return { rows, length, ids };
}

/** The id of padding. */
const PADDED = 0;

/** Pieces of a sentence that are read over the shared pieces. */
const MAX_PIECES = 128;

/** Share of a batch that may be padding: the graph pays for it in its attention alone. */
const PADDING = 0.3;

/** A sentence, and which of the outputs that the model has for its genre is asked for. */
export type Asked = { text: string; genre: Genre; output: number };

/** A classifier in this thread. */
interface ClassifyModel {
  /** Opens the graphs that are asked. @throws as {@link loadClassifyModel} */
  open(asked: readonly Asked[]): Promise<void>;
  /** Returns the asked output of each sentence, a logit, in order. */
  logits(asked: readonly Asked[], options?: { signal?: AbortSignal }): Promise<Float64Array<ArrayBuffer>>;
  release(): Promise<void>;
}

/** A graph of a genre: ids of sentences to logits. */
type Graph = {
  encode(text: string): number[];
  /** Runs the graph; the caller disposes what it gives. */
  run(batch: SequenceBatch): Promise<InferenceSession.OnnxValueMapType>;
  release(): Promise<void>;
};

/** A graph that its first use opens, unless all are opened at once. */
type Part = {
  /** Tells whether the graph has a part in an output. */
  answers(output: number): boolean;
  open(): Promise<Graph>;
  release(): Promise<void>;
};

function partOf(answers: Part["answers"], load: () => Promise<Graph>): Part {
  let graph: Promise<Graph> | undefined;
  return {
    answers,
    open: () => (graph ??= load()),
    release: async () => await (await graph?.catch(() => undefined))?.release(),
  };
}

/** Says how graphs are opened; `isLazy`: each when it is asked first. */
export type ClassifyOptions = { isLazy: boolean };

/**
 * Loads a classifier; every call of its session blocks the calling thread while it computes. A file is checked when it
 * is opened.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadClassifyModel(
  dir: string,
  card: ModelCard,
  { threads, isLazy }: ClassifyOptions & Pick<ModelData, "threads">,
): Promise<ClassifyModel> {
  const { max_tokens: longest, calibration } = card;
  if (card.architecture !== "encoder-classifier" || longest === undefined || calibration === undefined) {
    const message = `${card.name} is no classifier that can be run here`;
    throw new InferenceError("model-invalid", message, { model: card.name });
  }
  const outputsOf = (genre: Genre) => calibration.filter((one) => one.genre === genre).length;
  let pieces: Promise<Pieces> | undefined;
  const overPieces = (file: string, answers: Part["answers"] = () => true): Part =>
    partOf(answers, () => {
      pieces ??= loadPieces(dir, card);
      return loadSharedPieces(dir, card, file, { threads, pieces });
    });
  const arabic = calibration.filter(({ genre }) => genre === "news").findIndex(({ lang }) => lang === "ar");
  const hasArabic = ARABIC_NEWS in card.files;
  const ownVocabulary = partOf(
    () => true,
    () => loadOwnVocabulary(dir, card, { threads, longest }),
  );
  const partsOf: Record<Genre, readonly Part[]> = {
    debate: [ownVocabulary, ...(SPEECH in card.files ? [overPieces(SPEECH)] : [])],
    news: [
      overPieces(NEWS, (output) => !hasArabic || output !== arabic),
      ...(hasArabic ? [overPieces(ARABIC_NEWS, (output) => output === arabic)] : []),
    ],
  };
  const models = GENRES.filter((genre) => outputsOf(genre) > 0).map((genre) => ({ genre, parts: partsOf[genre] }));
  if (!isLazy) await Promise.all(models.flatMap(({ parts }) => parts.map((part) => part.open())));

  async function run(model: Graph, batch: SequenceBatch, outputs: number): Promise<Float32Array> {
    const { logits } = await model.run(batch);
    const output = logits?.data;
    if (!(output instanceof Float32Array) || output.length !== batch.rows.length * outputs) {
      throw unusable(card, new Error(`the model's output is not of shape [batch, ${outputs}]`));
    }
    const kept = output.slice();
    logits?.dispose();
    return kept;
  }

  const isOf = (genre: Genre, part: Part) => (one: Asked) => one.genre === genre && part.answers(one.output);

  return {
    async open(asked) {
      for (const { genre, parts } of models)
        for (const part of parts) if (asked.some(isOf(genre, part))) await part.open();
    },
    async logits(asked, { signal } = {}) {
      const out = new Float64Array(asked.length);
      for (const { genre, parts } of models) {
        for (const part of parts) {
          const isAsked = isOf(genre, part);
          const places = asked.flatMap((one, place) => (isAsked(one) ? [place] : []));
          if (places.length === 0) continue;
          const graph = await part.open();
          const sequences = places.map((place) => graph.encode(at(asked, place).text));
          for (const batch of batchSequences(sequences, BATCH_CELLS, PADDING)) {
            signal?.throwIfAborted();
            const outputs = outputsOf(genre);
            const logits = await run(graph, batch, outputs);
            batch.rows.forEach((row, line) => {
              const place = at(places, row);
              out[place] = at(out, place) + at(logits, line * outputs + at(asked, place).output);
            });
          }
        }
      }
      return out;
    },
    release: async () => void (await Promise.all(models.flatMap(({ parts }) => parts.map((part) => part.release())))),
  };
}

type LoadOptions = { threads: number; longest: number };

/**
 * The graphs over the shared pieces. That of Arabic news answers in the place of that of news; what that of speeches
 * says is added to what the one over a vocabulary of its own does.
 */
const NEWS = "news.onnx";
const ARABIC_NEWS = "news-ar.onnx";
const SPEECH = "speech.onnx";

/** Loads the graph of debates that has a vocabulary of its own. */
async function loadOwnVocabulary(dir: string, card: ModelCard, { threads, longest }: LoadOptions): Promise<Graph> {
  const [weights, vocabulary] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "tokenizer.json"),
  ]);
  const makeTokenizer = () => createSequenceTokenizer(JSON.parse(textOf(vocabulary)), { byWord: true });
  const { session, Tensor, front } = await openSession(weights, card, threads, makeTokenizer, { keepMemory: true });
  return {
    encode: (text) => front.encode(text, longest),
    run: ({ rows, length, ids }) => session.run({ input_ids: new Tensor("int32", ids, [rows.length, length]) }),
    release: () => session.release(),
  };
}

/** Loads a graph over the shared pieces, whose rows it takes with their places. */
async function loadSharedPieces(
  dir: string,
  card: ModelCard,
  file: string,
  given: { threads: number; pieces: Promise<Pieces> },
): Promise<Graph> {
  const [weights, pieces] = await Promise.all([readVerified(dir, card, file), given.pieces]);
  const weightBits = card.files[file]?.weight_bits ?? 8;
  const options = { keepMemory: true, weightBits };
  const { session, Tensor } = await openSession(weights, card, given.threads, () => undefined, options);
  return {
    encode: (text) => pieces.tokenizer.encode(text, MAX_PIECES),
    run({ rows, length, ids }) {
      const present = ids.filter((id) => id !== PADDED);
      return session.run({
        input_ids: new Tensor("int32", ids, [rows.length, length]),
        words: new Tensor("float32", pieces.rowsOf(present), [present.length, pieces.width]),
      });
    },
    release: () => session.release(),
  };
}

/** Opens the model in the thread that runs it. */
export async function openModel({
  dir,
  card,
  ...options
}: ModelData & ClassifyOptions): Promise<ThreadModel<Asked, Float64Array<ArrayBuffer>>> {
  const model = await loadClassifyModel(dir, card, options);
  return {
    open: (batch) => model.open(batch),
    run: (batch, context) => model.logits(batch, context),
    release: () => model.release(),
    transfer: ({ buffer }) => [buffer],
  };
}
