import { z } from "zod";
import { at } from "../../../std/collections.ts";
import { createSlicer } from "../../../std/pacing.ts";
import { SpanTable } from "../../../std/spans.ts";
import { type ModelCard, readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { openSession, textOf, unusable } from "../../runtime/onnxruntime.ts";
import { loadPieces, type Pieces } from "../../tokenizers/pieces.ts";
import { nestedSpans } from "./nested.ts";
import {
  type Head,
  type NestedHeads,
  type NestedSpan,
  type SentenceScores,
  type TaggedSentence,
  type TagModel,
  tagSentence,
  type TokenSentence,
  type WordRanks,
} from "./spans.ts";
import { type Window, windowsOf } from "./windows.ts";

const label = z.string().regex(/^(?:O|[BI]-[A-Za-z][A-Za-z-]*)$/);

const head = z
  .object({
    name: z.string(),
    /** The first of its outputs among those of the model; one a label, in their order. */
    first: z.number().int().min(0),
    labels: z.array(label).min(1),
    /** From each label (row) to each label. */
    moves: z.array(z.array(z.number())),
    /** Confidence: the logistic function of scale × log-odds of the span + bias (Platt 1999). */
    scale: z.number().positive(),
    bias: z.number(),
  })
  .refine(({ labels, moves }) => moves.length === labels.length && moves.every((row) => row.length === labels.length), {
    error: "the moves are between other labels than the head's",
  });

const nested = z.object({
  /** The first of its outputs among those of the model: for each type in turn O, B and I. */
  first: z.number().int().min(0),
  types: z.array(z.string().regex(/^[A-Z]+$/)).min(1),
  /** As a head's. */
  scale: z.number().positive(),
  bias: z.number(),
  /**
   * The first of the outputs that say how many letters of an entity's first word stand before it: none, one, two and
   * so on.
   */
  cuts: z.object({ first: z.number().int().min(0), count: z.number().int().min(1) }),
});

/** Schema of `tagger.json`: the sets of types that a tagger can answer in; `nested`: its types for nested entities. */
export const taggerSettings = z.object({ heads: z.array(head).min(1), nested });

type TaggerSettings = z.infer<typeof taggerSettings>;

const NEVER = -10_000;

/** Returns the heads of a tagger by name. No sentence begins inside a name. */
export function readHeads({ heads }: Pick<TaggerSettings, "heads">): Map<string, Head> {
  return new Map(
    heads.map(({ name, first, labels, moves, scale, bias }) => [
      name,
      {
        first,
        labels,
        starts: Float32Array.from(labels, (label) => (label.startsWith("I-") ? NEVER : 0)),
        moves: Float32Array.from(moves.flat()),
        scale,
        bias,
      },
    ]),
  );
}

/** Returns the heads of nested entities, one a type. */
export function readNested({ nested }: Pick<TaggerSettings, "nested">): NestedHeads {
  const { first, types, scale, bias, cuts } = nested;
  return {
    types: types.map((type, number) => ({
      first: first + 3 * number,
      labels: ["O", `B-${type}`, `I-${type}`],
      starts: Float32Array.of(0, 0, NEVER),
      moves: Float32Array.of(0, 0, NEVER, 0, 0, 0, 0, 0, 0),
      scale,
      bias,
    })),
    cuts,
  };
}

/** A graph of a tagger: `model.onnx` for its heads, `nested.onnx` for nested entities. */
type TaggerGraph = {
  /** Returns all outputs of a window's words, one row a word. */
  run(window: Window): Promise<Float32Array>;
  release(): Promise<void>;
};

/** Opens a graph over the bytes of a file of the model. @throws InferenceError `model-invalid` */
async function openGraph(
  file: string,
  weights: Uint8Array,
  card: ModelCard,
  { threads, pieces }: { threads: number; pieces: Pieces },
): Promise<TaggerGraph> {
  const weightBits = card.files[file]?.weight_bits;
  const { session, Tensor } = await openSession(weights, card, threads, () => undefined, {
    weightBits,
    keepMemory: true,
  });
  return {
    async run({ ids, firsts }) {
      const { scores } = await session.run({
        words: new Tensor("float32", pieces.rowsOf(ids), [1, ids.length, pieces.width]),
        firsts: new Tensor("int32", Int32Array.from(firsts), [firsts.length]),
      });
      const { data } = scores ?? {};
      if (!(data instanceof Float32Array) || data.length % firsts.length !== 0) {
        throw unusable(card, new Error("the model's output is not a row of numbers for each word"));
      }
      return data;
    },
    release: () => session.release(),
  };
}

/** Numbers the lines of a text from 0; each says something else. */
export function lineNumbers(text: string): WordRanks {
  const lines = new SpanTable(text);
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    lines.add(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
  }
  return {
    has: (line) => lines.find(line) >= 0,
    get(line) {
      const number = lines.find(line);
      return number < 0 ? undefined : number;
    },
  };
}

/** Instead of the name of a head: the types for nested entities. */
export const NESTED = "nested";

/** `nestedOnly`: the graph of the heads is not loaded, and tag() throws. */
type TagModelOptions = { threads: number; nestedOnly?: boolean };

/**
 * Loads a tagger, and the pieces that it shares with other models, after checking their files; a call blocks the
 * calling thread for a window at a time.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadTagModel(
  dir: string,
  card: ModelCard,
  { threads, nestedOnly = false }: TagModelOptions,
): Promise<TagModel> {
  if (card.task !== "tag" || card.architecture !== "encoder-chain") {
    throw new InferenceError("model-invalid", `${card.name} is no tagger that can be run here`, { model: card.name });
  }
  const [ofHeads, ofNested, words, json, pieces] = await Promise.all([
    nestedOnly ? undefined : readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "nested.onnx"),
    readVerified(dir, card, "words.txt"),
    readVerified(dir, card, "tagger.json"),
    loadPieces(dir, card),
  ]);
  const settings = readSettings(card, textOf(json));
  const heads = readHeads(settings);
  const nested = readNested(settings);
  const graphs = {
    heads: ofHeads && (await openGraph("model.onnx", ofHeads, card, { threads, pieces })),
    nested: await openGraph("nested.onnx", ofNested, card, { threads, pieces }),
  };

  const idsOf = (word: string): readonly number[] => pieces.tokenizer.idsOf(asPiecesHave(word));
  const headOf = (name: string): Head => {
    const head = heads.get(name);
    if (head === undefined) throw new InferenceError("model-invalid", `${card.name} has no head ${name}`);
    return head;
  };
  const headTags = (head: Head, own: SentenceScores): TaggedSentence =>
    tagSentence(head, { ...own, offset: own.offset + head.first });

  /** Returns the outputs of a graph for each sentence of a document. */
  const outputsOf = async (
    graph: TaggerGraph,
    sentences: readonly (readonly string[])[],
    signal?: AbortSignal,
  ): Promise<SentenceScores[]> => {
    const rows: Float32Array[] = [];
    const due = createSlicer();
    for (const window of windowsOf(sentences, idsOf)) {
      await due();
      signal?.throwIfAborted();
      rows.push(await graph.run(window));
    }
    return bySentence(rows, sentences);
  };
  const tagAll = async (document: readonly TokenSentence[], signal?: AbortSignal): Promise<TaggedSentence[]> => {
    if (document.length === 0) return [];
    if (graphs.heads === undefined) {
      throw new InferenceError("model-invalid", `${card.name} was loaded for nested entities alone`);
    }
    const asked = document.map(({ head }) => headOf(head));
    const sentences = document.map(({ tokens }) => tokens);
    const outputs = await outputsOf(graphs.heads, sentences, signal);
    return asked.map((head, i) => headTags(head, at(outputs, i)));
  };
  const nestedAll = async (
    sentences: readonly (readonly string[])[],
    signal?: AbortSignal,
  ): Promise<NestedSpan[][]> => {
    const outputs = await outputsOf(graphs.nested, sentences, signal);
    return outputs.map((own) => nestedSpans(nested, own));
  };

  return {
    rank: lineNumbers(textOf(words)),
    tag: (document, { signal } = {}) => tagAll(document, signal),
    nested: (document, { signal } = {}) => nestedAll(document, signal),
    async read(document, { signal } = {}) {
      const tagged = await tagAll(
        document.filter(({ head }) => head !== NESTED),
        signal,
      );
      const spans = await nestedAll(
        document.filter(({ head }) => head === NESTED).map(({ tokens }) => tokens),
        signal,
      );
      let flat = 0;
      let deep = 0;
      return document.map(({ head }) => (head === NESTED ? { nested: at(spans, deep++) } : at(tagged, flat++)));
    },
    async release() {
      for (const graph of Object.values(graphs)) await graph?.release();
    },
  };
}

