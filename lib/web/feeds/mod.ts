export { type Feed, type FeedEntry, FeedError } from "./feed.ts";
export { webAddress } from "./text.ts";
export { foldedText, plainTextOf } from "./text.ts";
export { FEED_TYPES, readFeed } from "./feed.ts";
export { type OpmlDocument, OpmlError, type OpmlFeed } from "./opml.ts";
export { readOpml } from "./opml.ts";
export { type OpmlInput, writeOpml } from "./opml.ts";
export { childrenOf, firstChild, readXml, textUnder, type XmlElement } from "./xml.ts";
