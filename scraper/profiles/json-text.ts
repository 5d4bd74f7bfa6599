import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  type ParseOptions,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

/** A place in a JSON text that is not what JSON expects there; `line` counts from 1. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** A JSON text's value, and on which line (from 1) each of its members stands. */
type JsonText = {
  value: unknown;
  /**
   * Returns the line of the key at `path`, or of the entry of a list; of the nearest enclosing one where there is none.
   */
  lineOf(path: readonly PropertyKey[]): number;
};

/** Lists and objects within one another; a profile needs five. */
const DEPTH = 64;

const STRICT: ParseOptions = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Holds what is wrong, by the parser's name for it. */
const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: "a word or sign that JSON does not have",
  InvalidNumberFormat: "a number that is not written as JSON writes it",
  PropertyNameExpected: "a key in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "} is expected",
  CloseBracketExpected: "] is expected",
  EndOfFileExpected: "nothing more is expected",
  InvalidCommentToken: "a comment, which JSON does not have",
  UnexpectedEndOfString: "a string that does not end",
  InvalidUnicode: "a string with a wrong escape",
  InvalidEscapeCharacter: "a string with a wrong escape",
  InvalidCharacter: "a character that JSON does not allow there",
};

/**
 * Reads JSON (RFC 8259) with the lines of its members. Throws {@link JsonSyntaxError}, also for a key that comes twice.
 */
export function readJsonText(given: string): JsonText {
  const text = given.replace(/^\ufeff/, "");
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const errors: ParseError[] = [];
  const root = treeOf(text, errors);
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const code = error === undefined ? "ValueExpected" : printParseErrorCode(error.error);
    throw new JsonSyntaxError(REASONS[code] ?? "no JSON", lineAt(error?.offset ?? 0));
  }
  refuseOddMembers(root, 0, lineAt);
  return {
    value: JSON.parse(text),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const place = path.slice(0, length).map((part) => (typeof part === "number" ? part : String(part)));
        const node = findNodeAtLocation(root, place);
        // The node of a member is its value; its key stands at the beginning of the member.
        if (node !== undefined) return lineAt(node.parent?.type === "property" ? node.parent.offset : node.offset);
      }
      return 1;
    },
  };
}

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, STRICT);
  } catch (error) {
    // The parser goes down one call a level.
    if (error instanceof RangeError) throw new JsonSyntaxError("nested too deep", 1);
    throw error;
  }
}

function refuseOddMembers(node: Node, depth: number, lineAt: (offset: number) => number): void {
  if (depth > DEPTH) throw new JsonSyntaxError("nested too deep", lineAt(node.offset));
  const keys = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === "property" ? child.children?.[0]?.value : undefined;
    if (key !== undefined && keys.has(key))
      throw new JsonSyntaxError(`the key "${key}" comes twice`, lineAt(child.offset));
    keys.add(key);
    const value = child.type === "property" ? child.children?.[1] : child;
    if (value !== undefined) refuseOddMembers(value, depth + 1, lineAt);
  }
}
