import type { ModelCard } from "../card.ts";
import { serveModel } from "../model-worker.ts";
import type { Entity } from "./entity.ts";
import { findEntities } from "./find-entities.ts";
import { scriptOf, sentenceTokens } from "./sentence-tokens.ts";
import { loadTagModel, type TokenSentence } from "./tag-model.ts";
import type { TaggedSentence } from "./tag-sentences.ts";

/** What the Worker is started with. */
export type TagWorkerData = { dir: string; card: ModelCard; threads: number };

/** What it is asked: the entities of a text, or the tags of one sentence of given tokens. */
export type TagInput = { text: string } | TokenSentence;

/** Its answer, of the same kind. */
export type TagOutput = { entities: Entity[] } | TaggedSentence;

serveModel(async ({ dir, card, threads }: TagWorkerData) => {
  const model = await loadTagModel(dir, card, threads);
  const { rank } = model.lexicon;

  return {
    async run(batch: readonly TagInput[]): Promise<TagOutput[]> {
      const cut = batch.map((input) => ("text" in input ? sentenceTokens(input.text) : []));
      const sentences = batch.flatMap((input, i): TokenSentence[] =>
        "text" in input
          ? (cut[i] ?? []).map((tokens) => ({ tokens: tokens.map(({ text }) => text), head: scriptOf(tokens) }))
          : [input],
      );
      const tagged = await model.tag(sentences);
      let next = 0;
      return batch.map((input, i): TagOutput => {
        if (!("text" in input)) return tagged[next++] ?? { tags: [], spans: [] };
        const found = (cut[i] ?? []).map((tokens) => ({ tokens, spans: tagged[next++]?.spans ?? [] }));
        return { entities: findEntities(input.text, found, rank) };
      });
    },
    release: () => model.release(),
  };
});
