export { type ChainLink, chainOf } from "./chain/chain.ts";
export { creditsOf, isOwnCredit } from "./credits/credits.ts";
export { COPIES_VERSION, matchCopies } from "./copies/match.ts";
export { reportOf, STORIES_VERSION, STORY_RULES } from "./cluster/rules.ts";
export { queryStems } from "./cluster/traits.ts";
