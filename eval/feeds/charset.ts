import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "@isnad/lib/web/egress";
import type { FeedOutcome } from "./outcome.ts";

/** A file by its path below the feeds folder, and the name of its charset in the WHATWG Encoding Standard. */
export type CharsetCases = Readonly<Record<string, string>>;

/** Decodes a file by its bytes alone: right when the charset is found and nothing came out as U+FFFD. */
export function checkCharset(feeds: string, file: string, expected: string): FeedOutcome {
  const { text, charset } = decodeText(readFileSync(join(feeds, file)));
  const actual = text.includes("\ufffd") ? `${charset}, with undecodable bytes` : charset;
  return { file, field: "charset", right: actual === expected, expected, found: actual };
}
