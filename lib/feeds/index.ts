export { type Enclosure, type Feed, type FeedEntry, FeedError, type FeedOptions } from "./feed.ts";
export { webAddress } from "./links.ts";
export { foldedText, plainTextOf } from "./plain-text.ts";
export { readFeed } from "./read-feed.ts";
