import { URL } from "node:url";
import type { Context, ThreadsState } from "../../../service/threads/mod.ts";
import { at } from "../../../std/collections.ts";
import type { TextToken } from "../../../text/sentences.ts";
import { modelId } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost, type ModelOptions, ofRegistry, type RunOptions } from "../../runtime/model-host.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import type { Entity } from "./aliases.ts";
import { findEntities, foldToken, sentenceTokens, spreadNames } from "./find-entities.ts";
import { nestedEntities, type NestedSentence, type NestedText, nestedText, withAmounts } from "./nested.ts";
import type { TaggedSentence, TagModel, TokenSentence } from "./spans.ts";
import { loadTagModel, NESTED } from "./tag-model.ts";

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
    module: new URL(import.meta.url),
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

/** Returns the language whose names a sentence most likely holds, by the letters it is written in. */
function scriptOf(tokens: readonly TextToken[]): "ar" | "en" {
  let arabic = 0;
  let other = 0;
  for (const { text } of tokens) {
    if (/^(?=\p{Script=Arabic})\p{L}/u.test(text)) arabic++;
    else if (/^\p{L}/u.test(text)) other++;
  }
  return arabic >= other && arabic > 0 ? "ar" : "en";
}

/** Says which heads are asked for. */
type TagOptions = { nestedOnly: boolean };

/**
 * Holds what it is asked: the entities of a text, its words with nested entities, or the tags of the sentences of a
 * document that are tokens already.
 */
type TagInput = { text: string } | { nested: string } | { document: readonly TokenSentence[] };

/** The answer to a {@link TagInput} of the same kind. */
type TagOutput = { entities: Entity[] } | { nested: NestedText } | { document: TaggedSentence[] };

/** UTF-16 units of a token by which it is known again. */
const MAX_TOKEN_UNITS = 256;

/** Opens the model in the thread that runs it. */
export async function openModel({
  dir,
  card,
  ...options
}: ModelData & TagOptions): Promise<ThreadModel<TagInput, TagOutput[]>> {
  const model = await loadTagModel(dir, card, options);
  return {
    async run(batch, context) {
      const answers: TagOutput[] = [];
      for (const input of batch) {
        if ("text" in input) answers.push(await tagText(model, input.text, context));
        else if ("nested" in input) answers.push({ nested: await nestedText(model, input.nested, context) });
        else answers.push({ document: await tagDocument(model, input.document, context) });
      }
      return answers;
    },
    release: () => model.release(),
  };
}

/** Arabic sentences are read with the nested types, others with the head of their language. */
async function tagText(model: TagModel, text: string, context: Context): Promise<TagOutput> {
  const places = sentenceTokens(text);
  const document = places.map((tokens) => {
    const script = scriptOf(tokens);
    const head = script === "ar" ? NESTED : script;
    return { tokens: tokens.map((token) => token.text), head };
  });
  const answers = await model.read(document, context);
  const nested: NestedSentence[] = [];
  const flat: { tokens: readonly TextToken[]; sentence: TokenSentence; tagged: TaggedSentence }[] = [];
  answers.forEach((answer, i) => {
    const tokens = at(places, i);
    if ("nested" in answer) nested.push({ tokens, spans: withAmounts(answer.nested, tokens) });
    else flat.push({ tokens, sentence: at(document, i), tagged: answer });
  });
  const tagged = spread(
    flat.map(({ sentence }) => sentence),
    flat.map((each) => each.tagged),
  );
  const named = flat.map(({ tokens }, i) => ({ tokens, spans: at(tagged, i).spans }));
  const entities = [...findEntities(text, named, model.rank), ...nestedEntities(text, nested, model.rank)];
  return {
    entities: entities
      .map(({ type, text: shown, name, start, end, confidence }) => ({
        type,
        text: shown,
        name,
        start,
        end,
        confidence,
      }))
      .sort((a, b) => a.start - b.start || b.end - a.end),
  };
}

async function tagDocument(
  model: TagModel,
  document: readonly TokenSentence[],
  context: Context,
): Promise<TaggedSentence[]> {
  return spread(document, await model.tag(document, context));
}

/** Names that are sure in one sentence are known in the others. */
function spread(document: readonly TokenSentence[], tagged: readonly TaggedSentence[]): TaggedSentence[] {
  return spreadNames(
    document.map(({ tokens }, i) => ({
      tokens,
      words: tokens.map((token) => foldToken(token.slice(0, MAX_TOKEN_UNITS))),
      tagged: tagged[i] ?? { tags: [], spans: [] },
    })),
  );
}
