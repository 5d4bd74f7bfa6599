export { cutPassages, embedPassages } from "./reembed.ts";
export { followKeyword, KEYWORD_FIELDS, keywordDocs } from "./keyword-sink.ts";
export { embedMissing, reembed } from "./reembed.ts";
export { followRemote } from "./keyword-sink.ts";
