import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "@isnad/lib/web/egress";
import { type Feed, FeedError, plainTextOf, readFeed } from "@isnad/lib/web/feeds";
import type { FeedOutcome } from "./outcome.ts";

// Tags, and what the payloads of the cases would run.
const LEFT_OVER =
  /<\s*[/!?]?[a-z][^<>]*|javascript\s*:|vbscript\s*:|\balert\s*\(|\bon(?:click|error|load|mouse\w+)\s*=|document\s*\.|expression\s*\(/i;

/** The cases about harmful markup: every feed of the feedparser corpus, and the pages of miniflux's sanitiser. */
export function sanitiserCases(feeds: string): string[] {
  const feedparser = readdirSync(join(feeds, "feedparser"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".xml"))
    .map((name) => `feedparser/${name}`);
  const pages = readdirSync(join(feeds, "miniflux/sanitizer/testdata")).map(
    (name) => `miniflux/sanitizer/testdata/${name}`,
  );
  return [...feedparser, ...pages].sort();
}

/** Looks for markup and script in the texts that come out of a case; null for a file that is no feed. */
export function checkSanitised(feeds: string, file: string): FeedOutcome | null {
  const { text } = decodeText(readFileSync(join(feeds, file)));
  const texts = file.endsWith(".html") ? [plainTextOf(text)] : textsOf(text);
  if (texts === null) return null;
  const leftover = texts.map((each) => LEFT_OVER.exec(each)?.[0]).find((rest) => rest !== undefined);
  return { file, field: "texts", right: leftover === undefined, expected: "no markup, no script", found: leftover };
}

function textsOf(source: string): string[] | null {
  let feed: Feed;
  try {
    feed = readFeed(source);
  } catch (error) {
    if (error instanceof FeedError) return null;
    throw error;
  }
  return [
    feed.title,
    ...feed.entries.flatMap(({ title, author, contentText, summaryText, categories }) => [
      title,
      author,
      contentText,
      summaryText,
      ...categories,
    ]),
  ];
}
