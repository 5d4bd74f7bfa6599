export type { ArticleEntity, Entity } from "./entity.ts";
export { mergeEntities } from "./merge.ts";
export { displayName, nameKey } from "./names.ts";
export type { TaggedSentence, TokenSentence } from "./tag-model.ts";
export { createTagger, type Tagger, type TaggerOptions } from "./tagger.ts";
