import { classOf, type HtmlElement } from "../../page/dom.ts";
import {
  ANCESTORS,
  at,
  between,
  CLOSING_HEADING,
  type FeatureGroup,
  FURNITURE,
  FURNITURE_WORDS,
  type PageFacts,
  PURPOSES,
  tagRank,
} from "../facts.ts";
import { aroundFeatures, centreFeatures } from "./neighbours.ts";

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

const FAR = 99;
const COVERS_PAGE = 0.8;
const PLACE_NAMES = [
  "tag",
  "depth",
  "relative-depth",
  "is-paragraph",
  "hidden",
  ...PURPOSES.map(([name]) => `purpose-${name}`),
  ...ANCESTORS.map((tag) => `in-${tag}`),
];

/** Features of where a block stands: its element, and how many levels up the nearest ancestor of each kind is. */
function placeFeatures(facts: PageFacts): FeatureGroup {
  const { containers, total } = facts;
  const pageWords = at(total.words, total.words.length - 1) || 1;
  const purposes: Uint8Array[] = [];
  const ancestors: Uint8Array[] = [];
  const labels = new Map<string, readonly number[]>();
  let deepest = 1;
  for (const container of containers) {
    deepest = Math.max(deepest, container.depth);
    const covers = between(total.words, container.first, container.last) / pageWords > COVERS_PAGE;
    const isEmpty = container.first === container.last;
    const label = isEmpty ? "" : labelOf(container.element);
    const said = label === "" ? NOTHING : purposesIn(label, labels);
    const above = levelsAbove(purposes[container.parent]);
    for (const k of said) if (!(covers && k < FURNITURE)) above[k] = 0;
    purposes.push(above);
    const tags = levelsAbove(ancestors[container.parent], ANCESTORS.length);
    const own = ANCESTORS.indexOf(container.tag);
    if (own >= 0) tags[own] = 0;
    ancestors.push(tags);
  }
  return {
    names: PLACE_NAMES,
    write(block, out, offset) {
      const index = facts.blocks[block]?.container ?? 0;
      const container = containers[index];
      if (container === undefined) return;
      const { tag, depth } = container;
      out.set([tagRank(tag), depth, depth / deepest, tag === "p" ? 1 : 0, container.hidden ? 1 : 0], offset);
      out.set(purposes[index] ?? [], offset + 5);
      out.set(ancestors[index] ?? [], offset + 5 + PURPOSES.length);
    },
  };
}

const NOTHING: readonly number[] = [];

/** Tells which of {@link PURPOSES} a label names; elements of a page share their labels. */
function purposesIn(label: string, labels: Map<string, readonly number[]>): readonly number[] {
  const before = labels.get(label);
  if (before !== undefined) return before;
  const said = PURPOSES.flatMap(([, pattern], k) => (pattern.test(label) ? [k] : []));
  labels.set(label, said);
  return said;
}

/** One level further from everything than the container above. */
function levelsAbove(above: Uint8Array | undefined, length: number = PURPOSES.length): Uint8Array {
  const levels = new Uint8Array(length).fill(FAR);
  if (above !== undefined) for (let k = 0; k < length; k++) levels[k] = Math.min(FAR, (above[k] ?? FAR) + 1);
  return levels;
}

function labelOf(element: HtmlElement | null): string {
  if (element === null) return "";
  let label = `${classOf(element)} `;
  for (const name of ["id", "role", "itemprop", "data-testid", "data-component"]) {
    const value = element.getAttribute(name);
    if (value !== null) label += `${value} `;
  }
  return label.toLowerCase().replaceAll("_", "-").trim();
}

const ORDER_NAMES = [
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
function orderFeatures(facts: PageFacts): FeatureGroup {
  const { total, titleAt, headingAt } = facts;
  const n = facts.blocks.length;
  const pageWords = at(total.words, n) || 1;
  const pageProse = at(total.prose, n) || 1;
  const headings = headingsAbove(facts);
  const page = [pageWords, n, at(total.linkChars, n) / (at(total.chars, n) || 1), pageProse / pageWords];
  return {
    names: ORDER_NAMES,
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