function readSettings(card: ModelCard, json: string): TaggerSettings {
  try {
    return taggerSettings.parse(JSON.parse(json));
  } catch (cause) {
    throw unusable(card, cause);
  }
}

/**
 * Returns a word as its pieces have it: without alef wasla, in the spelling of the Quran, and soft hyphens, which they
 * do not know, and with digits and per cent sign of the script that most news is written with.
 */
function asPiecesHave(word: string): string {
  return word
    .replaceAll("\u0671", "\u0627")
    .replaceAll("\u00ad", "")
    .replaceAll("\u066a", "%")
    .replace(ARABIC_DIGIT, (digit) => String((digit.codePointAt(0) ?? 0) & 15));
}

const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/gu;

/** Returns the scores of all windows of a document by its sentences. */
function bySentence(rows: readonly Float32Array[], sentences: readonly (readonly string[])[]): SentenceScores[] {
  const count = sentences.reduce((sum, { length }) => sum + length, 0);
  const scores = new Float32Array(rows.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const row of rows) {
    scores.set(row, from);
    from += row.length;
  }
  const stride = scores.length / Math.max(1, count);
  let next = 0;
  return sentences.map(({ length }) => {
    const offset = next * stride;
    next += length;
    return { scores, offset, stride, length };
  });
}
