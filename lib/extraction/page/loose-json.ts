import { parseJson } from "../../std/mod.ts";

const MAX_DEPTH = 60;
const MAX_VALUES = 500;
/** Says how far behind a quote is looked to tell whether it ends its string. */
const LOOKAHEAD = 200;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", "/": "/" };

/**
 * Reads the JSON values of a text as sites really write them: in a comment or CDATA, several side by side, with a comma
 * or semicolon too many or too few, bare quotes and line breaks in strings, names without quotes, the end cut off.
 * Takes time in proportion to the text, whatever is in it; libraries that repair JSON take its square where quotes
 * abound.
 */
export function readLooseJson(source: string): unknown[] {
  const whole = parseJson(source);
  return whole !== undefined ? [whole] : new LooseReader(source).values();
}

class LooseReader {
  private at = 0;
  private readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  values(): unknown[] {
    const values: unknown[] = [];
    while (this.at < this.text.length && values.length < MAX_VALUES) {
      const char = this.text[this.at];
      if (this.text.startsWith("<![CDATA[", this.at)) this.at += "<![CDATA[".length;
      else if (this.text.startsWith("/*", this.at) || this.text.startsWith("//", this.at)) this.skipMark();
      else if (char === "{" || char === "[") values.push(this.value(0, "]"));
      else this.at++;
    }
    return values;
  }

  /** At the top level comments often hold the value, so only their marks are skipped. */
  private skipMark(): void {
    this.at += 2;
  }

  private value(depth: number, closing: "}" | "]"): unknown {
    this.skipSpace();
    const char = this.text[this.at];
    if (depth > MAX_DEPTH) {
      this.at = this.text.length;
      return undefined;
    }
    if (char === "{") return this.object(depth);
    if (char === "[") return this.array(depth);
    if (char === '"' || char === "'") return this.string(char, closing);
    return literal(this.bare(/[,}\]\n]/y));
  }

  private object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.at++;
    for (;;) {
      this.skipSeparators();
      const char = this.text[this.at];
      if (char === undefined || char === "]") return object;
      if (char === "}") {
        this.at++;
        return object;
      }
      const key = char === '"' || char === "'" ? this.string(char, ":") : this.bare(/[:,}\]\n]/y);
      this.skipSpace();
      if (this.text[this.at] !== ":") {
        if (key === "" && !/[,}\]]/.test(this.text[this.at] ?? ",")) this.at++;
        continue;
      }
      this.at++;
      const value = this.value(depth + 1, "}");
      if (key !== "__proto__") object[key] ??= value;
    }
  }

  private array(depth: number): unknown[] {
    const array: unknown[] = [];
    this.at++;
    for (;;) {
      this.skipSeparators();
      const char = this.text[this.at];
      if (char === undefined || char === "}") return array;
      if (char === "]") {
        this.at++;
        return array;
      }
      const start = this.at;
      array.push(this.value(depth + 1, "]"));
      if (this.at === start) this.at++;
    }
  }

  /** Returns a string up to the quote that ends it; `closing` is what may follow it besides a comma. */
  private string(quote: string, closing: ":" | "}" | "]"): string {
    const { text } = this;
    let out = "";
    let from = ++this.at;
    for (; this.at < text.length; this.at++) {
      const char = text[this.at];
      if (char === "\\") {
        out += text.slice(from, this.at) + this.escape();
        from = this.at + 1;
      } else if (char === quote && this.endsAt(this.at + 1, quote, closing)) {
        out += text.slice(from, this.at++);
        return out;
      }
    }
    return out + text.slice(from);
  }

  /** Returns the character that an escape stands for; leaves the reader at its last unit. */
  private escape(): string {
    const next = this.text[++this.at] ?? "";
    if (next !== "u") return ESCAPES[next] ?? (/["'\\]/.test(next) ? next : `\\${next}`);
    const code = this.text.slice(this.at + 1, this.at + 5);
    if (!/^[\da-f]{4}$/i.test(code)) return "\\u";
    this.at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  /** Tells a quote that ends a string from one within it, by what follows. */
  private endsAt(at: number, quote: string, closing: ":" | "}" | "]"): boolean {
    const next = this.nextAt(at);
    const char = this.text[next];
    if (char === undefined || char === closing) return true;
    if (closing === ":") return false;
    if (char === "}" || char === "]" || char === ";") return true;
    if (char !== ",") return char === quote && next > at && this.isKey(next);
    const after = this.nextAt(next + 1);
    const follower = this.text[after] ?? "}";
    if (closing === "]") return /["'{[\]\d}-]/.test(follower);
    return /[}\],]/.test(follower) || this.isKey(after);
  }

  /** Returns true where a name and a colon stand. */
  private isKey(at: number): boolean {
    const quote = this.text[at] ?? "";
    if (quote !== '"' && quote !== "'") return /^\w{1,60}\s{0,9}:/.test(this.text.slice(at, at + 70));
    const end = this.text.slice(at + 1, at + LOOKAHEAD).indexOf(quote);
    return end >= 0 && this.text[this.nextAt(at + end + 2)] === ":";
  }

  private nextAt(at: number): number {
    let next = at;
    while (next < at + LOOKAHEAD && isSpace(this.text.charCodeAt(next))) next++;
    return next;
  }

  /** Returns what stands up to one of the ends, trimmed. */
  private bare(end: RegExp): string {
    const start = this.at;
    for (; this.at < this.text.length; this.at++) {
      end.lastIndex = this.at;
      if (end.test(this.text)) break;
    }
    return this.text.slice(start, this.at).trim();
  }

  private skipSeparators(): void {
    for (;;) {
      this.skipSpace();
      const char = this.text[this.at];
      if (char !== "," && char !== ";") return;
      this.at++;
    }
  }

  private skipSpace(): void {
    for (;;) {
      while (isSpace(this.text.charCodeAt(this.at))) this.at++;
      const end = this.text.startsWith("/*", this.at) ? "*/" : this.text.startsWith("//", this.at) ? "\n" : undefined;
      if (end === undefined) return;
      const found = this.text.indexOf(end, this.at + 2);
      this.at = found < 0 ? this.text.length : found + end.length;
    }
  }
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
}

function literal(bare: string): unknown {
  const comment = bare.search(/\s\/[*/]/);
  const text = comment < 0 ? bare : bare.slice(0, comment);
  const value = parseJson(text.replace(/;$/, ""));
  return value === undefined ? text : value;
}
