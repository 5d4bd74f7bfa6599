export { type Enclosure, type Feed, type FeedEntry, FeedError, type FeedOptions } from "./feed.ts";
export { readFeed } from "./read-feed.ts";
