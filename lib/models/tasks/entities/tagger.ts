import { URL } from "node:url";
import type { ThreadsState } from "../../../service/threads/mod.ts";
import { modelId } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost, type ModelOptions, ofRegistry, type RunOptions } from "../../runtime/model-host.ts";
import type { Entity } from "./aliases.ts";
import type { NestedText } from "./nested.ts";
import type { TaggedSentence, TokenSentence } from "./spans.ts";
import type { TagInput, TagOptions, TagOutput } from "./tag-text.ts";

/** Finds names in texts; calls made at the same time share runs of the model. */
export interface Tagger {
  /** `name@revision` */
  readonly modelId: string;
  /**
   * Returns the entities of each text, in order. Any string is allowed: in one without words, or in a script that the
   * model does not know, nothing (or little) is found; what lies beyond 200,000 UTF-16 units is not looked at.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  tag(texts: readonly string[], signal?: AbortSignal): Promise<Entity[][]>;
  /**
   * Returns the words of each text, and its entities of 21 types, which nest. Any string is allowed; all of it is read.
   * @throws as tag()
   */
  nested(texts: readonly string[], options?: RunOptions): Promise<NestedText[]>;
  /**
   * BIO tags and spans of sentences that are tokens already and belong together as one document, each with the head to
   * answer in: a name that is sure in one of them is known in the others.
   * @throws as tag()
   */
  tagTokens(document: readonly TokenSentence[], signal?: AbortSignal): Promise<TaggedSentence[]>;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

type TaggerOptions = ModelOptions & {
  /**
   * Only nested() is asked for, by many who wait: the graph of the other types is not loaded, and texts are read side
   * by side, so that a short one does not wait until long ones are read. Default false.
   */
  nestedOnly?: boolean;
};

/** UTF-16 units of the texts of one run: about 5,000 tokens. */
const MAX_UNITS = 30_000;

/**
 * The same where texts are read side by side, as many runs at a time: one that is longer has a run of its own. More
 * long texts than that wait, as all that are read together end together.
 */
const SIDE_BY_SIDE = { maxUnits: 1_000, maxRuns: 8 };

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createTagger(options: TaggerOptions): Promise<Tagger> {
  const { registry, threads = 1, nestedOnly = false, maxQueue, timeoutMs, background, idleMs, logger } = options;
  const name = options.model ?? registry.default("tag");
  const card = registry.card(name);
  const host = await createModelHost<TagInput, TagOutput, readonly TagOutput[]>({
    module: new URL("./tag-text.ts", import.meta.url),
    ...ofRegistry(registry, name, threads, { nestedOnly } satisfies TagOptions),
    // A short text does not wait until a long one is read.
    sideBySide: true,
    units: unitsOf,
    unpack: (outputs) => outputs,
    maxBatch: 256,
    ...(nestedOnly ? SIDE_BY_SIDE : { maxUnits: MAX_UNITS }),
    maxQueue,
    timeoutMs,
    background,
    idleMs,
    logger,
  });
  const wrong = (): InferenceError =>
    new InferenceError("worker-failed", `${name}: the thread's answer is of another kind`, { model: name });
  return {
    modelId: modelId(card),
    async tag(texts, signal) {
      const outputs = await host.run(
        texts.map((text) => ({ text })),
        { signal },
      );
      return outputs.map((output) => {
        if (!("entities" in output)) throw wrong();
        return output.entities;
      });
    },
    async nested(texts, options) {
      const outputs = await host.run(
        texts.map((nested) => ({ nested })),
        options,
      );
      return outputs.map((output) => {
        if (!("nested" in output)) throw wrong();
        return output.nested;
      });
    },
    async tagTokens(document, signal) {
      const [output] = await host.run([{ document }], { signal });
      if (output === undefined || !("document" in output)) throw wrong();
      return output.document;
    },
    threads: () => host.threads(),
    close: () => host.close(),
  };
}

function unitsOf(input: TagInput): number {
  if ("text" in input) return input.text.length;
  if ("nested" in input) return input.nested.length;
  return input.document.reduce((sum, { tokens }) => sum + 6 * tokens.length, 0);
}
