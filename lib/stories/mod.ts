export { type ChainLink, chainOf } from "./chain/chain.ts";
export { COPIES_VERSION, matchCopies } from "./copies/match.ts";
export { storyOf } from "./story-of.ts";
