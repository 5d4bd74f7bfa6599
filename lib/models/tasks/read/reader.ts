import { readFile } from "node:fs/promises";
import { URL } from "node:url";
import type { ThreadsState } from "../../../service/threads/mod.ts";
import { type ModelCard, modelCard, modelId, readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { fourBitBytes, int8Columns } from "../../runtime/four-bit.ts";
import { createModelHost, type ModelOptions, ofRegistry, type RunOptions } from "../../runtime/model-host.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import { openSession, unusable } from "../../runtime/onnxruntime.ts";
import { FIRST, LAST, loadPieces, sharedFolder } from "../../tokenizers/pieces.ts";

/** Reads questions and sentences together, in a thread of its own. */
export interface Reader {
  /** `name@revision` */
  readonly modelId: string;
  /**
   * Returns a score a sentence, in order: the logarithm of the odds that it answers, higher for better. Any strings are
   * allowed; of a question 40 pieces are read, of a headline 24, of all together 128.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  read(question: string, sentences: readonly Omit<ReaderInput, "question">[], options?: RunOptions): Promise<number[]>;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

type ReaderOptions = Omit<ModelOptions, "maxQueue" | "background">;

/** Sentences of one run: a call that is abandoned leaves no more than two runs behind it. */
const RUN_SENTENCES = 8;

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createReader(options: ReaderOptions): Promise<Reader> {
  const { registry, model: name = registry.default("read"), threads = 1, ...rest } = options;
  const card = registry.card(name);
  const host = await createModelHost<ReaderInput, number, Float32Array>({
    module: new URL(import.meta.url),
    ...ofRegistry(registry, name, threads),
    units: ({ question, title, text }) => question.length + title.length + text.length,
    unpack: (scores) => [...scores],
    maxBatch: RUN_SENTENCES,
    ...rest,
  });
  return {
    modelId: modelId(card),
    read: (question, sentences, runOptions) =>
      host.run(
        sentences.map((sentence) => ({ ...sentence, question })),
        runOptions,
      ),
    threads: () => host.threads(),
    close: () => host.close(),
  };
}

/** A sentence to be read under its article's headline, together with a question. */
type ReaderInput = { question: string; title: string; text: string };

/** Pieces of a question and of a headline that are read, at most. */
const QUESTION_PIECES = 40;
const TITLE_PIECES = 24;

/** Holds what the graph calls the file with the weights of the lower layers. */
const WEIGHTS = "int8";

/** Opens the model in the thread that runs it. */
export async function openModel({
  dir,
  card,
  threads,
}: ModelData): Promise<ThreadModel<ReaderInput, Float32Array<ArrayBuffer>>> {
  const { prefixes, max_tokens: longest } = card;
  if (card.task !== "read" || !prefixes || !longest) {
    throw new InferenceError("model-invalid", `${card.name} is no reader`, { model: card.name });
  }
  const [graph, pieces, weights] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    loadPieces(dir, card),
    lowerWeights(dir, card),
  ]);
  const { session, Tensor } = await openSession(graph, card, threads, () => undefined, {
    files: { [WEIGHTS]: weights },
  });
  const piecesOf = (text: string): number[] => pieces.tokenizer.encode(text, longest).slice(1, -1);
  const idsOf = ({ question, title, text }: ReaderInput): number[] => {
    const asked = piecesOf(`${prefixes.query}${question}`).slice(0, QUESTION_PIECES);
    const headline = piecesOf(`${prefixes.passage}${title}`).slice(0, TITLE_PIECES);
    const ids = [FIRST, ...asked, LAST, ...headline, ...piecesOf(text)];
    return [...ids.slice(0, longest - 1), LAST];
  };
  return {
    async run(batch, { signal }) {
      const scores = new Float32Array(batch.length);
      for (const [place, input] of batch.entries()) {
        signal.throwIfAborted();
        const ids = idsOf(input);
        const words = new Tensor("float32", pieces.rowsOf(ids), [1, ids.length, pieces.width]);
        const { score } = await session.run({ words });
        const [value] = score?.data instanceof Float32Array ? score.data : [];
        if (value === undefined || !Number.isFinite(value)) throw unusable(card, new Error("a score is no number"));
        scores[place] = value;
        score?.dispose();
      }
      return scores;
    },
    release: () => session.release(),
    transfer: ({ buffer }) => [buffer],
  };
}

/**
 * Returns the weights of the lower layers, which are those of another model, in 8 bits.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` where they are not those that it was trained
 * over
 */
async function lowerWeights(dir: string, card: ModelCard): Promise<Uint8Array> {
  const { model: name = "", layers = 0, weights: expected } = card.lower ?? {};
  const folder = sharedFolder(dir, name);
  try {
    const lower = modelCard.parse(JSON.parse(await readFile(`${folder}/model.json`, "utf8")));
    if (lower.files["weights.bin"]?.sha256 !== expected) throw new Error(`${name} has other weights`);
    const shapes = Array.from({ length: layers }, () => lower.packed?.matrices ?? []).flat();
    const bytes = shapes.reduce((sum, shape) => sum + fourBitBytes(shape), 0);
    const packed = await readVerified(folder, lower, "weights.bin");
    return new Uint8Array(int8Columns(packed.subarray(0, bytes), shapes).buffer);
  } catch (cause) {
    if (cause instanceof InferenceError) throw cause;
    throw unusable(card, cause);
  }
}
