export { type Feed, type FeedEntry, FeedError } from "./feed.ts";
export { webAddress } from "./construct.ts";
export { foldedText, plainTextOf } from "./plain-text.ts";
export { FEED_TYPES, readFeed } from "./read-feed.ts";
export { type OpmlDocument, OpmlError, type OpmlFeed } from "./opml.ts";
export { readOpml } from "./opml.ts";
export { type OpmlInput, writeOpml } from "./opml.ts";
export { childrenOf, firstChild, inherited, readXml, textUnder, type XmlElement } from "./xml.ts";
