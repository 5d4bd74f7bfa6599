import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findDates, isDateLine, wordsBesideDates } from "../../text/dates/mod.ts";
import { hasLead, namesIn } from "../fields/names.ts";
import type { HtmlElement } from "../page/dom.ts";
import type { Block, BlockTree, Container } from "./blocks.ts";
import { at, countWords, type PageFacts } from "./facts.ts";
import { tabulate } from "./features/tabulate.ts";
import { closingBlocks, isFurnitureLine, withoutFurnitureLines } from "./furniture-lines.ts";
import { withoutRepeats } from "./repeats.ts";

/** The text of an article as found on a page. */
export interface FoundBody {
  /** Paragraphs separated by an empty line, items of a list by a line feed. */
  readonly text: string;
  readonly words: number;
  /** Of these, the words of blocks that are not links mainly. */
  readonly running: number;
  /** Says how sure the model is of what it took and what it left, by words: 0.5 (guessing) to 1. */
  readonly confidence: number;
  /** Index of its last block, -1 for none. */
  readonly lastAt: number;
  /** Holds what holds the title and the text, null where that is the whole page. */
  readonly element: HtmlElement | null;
}

/** Finds the article's text: the blocks that the model holds for part of it, in reading order. */
export function findBody(tree: BlockTree, facts: PageFacts): FoundBody {
  const { forest, threshold } = blockModel();
  const probabilities = predict(forest, tabulate(facts).values);
  const highest = probabilities.reduce((top, p) => Math.max(top, p), 0);
  // On a page unlike those of the training the model trusts no block much: the likeliest count.
  const lowered = highest < UNLIKELY ? threshold : Math.min(threshold, highest * SHARE);
  return collect(tree, facts, probabilities, lowered);
}

function collect(tree: BlockTree, facts: PageFacts, probabilities: Float32Array, threshold: number): FoundBody {
  const title = titleOf(facts);
  const likely = (block: Block, i: number) =>
    at(probabilities, i) >= threshold && i !== title && !isMenu(facts, i) && !isFurnitureLine(block.text);
  const marks = tree.blocks.map(likely);
  const { first } = boxOf(tree, facts, marks, BEFORE);
  const { last } = boxOf(tree, facts, marks, AFTER);
  const chosen: Block[] = [];
  let begun = false;
  let sure = 0;
  let seen = 0;
  let firstAt = -1;
  let lastAt = -1;
  for (const [i, block] of tree.blocks.entries()) {
    const probability = at(probabilities, i);
    const size = at(facts.words, i);
    const text = likely(block, i) && i >= first && i < last ? withoutFurnitureLines(block.text) : "";
    const own: string = begun || isHeading(tree, block) ? text : withoutHead(text);
    const taken = own !== "" && !isTimeOfEntry(tree, block);
    begun ||= taken && at(facts.sentences, i) > 0;
    if (taken) {
      chosen.push({ ...block, text: own });
      if (firstAt < 0) firstAt = i;
      lastAt = i;
    }
    // Furniture is easy to tell: only what was taken, and what nearly was, says how sure the model is.
    if (probability >= NEARLY) {
      seen += size;
      sure += size * (taken ? probability : 1 - probability);
    }
  }
  const element = elementAround(tree, facts.titleAt < 0 ? firstAt : Math.min(firstAt, facts.titleAt), lastAt);
  const confidence = seen === 0 ? 0 : sure / seen;
  const read = withoutRepeats(chosen.slice(0, chosen.length - closingBlocks(chosen.map(({ text }) => text))), tree);
  const words = read.reduce((sum, { text }) => sum + countWords(text), 0);
  const linked = read.filter(({ linkChars, chars }) => linkChars >= chars * MAINLY);
  const running = words - linked.reduce((sum, { text }) => sum + countWords(text), 0);
  return { text: joinBlocks(read, tree), words, running, confidence, lastAt, element };
}

/**
 * Returns the innermost container of the title and nearly all of the words that the model takes: what it takes
 * elsewhere on the page is of a column beside the article.
 */
