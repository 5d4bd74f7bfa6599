export { type FeedItem, type OutgoingFeed, writeAtom, writeJsonFeed } from "./feed.ts";
