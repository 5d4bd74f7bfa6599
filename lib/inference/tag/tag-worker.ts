import type { ModelCard } from "../card.ts";
import { serveModel } from "../model-worker.ts";
import type { Entity } from "./entity.ts";
import { findEntities } from "./find-entities.ts";
import { scriptOf, sentenceTokens } from "./sentence-tokens.ts";
import { spreadNames } from "./spread-names.ts";
import { loadTagModel, type TagModel, type TokenSentence } from "./tag-model.ts";
import type { TaggedSentence } from "./tag-sentences.ts";
import type { TextToken } from "./tokenise.ts";

/** What the Worker is started with. */
export type TagWorkerData = { dir: string; card: ModelCard; threads: number };

/** What it is asked: the entities of a text, or the tags of the sentences of a document that are tokens already. */
export type TagInput = { text: string } | { document: readonly TokenSentence[] };

/** Its answer, of the same kind. */
export type TagOutput = { entities: Entity[] } | { document: TaggedSentence[] };

/** A document with its sentences as tokens; those of a text with their places. */
type Prepared = { sentences: readonly TokenSentence[]; text?: string; places: readonly (readonly TextToken[])[] };

serveModel(async ({ dir, card, threads }: TagWorkerData) => {
  const model = await loadTagModel(dir, card, threads);
  return {
    async run(batch: readonly TagInput[]): Promise<TagOutput[]> {
      const prepared = batch.map(prepare);
      const tagged = await model.tag(prepared.flatMap(({ sentences }) => sentences));
      let next = 0;
      return prepared.map((input) => {
        const first = next;
        next += input.sentences.length;
        return answer(model, input, tagged.slice(first, next));
      });
    },
    release: () => model.release(),
  };
});

function prepare(input: TagInput): Prepared {
  if ("document" in input) return { sentences: input.document, places: [] };
  const places = sentenceTokens(input.text);
  const sentences = places.map((tokens) => ({ tokens: tokens.map(({ text }) => text), head: scriptOf(tokens) }));
  return { sentences, text: input.text, places };
}

function answer(
  { lexicon }: TagModel,
  { sentences, text, places }: Prepared,
  tagged: readonly TaggedSentence[],
): TagOutput {
  const document = spreadNames(
    sentences.map(({ tokens }, i) => ({
      tokens,
      words: tokens.map((token) => lexicon.facts(token).word),
      tagged: tagged[i] ?? { tags: [], spans: [] },
    })),
  );
  if (text === undefined) return { document };
  const found = places.map((tokens, i) => ({ tokens, spans: document[i]?.spans ?? [] }));
  return { entities: findEntities(text, found, lexicon.rank) };
}
