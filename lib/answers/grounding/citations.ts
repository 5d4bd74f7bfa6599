/** Brackets that hold numbers, as models write citations: `[1]`, `[1, 2]`, `[1-3]`, `[١]`, `【1】`, `[source 1]`. */
const CITATION =
  /^[[【]\s*(?:\^|#|n\s*=\s*|sources?\s*|المصدر\s*|مصدر\s*)?([\d\u0660-\u0669]+(?:\s*[,،;؛\-–]\s*[\d\u0660-\u0669]+)*)(?:†[^\]】]*)?\s*[\]】]$/iu;
/** Longest bracket that may be one. */
const MAX_BRACKET_CHARS = 60;
/** Numbers of one range, at most. */
const MAX_RANGE = 50;

/** Rewrites the citations of a text that comes in pieces. */
export type CitationFilter = {
  /** Takes the next piece; gives what is certain by now. */
  push(text: string): string;
  /** Gives what was held back. */
  end(): string;
};

/**
 * Makes citations `[n]` of whatever numbers in brackets a model writes, and drops those whose source is not one of
 * `numbers`. Text in brackets that is no citation stays. What follows an open bracket is held back until it is clear
 * which of both it is.
 */
export function createCitationFilter(numbers: Iterable<number>): CitationFilter {
  const sourceNumbers = new Set(numbers);
  let held = "";
  return {
    push(text) {
      held += text;
      let out = "";
      for (;;) {
        const open = held.search(/[[【]/);
        if (open < 0) {
          // The blanks before a citation go with it when it is dropped.
          const words = wordsEnd(held);
          out += held.slice(0, words);
          held = held.slice(words);
          return out;
        }
        const before = held.slice(0, wordsEnd(held.slice(0, open)));
        const close = held.slice(open, open + MAX_BRACKET_CHARS + 1).search(/[\]】]/);
        if (close < 0 && held.length - open <= MAX_BRACKET_CHARS && !/[[【]/.test(held.slice(open + 1))) {
          out += before;
          held = held.slice(before.length);
          return out;
        }
        const end = close < 0 ? open + 1 : open + close + 1;
        const bracket = held.slice(open, end);
        const cited = numbersOf(bracket);
        if (cited === undefined) {
          // Another bracket may open within this one.
          out += held.slice(0, open + 1);
          held = held.slice(open + 1);
          continue;
        }
        const good = cited.filter((n) => sourceNumbers.has(n));
        out += good.length === 0 ? before : held.slice(0, open) + good.map((n) => `[${n}]`).join("");
        held = held.slice(end);
      }
    },
    end() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** Where the blanks at the end of a text begin, as many of them as may go with a citation. */
function wordsEnd(text: string): number {
  let end = text.length;
  while (end > 0 && text.length - end < MAX_BRACKET_CHARS && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return end;
}

/** The numbers that a bracket cites; undefined when it is no citation. */
function numbersOf(bracket: string): number[] | undefined {
  const list = CITATION.exec(bracket)?.[1];
  if (list === undefined) return undefined;
  const latin = list.replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
  return latin.split(/[,،;؛]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[-–]/).map(Number);
    const length = Math.min(MAX_RANGE, Math.max(1, to - from + 1));
    return Array.from({ length }, (_, i) => from + i);
  });
}
