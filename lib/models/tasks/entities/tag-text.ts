import { at } from "../../../std/collections.ts";
import type { Context } from "../../../service/threads/mod.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import type { Entity } from "./aliases.ts";
import { findEntities, foldToken, sentenceTokens, spreadNames } from "./find-entities.ts";
import type { TextToken } from "../../../text/sentences.ts";
import { nestedEntities, type NestedSentence, type NestedText, nestedText, withAmounts } from "./nested.ts";
import { loadTagModel, NESTED } from "./tag-model.ts";
import type { TaggedSentence, TagModel, TokenSentence } from "./spans.ts";

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
export type TagOptions = { nestedOnly: boolean };

/**
 * Holds what it is asked: the entities of a text, its words with nested entities, or the tags of the sentences of a
 * document that are tokens already.
 */
export type TagInput = { text: string } | { nested: string } | { document: readonly TokenSentence[] };

/** The answer to a {@link TagInput} of the same kind. */
export type TagOutput = { entities: Entity[] } | { nested: NestedText } | { document: TaggedSentence[] };

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
