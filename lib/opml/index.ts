export { type OpmlDocument, OpmlError, type OpmlFeed, type OpmlProblem } from "./opml.ts";
export { readOpml } from "./read-opml.ts";
export { type OpmlInput, writeOpml } from "./write-opml.ts";
