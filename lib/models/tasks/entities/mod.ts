export { articleEntities } from "./article/article-entities.ts";
export type { ArticleEntity, Entity } from "./entity.ts";
export type { NestedEntity } from "./nested-entities.ts";
export type { NestedText } from "./nested-text.ts";
export type { TokenSentence } from "./tag-model.ts";
export type { TaggedSentence } from "./tag-sentence.ts";
export { createTagger, type Tagger, type TaggerOptions } from "./tagger.ts";
