import { type PageFacts, at } from "../facts.ts";
import { CLOSING_HEADING, FURNITURE_WORDS } from "../vocabulary.ts";
import type { FeatureGroup } from "./group.ts";

const NAMES = [
  "words",
  "chars",
  "link-share",
  "links",
  "chars-a-word",
  "sentences",
  "words-a-sentence",
  "ending",
  "beginning",
  "capitals",
  "digits",
  "letters",
  "commas-a-word",
  "furniture-words",
  "rights-reserved",
  "address",
  "separator",
  "quotation",
  "emphasis",
  "lines",
  "date",
  "copies",
  "title-likeness",
  "closing-words",
];

/** Features of a block's own text. */
export function textFeatures(facts: PageFacts): FeatureGroup {
  return {
    names: NAMES,
    write(block, out, offset) {
      const it = facts.blocks[block];
      if (it === undefined) return;
      const { text, chars } = it;
      const words = at(facts.words, block);
      const sentences = at(facts.sentences, block);
      const letters = count(text, /\p{L}/gu) || 1;
      out.set(
        [
          words,
          chars,
          at(facts.linkShare, block),
          it.links,
          chars / words,
          sentences,
          words / (sentences || 0.5),
          endingOf(text),
          beginningOf(text),
          count(text, /\p{Lu}/gu) / letters,
          count(text, /\p{N}/gu) / chars,
          letters / chars,
          count(text, /[,،;؛]/g) / words,
          FURNITURE_WORDS.test(text) ? 1 : 0,
          /©|copyright|all rights|حقوق/i.test(text) ? 1 : 0,
          /@|https?:|www\./.test(text) ? 1 : 0,
          /[|·•›»→▸]/.test(text) ? 1 : 0,
          /^["'“«‘]/.test(text) ? 1 : 0,
          it.emphasis,
          count(text, /\n/g),
          isDated(text) ? 1 : 0,
          at(facts.copies, block),
          at(facts.titleLikeness, block),
          CLOSING_HEADING.test(text) ? 1 : 0,
        ],
        offset,
      );
    },
  };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function endingOf(text: string): number {
  if (/[.!?؟۔…。]["'”’»)\]]*$/.test(text)) return 1;
  if (/[:：]$/.test(text)) return 2;
  return /[,،;؛]$/.test(text) ? 3 : 0;
}

function beginningOf(text: string): number {
  if (/^\p{Ll}/u.test(text)) return 2;
  if (/^\p{L}/u.test(text)) return 1;
  return /^\p{N}/u.test(text) ? 3 : 4;
}

function isDated(text: string): boolean {
  return /\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\bago\b|منذ|\d{1,2}:\d\d/i.test(
    text,
  );
}
