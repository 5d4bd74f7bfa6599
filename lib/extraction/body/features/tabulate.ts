import { at, between, type FeatureGroup, type PageFacts } from "../facts.ts";
import { CLOSING_HEADING, FURNITURE_WORDS } from "../vocabulary.ts";
import { aroundFeatures, centreFeatures } from "./neighbours.ts";
import { orderFeatures, placeFeatures } from "./place.ts";

const LEVELS = 6;
const PER_LEVEL = ["share", "link-share", "blocks", "words-a-block", "prose", "prose-share", "short", "children"];
const ENCLOSURE_NAMES = Array.from({ length: LEVELS }, (_, level) =>
  PER_LEVEL.map((name) => `up${level}-${name}`),
).flat();

/** Features of the containers around a block, from its own outwards: size, links, and how much of it is prose. */
function enclosureFeatures(facts: PageFacts): FeatureGroup {
  const { containers, total } = facts;
  const pageWords = at(total.words, total.words.length - 1) || 1;
  const pageProse = at(total.prose, total.prose.length - 1) || 1;
  const children = new Int32Array(containers.length);
  for (const { parent } of containers) if (parent >= 0) children[parent] = at(children, parent) + 1;
  const rows = containers.map(({ first, last }, index) => {
    const blocks = last - first || 1;
    const words = between(total.words, first, last);
    const prose = between(total.prose, first, last);
    return [
      words / pageWords,
      between(total.linkChars, first, last) / (between(total.chars, first, last) || 1),
      blocks,
      words / blocks,
      prose / (words || 1),
      prose / pageProse,
      between(total.short, first, last) / blocks,
      at(children, index),
    ];
  });
  return {
    names: ENCLOSURE_NAMES,
    write(block, out, offset) {
      let index = facts.blocks[block]?.container ?? 0;
      for (let level = 0; level < LEVELS; level++) {
        out.set(rows[index] ?? [], offset + level * PER_LEVEL.length);
        const parent = containers[index]?.parent ?? -1;
        if (parent >= 0) index = parent;
      }
    },
  };
}

const TEXT_NAMES = [
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
function textFeatures(facts: PageFacts): FeatureGroup {
  return {
    names: TEXT_NAMES,
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

/** The features of all blocks of a page. */
interface FeatureTable {
  readonly names: readonly string[];
  /** One row a block, `names.length` values each. */
  readonly values: Float32Array;
}

/** Computes the features of all blocks of a page. */
export function tabulate(facts: PageFacts): FeatureTable {
  const groups: FeatureGroup[] = [
    textFeatures,
    placeFeatures,
    enclosureFeatures,
    centreFeatures,
    orderFeatures,
    aroundFeatures,
  ].map((make) => make(facts));
  const names = groups.flatMap((group) => group.names);
  const values = new Float32Array(names.length * facts.blocks.length);
  let offset = 0;
  for (let block = 0; block < facts.blocks.length; block++) {
    for (const group of groups) {
      group.write(block, values, offset);
      offset += group.names.length;
    }
  }
  return { names, values };
}