function boxOf({ containers, blocks }: BlockTree, facts: PageFacts, likely: readonly boolean[], share: number): Span {
  const { words, titleAt, titleLikeness, prose, linkShare } = facts;
  const whole = { first: 0, last: blocks.length };
  const before = new Float64Array(blocks.length + 1);
  for (let i = 0; i < blocks.length; i++) before[i + 1] = at(before, i) + (likely[i] === true ? at(words, i) : 0);
  const enough = at(before, blocks.length) * share;
  const inner = at(titleLikeness, titleAt) >= SAME ? (blocks[titleAt]?.container ?? -1) : -1;
  for (let c = inner; c >= 0; c = containers[c]?.parent ?? -1) {
    const box = containers[c];
    if (box === undefined || at(before, box.last) - at(before, box.first) < enough) continue;
    // Labels around the box are its own; other articles have sentences, or links to them.
    const isOther = (i: number) => at(prose, i) > 0 || at(linkShare, i) > MENU_SHARE;
    return likely.some((taken, i) => taken && (i < box.first || i >= box.last) && isOther(i)) ? box : whole;
  }
  return whole;
}

/** Tells a menu above the title that stands in one line. */
function isMenu({ blocks, linkShare, titleAt }: PageFacts, i: number): boolean {
  return i < titleAt && (blocks[i]?.links ?? 0) >= MENU_LINKS && at(linkShare, i) > MENU_SHARE;
}

const MENU_LINKS = 3;
const MENU_SHARE = 0.8;

type Span = Pick<Container, "first" | "last">;

/** Returns the innermost element that holds two blocks and those between them. */
function elementAround({ blocks, containers }: BlockTree, firstAt: number, lastAt: number): HtmlElement | null {
  for (let c = blocks[firstAt]?.container ?? -1; c >= 0; c = containers[c]?.parent ?? -1) {
    const box = containers[c];
    if (box !== undefined && box.last > lastAt) return /^(?:body|html)$/.test(box.tag) ? null : box.element;
  }
  return null;
}

/**
 * Returns a block above the text without its first lines that say when or by whom: facts of the article and no part of
 * it, and "3 hours ago" is another text tomorrow.
 */
function withoutHead(text: string): string {
  const lines = text.split("\n");
  let isDated = false;
  const start = lines.findIndex((line) => {
    const words = countWords(line);
    const isDate = isDateLine(line) || (words <= META && isBesideDate(line));
    const isByline = words <= BYLINE && ((isDated && line.endsWith(":")) || isSigned(line));
    isDated ||= isDate;
    return !(isDate || isByline || line === "");
  });
  return start === 0 ? text : start < 0 ? "" : lines.slice(start).join("\n");
}

function isSigned(line: string): boolean {
  return hasLead(line) && !/[.!?؟:]$/.test(line) && namesIn([line]).length > 0;
}

/** Tells a line of a date and a name, a section or a time of reading. */
function isBesideDate(line: string): boolean {
  return !/[.!?؟]$/.test(line) && findDates(line).length > 0 && wordsBesideDates(line).length <= META_NAMES;
}

function isHeading({ containers }: BlockTree, { container }: Block): boolean {
  return /^h[1-6]$/.test(containers[container]?.tag ?? "");
}

/** Tells a time of day above an entry of a live blog; in a table or a list it is part of a programme. */
function isTimeOfEntry({ containers }: BlockTree, { container, text }: Block): boolean {
  return TIME_OF_DAY.test(text) && !CLOSE.has(containers[container]?.tag ?? "");
}

const TIME_OF_DAY = /^[\d٠-٩]{1,2}[:.][\d٠-٩]{2}(?:\s?(?:[ap]\.?m\.?|[صم]|صباحا|مساء|gmt|bst|e[sd]?t))?$/iu;

/** Returns the block that only repeats the title, -1 for none. */
function titleOf({ titleAt, titleLikeness, words, total }: PageFacts): number {
  const isTitle = at(titleLikeness, titleAt) >= SAME && at(total.words, words.length) - at(words, titleAt) >= FEW;
  return isTitle ? titleAt : -1;
}

const SAME = 0.75;
/** Words of a byline, of a line with a date, and of these beside the date. */
const BYLINE = 8;
const META = 14;
const META_NAMES = 4;
/** Share of the words that the model takes. */
const BEFORE = 0.6;
const AFTER = 0.85;
const NEARLY = 0.1;
const MAINLY = 0.5;
const SHARE = 0.6;
const UNLIKELY = 0.12;
/** A text of fewer words may be its title alone. */
const FEW = 40;

