import { isDateLine } from "../../text/dates/mod.ts";
import type { Block, BlockTree } from "./blocks.ts";
import type { HtmlElement } from "../page/dom.ts";
import { hasLead, namesIn } from "../fields/names.ts";
import { at, countWords, type PageFacts } from "./facts.ts";
import { tabulate } from "./features/tabulate.ts";
import { closingBlocks, isFurnitureLine, withoutFurnitureLines } from "./furniture-lines.ts";
import { blockModel, predict } from "./forest.ts";
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
  const chosen: Block[] = [];
  let begun = false;
  let sure = 0;
  let seen = 0;
  let firstAt = -1;
  let lastAt = -1;
  for (const [i, block] of tree.blocks.entries()) {
    const probability = at(probabilities, i);
    const size = at(facts.words, i);
    const isArticle = probability >= threshold && i !== title && !isFurnitureLine(block.text);
    const taken: boolean = isArticle && (begun || !isOfHead(block.text, size));
    begun ||= taken && at(facts.sentences, i) > 0;
    if (taken) {
      chosen.push({ ...block, text: withoutFurnitureLines(block.text) });
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

/** Returns the innermost element that holds two blocks and those between them. */
function elementAround({ blocks, containers }: BlockTree, firstAt: number, lastAt: number): HtmlElement | null {
  for (let c = blocks[firstAt]?.container ?? -1; c >= 0; c = containers[c]?.parent ?? -1) {
    const box = containers[c];
    if (box !== undefined && box.last > lastAt) return /^(?:body|html)$/.test(box.tag) ? null : box.element;
  }
  return null;
}

/**
 * Tells whether a line above the text says when or by whom: facts of the article and no part of it, and "3 hours ago"
 * is another text tomorrow.
 */
function isOfHead(text: string, words: number): boolean {
  return isDateLine(text) || (words <= BYLINE && hasLead(text) && !/[.!?؟:]$/.test(text) && namesIn([text]).length > 0);
}

/** Returns the block that only repeats the title, -1 for none. */
function titleOf({ titleAt, titleLikeness, words, total }: PageFacts): number {
  const isTitle = at(titleLikeness, titleAt) >= SAME && at(total.words, words.length) - at(words, titleAt) >= FEW;
  return isTitle ? titleAt : -1;
}

const SAME = 0.75;
/** Words of a byline. */
const BYLINE = 8;
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
