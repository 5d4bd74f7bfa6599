import { forEachSearchWord, UNSEEN, wordTermsAt } from "../../text/mod.ts";

/** Lists the fields that a query can name: `title:harbour`. */
const QUERY_FIELDS = ["title", "author", "source", "category", "lang", "domain", "entity"] as const;
export type QueryField = (typeof QUERY_FIELDS)[number];

/**
 * Describes what a query says of an article, as a tree. `word`: it holds the word in any form, or all of several that
 * only punctuation parts (`covid-19`); `phrase`: the words as written, in order. `among`: it is one of these, by their
 * keys, ascending; a parser gives none, `entity:` becomes that where it is looked up.
 */
export type QueryNode =
  | { is: "word"; text: string }
  | { is: "phrase"; text: string }
  | { is: "field"; field: QueryField; text: string; quoted: boolean }
  | { is: "among"; keys: readonly number[] }
  | { is: "not"; of: QueryNode }
  | { is: "all"; of: readonly QueryNode[] }
  | { is: "any"; of: readonly QueryNode[] };

/** Lists how words match: whether those beside each other are each enough (`any`), or all wanted. */
const QUERY_MATCHES = ["any", "all"] as const;
type QueryMatch = (typeof QUERY_MATCHES)[number];

/**
 * Holds a query as it was read. Everything that `condition` asks for is met by each hit of the keyword branch, and what
 * `required` asks for by each hit by meaning: a saved search holds where an article meets them.
 */
type ReadQuery = {
  /**
   * The text searched by word and by meaning: all that the query does not exclude, phrases that every hit must hold in
   * quotes. Without a letter or digit there is nothing to rank by.
   */
  text: string;
  /** The query as it was read, in the same language; reading it again gives the same. */
  normal: string;
  /** Held by every hit, whatever finds it: phrases, fields, and what is excluded. Undefined for all articles. */
  required: QueryNode | undefined;
  /** Held by every hit by word, beside one word at least: the same, and what `match` asks for. */
  condition: QueryNode | undefined;
};

/** Bounds the length of a query that has syntax, in UTF-16 units, how deep it is nested, and its parts. */
const MAX_LENGTH = 2_048;
const MAX_DEPTH = 16;
const MAX_PARTS = 64;

/** Bounds the words of a query without `OR` and fields: with more, beside its phrases, it is a text without syntax. */
const MAX_HEADLINE_WORDS = 16;

