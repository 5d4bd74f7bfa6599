/** Elements whose inside is text: what looks like a tag in them is none. */
const TEXT_ELEMENTS = new Set("script style title textarea xmp iframe noembed noframes".split(" "));
const SPACE = /[\t\n\f\r ]/;
const SPACE_OR_SLASH = /[\t\n\f\r /]/;
const NAME_END = /[\t\n\f\r >]/;

/**
 * Finds the charset that the `<meta>` elements at the head of an HTML document declare, by the prescan of the HTML
 * standard: not in comments, nor in a description; beyond the standard not in scripts and other text either. Takes one
 * Latin-1 character a byte; undefined for none.
 */
export function prescan(head: string): string | undefined {
  const lower = head.toLowerCase();
  let at = 0;
  const skipTo = (end: string, from: number) => {
    const index = lower.indexOf(end, from);
    at = index < 0 ? lower.length : index + end.length;
  };
  for (at = lower.indexOf("<"); at >= 0 && at < lower.length; at = lower.indexOf("<", at)) {
    if (lower.startsWith("<!--", at)) {
      skipTo("-->", at + 2);
      continue;
    }
    const [, slash = "", name = ""] = /^<(\/?)([a-z][^\t\n\f\r >/]{0,60})/.exec(lower.slice(at, at + 64)) ?? [];
    if (name === "") {
      if (/[!/?]/.test(lower[at + 1] ?? "")) skipTo(">", at);
      else at++;
      continue;
    }
    const tag = new Tag(lower, at + 1 + slash.length + name.length);
    const attributes = tag.attributes();
    at = tag.at;
    if (slash !== "") continue;
    const charset = name === "meta" ? declaredIn(attributes) : undefined;
    if (charset !== undefined) return charset;
    if (TEXT_ELEMENTS.has(name)) skipTo(`</${name}`, at);
  }
  return undefined;
}

function declaredIn(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get("charset")?.trim();
  if (charset !== undefined && charset !== "") return charset;
  if (attributes.get("http-equiv")?.trim() !== "content-type") return undefined;
  return charsetIn(attributes.get("content") ?? "");
}

/**
 * Returns the charset in the value of a `Content-Type`, lower case, by the HTML standard; undefined when it has none.
 */
export function charsetIn(contentType: string): string | undefined {
  const text = contentType.toLowerCase();
  let at = 0;
  const skipSpace = () => {
    while (at < text.length && SPACE.test(text.charAt(at))) at++;
  };
  for (;;) {
    const index = text.indexOf("charset", at);
    if (index < 0) return undefined;
    at = index + "charset".length;
    skipSpace();
    if (text[at] !== "=") continue;
    at++;
    skipSpace();
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, at + 1);
      return text.slice(at + 1, end < 0 ? undefined : end).trim() || undefined;
    }
    return /^[^\t\n\f\r ;"']{1,60}/.exec(text.slice(at, at + 60))?.[0];
  }
}

/** The attributes of a tag, read as the prescan does. */
class Tag {
  at: number;
  private readonly lower: string;
  constructor(lower: string, at: number) {
    this.lower = lower;
    this.at = at;
  }

  /** Names to values, both in lower case, the first of each name; leaves the reader behind the tag. */
  attributes(): Map<string, string> {
    const attributes = new Map<string, string>();
    for (;;) {
      this.skip(SPACE_OR_SLASH);
      if (this.at >= this.lower.length) return attributes;
      if (this.lower[this.at] === ">") {
        this.at++;
        return attributes;
      }
      const start = this.at++;
      while (this.at < this.lower.length && !/[\t\n\f\r />=]/.test(this.lower.charAt(this.at))) this.at++;
      const name = this.lower.slice(start, this.at);
      this.skip(SPACE);
      const value = this.lower[this.at] === "=" ? this.value() : "";
      if (!attributes.has(name)) attributes.set(name, value);
    }
  }

  private value(): string {
    this.at++;
    this.skip(SPACE);
    const quote = this.lower[this.at];
    if (quote === '"' || quote === "'") {
      const end = this.lower.indexOf(quote, this.at + 1);
      const value = this.lower.slice(this.at + 1, end < 0 ? undefined : end);
      this.at = end < 0 ? this.lower.length : end + 1;
      return value;
    }
    const start = this.at;
    while (this.at < this.lower.length && !NAME_END.test(this.lower.charAt(this.at))) this.at++;
    return this.lower.slice(start, this.at);
  }

  private skip(chars: RegExp): void {
    while (this.at < this.lower.length && chars.test(this.lower.charAt(this.at))) this.at++;
  }
}

const SNIFFED_BYTES = 16_384;
/** Characters of a header, and of an XML declaration, that are read. */
const HEADER_LENGTH = 1_000;

/** Returns the charset parameter of a `Content-Type` value, lower case, undefined when it has none. */
export function charsetOfContentType(contentType: string | undefined): string | undefined {
  return charsetIn((contentType ?? "").slice(0, HEADER_LENGTH));
}

/**
 * Returns the charset that a document names in its XML declaration, or else in a `<meta>` of its first 16 KiB as
 * browsers read it, lower case.
 */
export function charsetInside(bytes: Uint8Array): string | undefined {
  const head = latin1(bytes.subarray(0, SNIFFED_BYTES));
  return charsetOfXml(head.trimStart().slice(0, HEADER_LENGTH)) ?? prescan(head);
}

function charsetOfXml(head: string): string | undefined {
  if (!/^<\?xml\s/i.test(head)) return undefined;
  const end = head.indexOf(">");
  const declaration = end < 0 ? head : head.slice(0, end);
  return /\sencoding\s{0,20}=\s{0,20}["']\s{0,20}([\w.:-]{1,60})/i.exec(declaration)?.[1]?.toLowerCase();
}

/** Returns the charset of a byte order mark and the mark's length, undefined when there is none. */
export function byteOrderMark(bytes: Uint8Array): { charset: string; length: number } | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { charset: "utf-8", length: 3 };
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return { charset: "utf-32le", length: 4 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { charset: "utf-32be", length: 4 };
  if (a === 0xff && b === 0xfe) return { charset: "utf-16le", length: 2 };
  if (a === 0xfe && b === 0xff) return { charset: "utf-16be", length: 2 };
  return undefined;
}

/**
 * Returns the charset that the zero bytes of `<?xml` or `<` give away in a document without a mark, undefined for one
 * byte a character.
 */
export function wideCharset(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0x3c && b === 0 && c === 0 && d === 0) return "utf-32le";
  if (a === 0 && b === 0 && c === 0 && d === 0x3c) return "utf-32be";
  if (a === 0x3c && b === 0 && c !== 0 && d === 0) return "utf-16le";
  if (a === 0 && b === 0x3c && c === 0 && d !== 0) return "utf-16be";
  return undefined;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
