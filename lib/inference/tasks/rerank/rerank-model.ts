import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tensor as OnnxTensor } from "onnxruntime-node";
import { type ModelCard, modelCard } from "../../models/card.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { openSession, textOf, unusable } from "../../runtime/open-session.ts";
import { loadPieces } from "../../tokenizers/pieces.ts";
import { sharedFolder } from "../../models/shared-folder.ts";
import { readVerified } from "../../models/verified-file.ts";
import { createRerankEncoder, STEP } from "./encoder.ts";
import { FEATURES } from "./features.ts";
import type { RerankInput } from "./passage.ts";
import { queryOf, stretchesOf } from "./read-text.ts";
import { readStaticRows, type StaticRows } from "../embed/static-rows.ts";

/** A reranking model in this thread. */
export interface RerankModel {
  /** A score a passage, in order; they compare passages of one call alone. */
  scores(input: RerankInput): Promise<Float32Array<ArrayBuffer>>;
  release(): Promise<void>;
}

/** The shipped model beside a reranker whose rows and tokenizer it matches with. */
const STATIC = "static-ar-en-256";
/** Numbers that the matching graph gives of a passage. */
const NUMBERS = FEATURES + 3;

/**
 * Loads a model after checking its files: `match.onnx` finds the best stretch of each passage by static vectors,
 * `model.onnx` reads the query and these stretches in context and judges. Every call of their sessions blocks the
 * calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadRerankModel(dir: string, card: ModelCard, threads: number): Promise<RerankModel> {
  const model = card.name;
  if (card.task !== "rerank" || card.architecture !== "late-interaction") {
    throw new InferenceError("model-invalid", `${model} is no reranker that can be run here`, { model });
  }
  const [matching, weights] = await Promise.all([
    readVerified(dir, card, "match.onnx"),
    readVerified(dir, card, "model.onnx"),
  ]);
  const [pieces, { rows, tokenizer }] = await Promise.all([loadPieces(dir, card), loadStatic(dir, card)]);
  const matcher = await openSession(matching, card, threads, () => createRerankEncoder(tokenizer));
  const reader = await openSession(weights, card, threads, () => undefined);
  const { Tensor, front: encode } = matcher;
  const ints = (values: Int32Array, shape: number[]) => new Tensor("int32", values, shape);
  const floats = (values: Float32Array, shape: number[]) => new Tensor("float32", values, shape);
  const read = (ids: Int32Array, shape: number[]) => ({
    ids: ints(ids, shape),
    words: floats(pieces.rowsOf(ids), [...shape, pieces.width]),
  });

  return {
    async scores(input) {
      const count = input.passages.length;
      if (count === 0) return new Float32Array();
      const encoded = encode(input);
      const { numbers, window } = await matcher.session.run({
        rows: floats(rows.rowsOf(encoded.tokens), [encoded.tokens.length, rows.width]),
        query: ints(encoded.query, [encoded.query.length]),
        query_weights: floats(encoded.queryWeights, [encoded.query.length]),
        importance: floats(encoded.importance, [encoded.query.length]),
        passages: ints(encoded.passages, [count, encoded.length]),
        weights: floats(encoded.weights, [count, encoded.length]),
        features: floats(encoded.features, [count, FEATURES]),
      });
      if (!(window?.data instanceof BigInt64Array)) throw unusable(card, new Error("match.onnx gives no windows"));
      const windows = Array.from(window.data, (number) => Number(number) * STEP);
      window.dispose();
      const known = copied(numbers, count * NUMBERS, card);
      const asked = queryOf(encoded.asked, pieces.tokenizer);
      const stretches = stretchesOf(encoded.read, windows, pieces.tokenizer);
      const query = read(asked.ids, [1, asked.length]);
      const passages = read(stretches.ids, [count, stretches.length]);
      const { scores } = await reader.session.run(
        {
          query_ids: query.ids,
          query_words: query.words,
          input_ids: passages.ids,
          words: passages.words,
          numbers: floats(known, [count, NUMBERS]),
        },
        ["scores"],
      );
      return copied(scores, count, card);
    },
    async release() {
      await Promise.all([matcher.session.release(), reader.session.release()]);
    },
  };
}

async function loadStatic(
  dir: string,
  model: ModelCard,
): Promise<{ rows: StaticRows; tokenizer: { model?: unknown } }> {
  const folder = sharedFolder(dir, STATIC);
  const card = await readFile(join(folder, "model.json"), "utf8")
    .then((text) => modelCard.parse(JSON.parse(text)))
    .catch((cause: unknown) => {
      throw unusable(model, cause);
    });
  const [weights, vocabulary] = await Promise.all([
    readVerified(folder, card, "model.onnx"),
    readVerified(folder, card, "tokenizer.json"),
  ]);
  try {
    return { rows: readStaticRows(weights, card), tokenizer: JSON.parse(textOf(vocabulary)) };
  } catch (cause) {
    throw unusable(card, cause);
  }
}

/**
 * The numbers of a tensor, which is given back. @throws InferenceError `model-invalid` when there are not `size` of
 * them
 */
function copied(tensor: OnnxTensor | undefined, size: number, card: ModelCard): Float32Array<ArrayBuffer> {
  const found = tensor?.data;
  if (!(found instanceof Float32Array) || found.length !== size) {
    throw unusable(card, new Error(`the model does not give ${size} numbers`));
  }
  const copy = new Float32Array(found);
  tensor?.dispose();
  return copy;
}
