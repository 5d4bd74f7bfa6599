/** A place in a JSON text that is not what JSON wants there; `line` counts from 1. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** A JSON text's value, and on which line (from 1) each of its members stands. */
export type JsonText = {
  value: unknown;
  /** The line of the key at `path`, or of the entry of a list; of the nearest enclosing one where there is none. */
  lineOf(path: readonly PropertyKey[]): number;
};

/** Lists and objects within one another; a profile needs five. */
const DEPTH = 64;

const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * Reads JSON (RFC 8259) with the lines of its members. Throws {@link JsonSyntaxError}, also for a key that comes twice.
 */
export function readJsonText(text: string): JsonText {
  const lines = new Map<string, number>();
  let at = text.startsWith("\ufeff") ? 1 : 0;

  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const fail = (message: string, offset = at): never => {
    throw new JsonSyntaxError(message, lineAt(offset));
  };
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const seen = (): string =>
    at < text.length ? `"${String.fromCodePoint(text.codePointAt(at) ?? 0)}"` : "the end of the file";
  const string = (wanted: string): string => {
    const start = at;
    const found = take(STRING);
    if (found === undefined)
      return fail(text[at] === '"' ? "a string that does not end" : `${wanted} is wanted, not ${seen()}`);
    try {
      return JSON.parse(found);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return fail("a string with a control character or a wrong escape", start);
    }
  };
  /** Goes through what stands between two brackets, apart by commas. */
  const entries = (close: string, entry: (i: number) => void): void => {
    at++;
    take(SPACE);
    for (let i = 0; text[at] !== close; i++) {
      if (i > 0) {
        if (text[at] !== ",") fail(`a comma or ${close} is wanted, not ${seen()}`);
        at++;
        take(SPACE);
        if (text[at] === close) fail(`there is a comma before ${close}`);
      }
      entry(i);
      take(SPACE);
    }
    at++;
  };
  const value = (path: readonly PropertyKey[]): unknown => {
    if (path.length > DEPTH) fail("nested too deep");
    if (text[at] === "{") {
      const members = new Map<string, unknown>();
      entries("}", () => {
        const start = at;
        const key = string("a key in double quotes");
        if (members.has(key)) fail(`the key "${key}" comes twice`, start);
        const own = [...path, key];
        lines.set(keyOf(own), lineAt(start));
        take(SPACE);
        if (text[at] !== ":") fail(`a colon is wanted, not ${seen()}`);
        at++;
        take(SPACE);
        members.set(key, value(own));
      });
      return Object.fromEntries(members);
    }
    if (text[at] === "[") {
      const list: unknown[] = [];
      entries("]", (i) => {
        const own = [...path, i];
        lines.set(keyOf(own), lineAt(at));
        list.push(value(own));
      });
      return list;
    }
    if (text[at] === '"') return string("a string");
    const plain = take(WORD) ?? take(NUMBER);
    return plain === undefined || plain === "" ? fail(`a value is wanted, not ${seen()}`) : JSON.parse(plain);
  };

  take(SPACE);
  const whole = value([]);
  take(SPACE);
  if (at < text.length) fail(`nothing more is wanted, not ${seen()}`);
  return {
    value: whole,
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const line = lines.get(keyOf(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
  };
}

function keyOf(path: readonly PropertyKey[]): string {
  return path.map((part) => JSON.stringify(String(part))).join("/");
}
