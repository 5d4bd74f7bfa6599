export { articleEntities } from "./article/article-entities.ts";
export type { ArticleEntity, Entity } from "./entity.ts";
export type { NestedEntity } from "./nested.ts";
export type { NestedText } from "./nested.ts";
export type { TokenSentence } from "./tag-model.ts";
export type { TaggedSentence } from "./spans.ts";
export { createTagger, type Tagger, type TaggerOptions } from "./tagger.ts";