/** Matches what has syntax at all. */
const SYNTAX = /["«“(:-]|\bOR\b/;
const FIELD = new RegExp(`(${QUERY_FIELDS.join("|")}):(?=[^\\s:)])`, "y");
/** Matches a word: a closing bracket may be its last character. */
const WORD = /[^\s"«»“”]+/y;
const HAS_WORD = /[\p{L}\p{N}]/u;
const BLANK = /\s/;
const QUOTES = /["«»“”]/g;
const STOPS = ".,;:!?،؛؟…";
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["«", "»"],
  ["“", "”"],
]);

type Token =
  | { is: "open" | "close" | "minus" | "or" }
  | { is: "name"; field: QueryField }
  | { is: "word" | "phrase"; text: string };

/**
 * Reads a query: words, `"…"` («…», “…”) for phrases, `-` before what is excluded, `OR` between two of them, brackets,
 * and {@link QUERY_FIELDS}. What does not parse is words. `OR` joins what stands at its sides (`a b OR c` is
 * `a (b OR c)`); it is written in capitals, and `أو` is a word like any other. Takes time linear in the length.
 */
export function readQuery(query: string, match: QueryMatch = "any"): ReadQuery {
  const tokens = query.length > MAX_LENGTH || !SYNTAX.test(query) ? undefined : tokensOf(query);
  const nodes = tokens === undefined ? [] : parse(tokens);
  if (!nodes.some(({ is }) => is !== "word")) return plain(query, match);
  const words = nodes.filter(({ is }) => is === "word");
  if (wordsIn(words) > MAX_HEADLINE_WORDS && !nodes.some(isExplicit)) return plain(query, match);
  const required = conjunction(nodes.filter(isRequired));
  return {
    text: textOf(nodes),
    normal: nodes.map((node) => written(node)).join(" "),
    required,
    condition: conjunction([...(required === undefined ? [] : [required]), ...matched(nodes, match)]),
  };
}

function plain(query: string, match: QueryMatch): ReadQuery {
  const words = query.split(/\s+/, MAX_PARTS).filter((text) => HAS_WORD.test(text));
  const nodes = words.map((text): QueryNode => ({ is: "word", text }));
  const condition = match === "any" ? undefined : conjunction(matched(nodes, match));
  return { text: query, normal: query.trim().replaceAll(/\s+/g, " "), required: undefined, condition };
}

/** Returns what the words of a query ask for, beside what is required. */
function matched(nodes: readonly QueryNode[], match: QueryMatch): QueryNode[] {
  const optional = nodes.filter((node) => !isRequired(node));
  if (match === "all") {
    const telling = optional.filter((node) => !isStop(node));
    return telling.length > 0 ? telling : optional;
  }
  // A hit holds one of the words in any case: only what says more than a word is to be looked at.
  if (optional.every(isOfWords) || nodes.some(isText)) return [];
  return [disjunction(optional.map(loose))];
}

function isOfWords(node: QueryNode): boolean {
  return node.is === "word" || ("of" in node && node.is !== "not" && node.of.every(isOfWords));
}

/** Tells whether it asks for words of the text. */
function isText(node: QueryNode): boolean {
  if (node.is === "any") return node.of.every(isText);
  return node.is === "phrase" || (node.is === "field" && node.field === "title");
}

/** Returns the node where one word within is enough, beside what is required. */
function loose(node: QueryNode): QueryNode {
  if (node.is === "any") return { is: "any", of: node.of.map(loose) };
  if (node.is !== "all") return node;
  const required = node.of.filter(isRequired);
  const optional = node.of.filter((each) => !isRequired(each)).map(loose);
  const either = optional.length === 0 || required.some(({ is }) => is === "phrase") ? [] : [disjunction(optional)];
  return conjunction([...required, ...either]) ?? node;
}

/** Tells whether every hit must hold it: a word, and a choice that a word is part of, need not be there. */
function isRequired(node: QueryNode): boolean {
  switch (node.is) {
    case "word":
      return false;
    case "all":
      return node.of.every(isRequired);
    case "any":
      return node.of.every(isRequired);
    default:
      return true;
  }
}

/** Tells whether it is written in no text by chance: `OR`, fields. */
function isExplicit(node: QueryNode): boolean {
  if (node.is === "field" || node.is === "any") return true;
  if (node.is === "not") return isExplicit(node.of);
  return node.is === "all" && node.of.some(isExplicit);
}

/** Tells whether it is of words that nearly every text has. */
function isStop(node: QueryNode): boolean {
  if (node.is !== "word") return false;
  let stop = true;
  forEachSearchWord(node.text, (start, end) => {
    stop &&= wordTermsAt(node.text, start, end).stop;
  });
  return stop;
}

function wordsIn(nodes: readonly QueryNode[]): number {
  let words = 0;
  for (const node of nodes) {
    if (node.is !== "word") continue;
    forEachSearchWord(node.text, () => {
      words++;
    });
  }
  return words;
}

function conjunction(nodes: readonly QueryNode[]): QueryNode | undefined {
  const of = unbracketed(nodes);
  return of.length > 1 ? { is: "all", of } : of[0];
}

function disjunction(of: readonly QueryNode[]): QueryNode {
  const [only] = of;
  if (of.length === 1 && only !== undefined) return only;
  return { is: "any", of: of.flatMap((node) => (node.is === "any" ? node.of : [node])) };
}

/** Returns the words to search for; phrases that are required keep their quotes. */
function textOf(nodes: readonly QueryNode[]): string {
  const texts = (node: QueryNode): string[] => {
    switch (node.is) {
      case "word":
      case "phrase":
        return [node.text];
      case "field":
        return node.field === "title" ? [node.text] : [];
      case "all":
      case "any":
        return node.of.flatMap(texts);
      default:
        return [];
    }
  };
  return nodes.flatMap((node) => (node.is === "phrase" ? [`"${node.text}"`] : texts(node))).join(" ");
}

/** Returns a node in the language of queries; `inner`: as part of another one. */
function written(node: QueryNode, inner = false): string {
  switch (node.is) {
    case "word":
      return node.text;
    case "phrase":
      return `"${node.text}"`;
    case "field":
      return `${node.field}:${node.quoted ? `"${node.text}"` : node.text}`;
    case "not":
      // A second sign would be part of a word.
      return node.of.is === "not" ? `-(${written(node.of)})` : `-${written(node.of, true)}`;
    case "all":
      return `(${node.of.map((each) => written(each, true)).join(" ")})`;
    case "any": {
      const either = node.of.map((each) => written(each, true)).join(" OR ");
      return inner || node.of.length > 1 ? `(${either})` : either;
    }
    case "among":
      return "";
  }
}

/** Holds what stands in a bracket that is open, or in the query as a whole. */
type Frame = { of: QueryNode[]; negated: boolean; field: QueryField | undefined; isOr: boolean };

function parse(tokens: readonly Token[]): QueryNode[] {
  const frame = (negated = false, field?: QueryField): Frame => ({ of: [], negated, field, isOr: false });
  let top = frame();
  const outer: Frame[] = [];
  let negated = false;
  let field: QueryField | undefined;
  const add = (node: QueryNode): void => {
    const last = top.isOr ? top.of.pop() : undefined;
    top.isOr = false;
    top.of.push(last === undefined ? node : { is: "any", of: [...(last.is === "any" ? last.of : [last]), node] });
  };
  const close = (): void => {
    const { of, negated: isOut } = top;
    top = outer.pop() ?? top;
    const inner = conjunction(of);
    if (inner !== undefined) add(isOut ? { is: "not", of: inner } : inner);
  };
  for (const [i, token] of tokens.entries()) {
    switch (token.is) {
      case "minus":
        negated = true;
        break;
      case "name":
        ({ field } = token);
        break;
      case "or":
        top.isOr = top.of.length > 0 && startsOperand(tokens[i + 1]);
        break;
      case "open":
        outer.push(top);
        top = frame(negated, field ?? top.field);
        negated = false;
        field = undefined;
        break;
      case "close":
        close();
        break;
      default: {
        const leaf = leafOf(token, field ?? top.field);
        add(negated ? { is: "not", of: excluded(leaf) } : leaf);
        negated = false;
        field = undefined;
      }
    }
  }
  while (outer.length > 0) close();
  return unbracketed(top.of);
}

/** Returns what stands beside each other, without brackets that change nothing. */
function unbracketed(nodes: readonly QueryNode[]): QueryNode[] {
  return nodes.flatMap((node) => (node.is === "all" ? unbracketed(node.of) : [node]));
}

function startsOperand(token: Token | undefined): boolean {
  return token !== undefined && token.is !== "or" && token.is !== "close";
}

function leafOf({ is, text }: { is: "word" | "phrase"; text: string }, field: QueryField | undefined): QueryNode {
  return field === undefined ? { is, text } : { is: "field", field, text, quoted: is === "phrase" };
}

/** Returns what is excluded: several words that only punctuation parts are one thing, such as a date. */
function excluded(leaf: QueryNode): QueryNode {
  return leaf.is === "word" && wordsIn([leaf]) > 1 ? { is: "phrase", text: leaf.text } : leaf;
}

/** Returns the tokens of a query, brackets in pairs; undefined for one of too many parts. */
function tokensOf(query: string): Token[] | undefined {
  const tokens: Token[] = [];
  let parts = 0;
  /** The places of the brackets that are open. */
  const open: number[] = [];
  const isBlank = (at: number) => at < 0 || at >= query.length || BLANK.test(query[at] ?? "");
  for (let i = 0; i < query.length; ) {
    const last = tokens.at(-1)?.is;
    const starts = last === "minus" || last === "name";
    const character = query[i] ?? "";
    const quoted = quotedAt(query, i);
    FIELD.lastIndex = i;
    const name = last === "name" ? undefined : FIELD.exec(query)?.[1];
    const field = QUERY_FIELDS.find((each) => each === name);
    const after = visible(query, i + 1);
    if (BLANK.test(character) || UNSEEN.test(character)) i++;
    else if (parts >= MAX_PARTS && !starts) {
      return undefined;
    } else if (quoted !== undefined) {
      tokens.push({ is: "phrase", text: quoted.phrase });
      parts++;
      i = quoted.end;
    } else if (character === "-" && !starts && isOutside(query, i) && isOperand(query, after)) {
      tokens.push({ is: "minus" });
      i = after;
    } else if (character === "(" && open.length < MAX_DEPTH && query.indexOf(")", i) > 0) {
      open.push(tokens.length);
      tokens.push({ is: "open" });
      i++;
    } else if (character === ")") {
      if (starts) tokens.pop();
      if (open.pop() !== undefined) tokens.push({ is: "close" });
      i++;
    } else if (field !== undefined && isOperand(query, i + field.length + 1)) {
      tokens.push({ is: "name", field });
      i += field.length + 1;
    } else {
      WORD.lastIndex = i;
      const whole = WORD.exec(query)?.[0] ?? character;
      const word = open.length === 0 ? whole : withoutClosing(whole);
      const said = withoutStops(word);
      if (word === "OR" && !starts && isBlank(i + 2)) tokens.push({ is: "or" });
      else if (HAS_WORD.test(word)) {
        tokens.push({ is: "word", text: said });
        parts++;
      }
      i += Math.max(1, word.length);
    }
  }
  return tokens.filter((_, at) => !open.includes(at));
}

/** Tells whether a sign stands before a word: at the beginning, after white space, or after a bracket. */
function isOutside(query: string, at: number): boolean {
  let before = at - 1;
  while (UNSEEN.test(query[before] ?? "")) before--;
  return before < 0 || /[\s(]/.test(query[before] ?? "");
}

/** Tells whether something begins there that can be excluded, or be the value of a field. */
function isOperand(query: string, at: number): boolean {
  const first = String.fromCodePoint(query.codePointAt(at) ?? 32);
  return HAS_WORD.test(first) || quotedAt(query, at) !== undefined || (first === "(" && query.indexOf(")", at) > 0);
}

/** Returns the next place from `at` on that has a visible character. */
function visible(query: string, at: number): number {
  let place = at;
  while (UNSEEN.test(query[place] ?? "")) place++;
  return place;
}

/** Returns a word without the closing brackets at its end that it does not open. */
function withoutClosing(word: string): string {
  let balance = 0;
  for (let i = 0; i < word.length; i++) {
    if (word[i] === "(") balance++;
    else if (word[i] === ")" && --balance < 0) return word.slice(0, i);
  }
  return word;
}

/** Returns a word without punctuation at its end. */
function withoutStops(word: string): string {
  let end = word.length;
  while (end > 0 && STOPS.includes(word[end - 1] ?? "")) end--;
  return word.slice(0, end);
}

/** Returns the phrase whose opening quote stands at `at`; undefined where none does, or it holds no word. */
function quotedAt(query: string, at: number): { phrase: string; end: number } | undefined {
  const closing = CLOSING.get(query[at] ?? "");
  if (closing === undefined) return undefined;
  const end = query.indexOf(closing, at + 1);
  const phrase = query
    .slice(at + 1, end)
    .replaceAll(QUOTES, " ")
    .trim();
  return end < 0 || !HAS_WORD.test(phrase) ? undefined : { phrase, end: end + 1 };
}