/** Blocks as plain text: an empty line between paragraphs, a line feed between items of a list or cells of a row. */
export function joinBlocks(blocks: readonly Block[], tree: BlockTree): string {
  let text = "";
  let before: string | undefined;
  for (const block of blocks) {
    const tag = tree.containers[block.container]?.tag;
    const close = tag !== undefined && tag === before && CLOSE.has(tag);
    text += text === "" ? block.text : `${close ? "\n" : "\n\n"}${block.text}`;
    before = tag;
  }
  return text;
}

const CLOSE = new Set(["li", "td", "th", "dt", "dd"]);

/** Boosted decision trees: the sum of one leaf of each tree, put through the logistic function, is a probability. */
interface Forest {
  readonly features: number;
  /** First node of each tree in the arrays below. */
  readonly roots: Int32Array;
  readonly feature: Uint16Array;
  readonly threshold: Float32Array;
  /** Says where to go on `value <= threshold` and otherwise; below 0 it is the leaf `-1 - index`. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly leaves: Float32Array;
}

const MAGIC = 0x31_46_53_49; // "ISF1"
const HEADER = 5;

/**
 * Reads a forest as `lib/extraction/training/train.py` writes it: little-endian uint32 (magic, features, trees, nodes,
 * leaves), then roots, left, right (int32), threshold, leaves (float32), feature (uint16). Throws RangeError for
 * anything else.
 */
export function readForest(bytes: Uint8Array): Forest {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  if (buffer.byteLength < HEADER * 4) throw new RangeError("the forest file is cut short");
  const [magic, features = 0, trees = 0, nodes = 0, leaves = 0] = new Uint32Array(buffer, 0, HEADER);
  if (magic !== MAGIC) throw new RangeError("not a forest file");
  if (buffer.byteLength !== HEADER * 4 + trees * 4 + nodes * 14 + leaves * 4) {
    throw new RangeError("the forest file is cut short");
  }
  let offset = HEADER * 4;
  const take = (bytesTaken: number) => {
    offset += bytesTaken;
    return offset - bytesTaken;
  };
  const forest = {
    features,
    roots: new Int32Array(buffer, take(trees * 4), trees),
    left: new Int32Array(buffer, take(nodes * 4), nodes),
    right: new Int32Array(buffer, take(nodes * 4), nodes),
    threshold: new Float32Array(buffer, take(nodes * 4), nodes),
    leaves: new Float32Array(buffer, take(leaves * 4), leaves),
    feature: new Uint16Array(buffer, take(nodes * 2), nodes),
  };
  const isPlace = (place: number) => place < nodes && place >= -leaves;
  const isSound = [forest.roots, forest.left, forest.right].every((places) => places.every(isPlace));
  if (!isSound || forest.feature.some((feature) => feature >= features)) {
    throw new RangeError("the forest file names nodes, leaves or features that it lacks");
  }
  return forest;
}

/** Returns the probability of each row of a table of `forest.features` columns, 0 to 1. */
export function predict(forest: Forest, table: Float32Array): Float32Array {
  const { features, roots, feature, threshold, left, right, leaves } = forest;
  const rows = table.length / features;
  const out = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const base = row * features;
    let sum = 0;
    for (const root of roots) {
      let node = root;
      while (node >= 0) {
        // readForest() has checked every index: what is undefined here is not a number, and goes nowhere else.
        const value = table[base + (feature[node] ?? 0)] ?? 0;
        node = (value <= (threshold[node] ?? 0) ? left[node] : right[node]) ?? -1;
      }
      sum += leaves[-1 - node] ?? 0;
    }
    out[row] = 1 / (1 + Math.exp(-sum));
  }
  return out;
}

/** The block model and what its card says of its use. */
interface BlockModel {
  readonly forest: Forest;
  /** Blocks from this probability on belong to the article. */
  readonly threshold: number;
  /** Names of its columns, in order. */
  readonly features: readonly string[];
}

let loaded: BlockModel | undefined;

/** Returns the shipped block model, read once. Throws when its files are missing or damaged. */
export function blockModel(): BlockModel {
  loaded ??= read();
  return loaded;
}

function read(): BlockModel {
  const card: { threshold: number; features: string[] } = JSON.parse(
    readFileSync(fileURLToPath(new URL("./model/blocks.json", import.meta.url).href), "utf8"),
  );
  const forest = readForest(readFileSync(fileURLToPath(new URL("./model/blocks.bin", import.meta.url).href)));
  if (forest.features !== card.features.length) throw new RangeError("the block model does not fit its card");
  return { forest, threshold: card.threshold, features: card.features };
}
