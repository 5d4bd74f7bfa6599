import { type PageFacts, at, between } from "../facts.ts";
import { CLOSING_HEADING } from "../vocabulary.ts";
import type { FeatureGroup } from "./group.ts";

const NAMES = [
  "position",
  "words-before",
  "prose-before",
  "prose-after",
  "words-left",
  "prose-words-before",
  "prose-words-after",
  "since-h1",
  "since-title",
  "has-title",
  "words-since-title",
  "since-heading",
  "words-since-heading",
  "heading-closes",
  "heading-level",
  "section-closes",
  "page-words",
  "page-blocks",
  "page-links",
  "page-prose",
];
const PSEUDO_HEADING_WORDS = 8;
const PSEUDO_HEADING_LEVEL = 7;

/**
 * Features of a block's place in the reading order: what went before and follows, and the heading that it stands under.
 */
export function orderFeatures(facts: PageFacts): FeatureGroup {
  const { total, titleAt, headingAt } = facts;
  const n = facts.blocks.length;
  const pageWords = at(total.words, n) || 1;
  const pageProse = at(total.prose, n) || 1;
  const headings = headingsAbove(facts);
  const page = [pageWords, n, at(total.linkChars, n) / (at(total.chars, n) || 1), pageProse / pageWords];
  return {
    names: NAMES,
    write(block, out, offset) {
      const above = headings[block] ?? { at: -1, closes: false, level: 0, section: false };
      const before = at(total.prose, block);
      const after = at(total.prose, n) - at(total.prose, block + 1);
      out.set(
        [
          block / n,
          at(total.words, block) / pageWords,
          before / pageProse,
          after / pageProse,
          at(total.words, n) - at(total.words, block + 1),
          before,
          after,
          headingAt < 0 ? 0 : block - headingAt,
          titleAt < 0 ? 0 : block - titleAt,
          titleAt < 0 ? 0 : 1,
          titleAt < 0 ? -1 : between(total.words, titleAt, block),
          above.at < 0 ? -1 : block - above.at,
          above.at < 0 ? -1 : between(total.words, above.at, block),
          above.closes ? 1 : 0,
          above.level,
          above.section ? 1 : 0,
          ...page,
        ],
        offset,
      );
    },
  };
}

interface HeadingAbove {
  readonly at: number;
  readonly closes: boolean;
  readonly level: number;
  /** True when it or a heading of a higher level around it closes the article. */
  readonly section: boolean;
}

function headingsAbove(facts: PageFacts): HeadingAbove[] {
  let current: HeadingAbove = { at: -1, closes: false, level: 0, section: false };
  let levels: boolean[] = [];
  return facts.blocks.map((block, i) => {
    const tag = facts.containers[block.container]?.tag ?? "";
    const level = /^h[1-6]$/.test(tag) ? Number(tag.slice(1)) : 0;
    const closes = CLOSING_HEADING.test(block.text);
    const pseudo = closes && at(facts.words, i) <= PSEUDO_HEADING_WORDS && at(facts.sentences, i) === 0;
    if (level > 0) {
      levels = levels.slice(0, level);
      levels[level] = closes;
    }
    if (level > 0 || pseudo) {
      current = { at: i, closes, level: level || PSEUDO_HEADING_LEVEL, section: levels.includes(true) };
    }
    return current;
  });
}
