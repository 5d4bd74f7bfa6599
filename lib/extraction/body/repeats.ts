import { classOf, wordsOf } from "../page/dom.ts";
import type { Block, BlockTree } from "./blocks.ts";
import { countWords } from "./facts.ts";

/** Sentences of fewer words are said twice for their own sake ("Yes."), and say nothing of where they come from. */
const MIN_SENTENCE = 5;
const MIN_PROSE = 12;
/** This share of a block's words has been read before. */
const REPEATED = 0.9;
/** Holds for a block of several paragraphs that stood apart before: headings have grown together with sentences. */
const REPEATED_WHOLE = 0.6;
const MIN_SOURCES = 4;
/** A copy repeats so much of the text before it; steps of a plan and notes below pictures are repeated on purpose. */
const MIN_COPY = 0.3;
const MIN_COPY_WORDS = 40;
const MIN_SENTENCES = 2;
/** A page of fewer different paragraphs has no text that could be copied: it fills its space with one. */
const MIN_TEXTS = 3;
/** An introduction stands among the first blocks, and what it is taken from soon behind it. */
const LEADS = 2;
const NEAR = 6;
const MAX_QUOTE = 80;
const MAX_QUOTES = 100;
const QUOTE_TAG = /^(?:blockquote|aside|q)$/;
const QUOTE_CLASS = /quot|callout|highlight|pull/i;
const QUOTE_DEPTH = 3;
const MAX_QUOTE_BLOCKS = 3;

/**
 * Returns blocks without what a reader has read already: a copy for another screen or for print, in whatever paragraphs
 * it is set; an introduction that the first paragraphs repeat; words of the article pulled out as a quotation.
 */
export function withoutRepeats(blocks: readonly Block[], tree: BlockTree): Block[] {
  const prose = new Set(blocks.filter(({ text }) => countWords(text) >= MIN_PROSE).map(({ text }) => text));
  if (prose.size < MIN_TEXTS) return [...blocks];
  const repeated = new Set<number>();
  findCopies(blocks, repeated);
  findExcerpts(blocks, tree, repeated);
  return repeated.size === 0 ? [...blocks] : blocks.filter((_, i) => !repeated.has(i));
}

/** Finds runs of blocks whose sentences stand in blocks before them, short lines between them included. */
function findCopies(blocks: readonly Block[], repeated: Set<number>): void {
  /** Sentences, and the block that each stood in first. */
  const sentences = new Map<string, number>();
  const lines = new Set<string>();
  let before = 0;
  let run: { at: number[]; words: number; keys: Set<string> } | undefined;
  const end = () => {
    if (run === undefined) return;
    const isCopy = run.keys.size >= MIN_SENTENCES && run.words >= Math.max(MIN_COPY_WORDS, before * MIN_COPY);
    if (isCopy) for (const i of run.at) repeated.add(i);
    else before += run.words;
    run = undefined;
  };
  for (const [i, { text }] of blocks.entries()) {
    const words = countWords(text);
    const own = words < MIN_PROSE ? [] : sentencesOf(text);
    const total = own.reduce((sum, { size }) => sum + size, 0);
    const copied = own.reduce((sum, { key, size }) => sum + (sentences.has(key) ? size : 0), 0);
    const sources = new Set(own.map(({ key }) => sentences.get(key) ?? i));
    const share = sources.size < MIN_SOURCES ? REPEATED : REPEATED_WHOLE;
    const isCopy = total === 0 ? lines.has(text) : copied >= total * share;
    if (!isCopy) {
      // A line that stands in the copy alone ends no run: another caption, an advertisement.
      if (total > 0) end();
      before += words;
    } else {
      run ??= { at: [], words: 0, keys: new Set() };
      run.at.push(i);
      run.words += total === 0 ? 0 : words;
      for (const { key } of own) run.keys.add(key);
    }
    for (const { key } of own) if (!sentences.has(key)) sentences.set(key, i);
    if (total === 0) lines.add(text);
  }
  end();
}

function sentencesOf(text: string): { key: string; size: number }[] {
  return text
    .split(/[.!?؟۔。…\n]+/)
    .map(wordsOf)
    .filter((words) => words.length >= MIN_SENTENCE)
    .map((words) => ({ key: words.join(" "), size: words.length }));
}

/** Finds introductions and quotations whose words stand in one piece in another block. */
function findExcerpts(blocks: readonly Block[], tree: BlockTree, repeated: Set<number>): void {
  const phrases = new Map<number, string>();
  const phraseOf = (i: number) => {
    const phrase = phrases.get(i) ?? ` ${wordsOf(blocks[i]?.text ?? "").join(" ")} `;
    phrases.set(i, phrase);
    return phrase;
  };
  let quotes = 0;
  for (const [i, block] of blocks.entries()) {
    const words = countWords(block.text);
    if (repeated.has(i) || words < MIN_SENTENCE || words > MAX_QUOTE) continue;
    const isQuotation = isQuote(block, tree) && ++quotes <= MAX_QUOTES;
    if (!isQuotation && (i >= LEADS || words < MIN_PROSE)) continue;
    const last = isQuotation ? blocks.length : Math.min(blocks.length, i + NEAR);
    const phrase = phraseOf(i);
    let sources = 0;
    for (let j = isQuotation ? 0 : i + 1; j < last && sources < 2; j++) {
      const other = blocks[j];
      if (other === undefined || j === i || repeated.has(j)) continue;
      if (phraseOf(j).length >= phrase.length && phraseOf(j).includes(phrase) && !isQuote(other, tree)) sources++;
    }
    // What is said again and again is meant so.
    if (sources === 1) repeated.add(i);
  }
}

function isQuote(block: Block, { containers }: BlockTree): boolean {
  let c = block.container;
  for (let depth = 0; c > 0 && depth < QUOTE_DEPTH; depth++, c = containers[c]?.parent ?? -1) {
    const { tag = "", element = null, first = 0, last = 0 } = containers[c] ?? {};
    if (last - first > MAX_QUOTE_BLOCKS) return false;
    if (QUOTE_TAG.test(tag) || (element !== null && QUOTE_CLASS.test(classOf(element)))) return true;
  }
  return false;
}
