import type { ModelCard } from "../card.ts";
import { InferenceError } from "../errors.ts";
import { readVerified } from "../verified-file.ts";
import { bestPath, type TagSpan } from "./chain.ts";
import { pack } from "./pack.ts";
import { headsOf, taggerSettings } from "./settings.ts";
import { withProbabilities } from "./span-probability.ts";
import { spansOf } from "./spans.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

/** A sentence for the tagger: its tokens, and the head (set of types) to answer in. */
export type TokenSentence = { tokens: readonly string[]; head: string };

/** The answer for one sentence: a BIO tag a token, and the spans with calibrated probabilities. */
export type TaggedSentence = { tags: string[]; spans: TagSpan[] };

/** A tagger in this thread. */
export interface TagModel {
  /** Names of the heads. */
  readonly heads: readonly string[];
  readonly vocabulary: Vocabulary;
  tag(sentences: readonly TokenSentence[]): Promise<TaggedSentence[]>;
  release(): Promise<void>;
}

/** Places of one run: few enough for the processor's second-level cache, many enough for large matrix products. */
const RUN_PLACES = 1024;

/** Loads a tagger after checking its files; a call blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` */
export async function loadTagModel(dir: string, card: ModelCard, threads: number): Promise<TagModel> {
  const unusable = (cause: unknown): InferenceError =>
    new InferenceError("model-invalid", `${card.name}: the model cannot be loaded`, { model: card.name, cause });
  if (card.task !== "tag" || card.architecture !== "dilated-tagger") {
    throw new InferenceError("model-invalid", `${card.name} is no tagger that can be run here`, { model: card.name });
  }
  const [onnx, words, json] = await Promise.all(
    ["model.onnx", "words.txt", "tagger.json"].map((file) => readVerified(dir, card, file)),
  );
  if (onnx === undefined) throw unusable(new Error("model.onnx was not read"));
  const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
  const parsed = taggerSettings.safeParse(readJson(text(json)));
  if (!parsed.success) throw unusable(parsed.error);
  const { buckets, gap } = parsed.data;
  const heads = headsOf(parsed.data);
  const vocabulary = createVocabulary(text(words).trimEnd().split("\n"), buckets);
  // onnxruntime is loaded by the first model of a thread: it takes tens of megabytes
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const options = { intraOpNumThreads: threads, interOpNumThreads: 1, enableCpuMemArena: false };
  const session = await InferenceSession.create(onnx, options).catch((cause: unknown) =>
    Promise.reject(unusable(cause)),
  );

  /** Scores of all heads for packed sentences: a row a place. */
  const run = async (packed: ReturnType<typeof pack>): Promise<Float32Array> => {
    const { distinct, width, length } = packed;
    const { scores } = await session.run({
      ids: new Tensor("int32", packed.ids, [distinct, width]),
      weights: new Tensor("float32", packed.weights, [distinct, width]),
      stems: new Tensor("int32", packed.stems, [distinct]),
      index: new Tensor("int32", packed.index, [length]),
      shapes: new Tensor("int32", packed.shapes, [length]),
      mask: new Tensor("float32", packed.mask, [length, 1]),
    });
    if (!(scores?.data instanceof Float32Array)) throw unusable(new Error("the model's output is no row of numbers"));
    return scores.data;
  };

  const answer = (
    { tokens, head: name }: TokenSentence,
    scores: Float32Array,
    start: number,
    stride: number,
  ): TaggedSentence => {
    const head = heads.get(name);
    if (head === undefined) throw new InferenceError("model-invalid", `${card.name} has no head ${name}`);
    const at = { scores, offset: start * stride + head.offset, stride, length: tokens.length };
    const path = bestPath(head, at);
    const tags = path.map((label) => head.labels[label] ?? "O");
    const spans = withProbabilities(head, at, spansOf(tags)).map((span) => ({
      ...span,
      probability: calibrated(span.probability, head),
    }));
    return { tags, spans };
  };

  return {
    heads: [...heads.keys()],
    vocabulary,
    async tag(sentences) {
      const out: TaggedSentence[] = sentences.map(() => ({ tags: [], spans: [] }));
      for (const batch of runsOf(sentences, gap)) {
        const packed = pack(
          batch.map(({ sentence }) => sentence.tokens.map(vocabulary.features)),
          gap,
        );
        const scores = await run(packed);
        const stride = scores.length / packed.length;
        batch.forEach(({ sentence, place }, i) => {
          out[place] = answer(sentence, scores, packed.starts[i] ?? 0, stride);
        });
      }
      return out;
    },
    release: () => session.release(),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function calibrated(probability: number, { scale, bias }: { scale: number; bias: number }): number {
  const p = Math.min(1 - 1e-6, Math.max(1e-6, probability));
  return 1 / (1 + Math.exp(-(scale * Math.log(p / (1 - p)) + bias)));
}

/** The sentences that have tokens, with their places among all, in runs of at most RUN_PLACES places (or one sentence). */
function* runsOf(
  sentences: readonly TokenSentence[],
  gap: number,
): Generator<{ sentence: TokenSentence; place: number }[]> {
  let run: { sentence: TokenSentence; place: number }[] = [];
  let places = 0;
  for (const [place, sentence] of sentences.entries()) {
    if (sentence.tokens.length === 0) continue;
    if (run.length > 0 && places + sentence.tokens.length + gap > RUN_PLACES) {
      yield run;
      run = [];
      places = 0;
    }
    run.push({ sentence, place });
    places += sentence.tokens.length + gap;
  }
  if (run.length > 0) yield run;
}
