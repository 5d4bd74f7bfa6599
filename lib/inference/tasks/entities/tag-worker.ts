import type { ModelCard } from "../../models/card.ts";
import type { Context } from "../../../threads/index.ts";
import { serveModel } from "../../runtime/model-worker.ts";
import type { Entity } from "./entity.ts";
import { findEntities } from "./find-entities.ts";
import { foldToken } from "./fold-token.ts";
import { scriptOf, sentenceTokens } from "./sentence-tokens.ts";
import { spreadNames } from "./spread-names.ts";
import { loadTagModel, type TagModel, type TokenSentence } from "./tag-model.ts";
import type { TaggedSentence } from "./tag-sentence.ts";

/** What the Worker is started with. */
export type TagWorkerData = { dir: string; card: ModelCard; threads: number };

/** What it is asked: the entities of a text, or the tags of the sentences of a document that are tokens already. */
export type TagInput = { text: string } | { document: readonly TokenSentence[] };

/** Its answer, of the same kind. */
export type TagOutput = { entities: Entity[] } | { document: TaggedSentence[] };

/** UTF-16 units of a token by which it is known again. */
const KNOWN_BY = 256;

serveModel(async ({ dir, card, threads }: TagWorkerData) => {
  const model = await loadTagModel(dir, card, threads);
  return {
    async run(batch: readonly TagInput[], context): Promise<TagOutput[]> {
      const answers: TagOutput[] = [];
      for (const input of batch) {
        answers.push(
          "text" in input
            ? await tagText(model, input.text, context)
            : { document: await tagDocument(model, input.document, context) },
        );
      }
      return answers;
    },
    release: () => model.release(),
  };
});

async function tagText(model: TagModel, text: string, context: Context): Promise<TagOutput> {
  const places = sentenceTokens(text);
  const sentences = places.map((tokens) => ({ tokens: tokens.map((token) => token.text), head: scriptOf(tokens) }));
  const tagged = await tagDocument(model, sentences, context);
  const found = places.map((tokens, i) => ({ tokens, spans: tagged[i]?.spans ?? [] }));
  return { entities: findEntities(text, found, model.rank) };
}

async function tagDocument(
  model: TagModel,
  document: readonly TokenSentence[],
  context: Context,
): Promise<TaggedSentence[]> {
  const tagged = await model.tag(document, context);
  return spreadNames(
    document.map(({ tokens }, i) => ({
      tokens,
      words: tokens.map((token) => foldToken(token.slice(0, KNOWN_BY))),
      tagged: tagged[i] ?? { tags: [], spans: [] },
    })),
  );
}
