import { charsetIn, prescan } from "./prescan.ts";

const SNIFFED_BYTES = 16_384;
/** Characters of a header, and of an XML declaration, that are read. */
const HEADER_LENGTH = 1_000;

/** The charset parameter of a `Content-Type` value, lower case, undefined when it has none. */
export function charsetOfContentType(contentType: string | undefined): string | undefined {
  return charsetIn((contentType ?? "").slice(0, HEADER_LENGTH));
}

/**
 * The charset that a document names in its XML declaration, or else in a `<meta>` of its first 16 KiB as browsers read
 * it, lower case.
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

/** The charset of a byte order mark and the mark's length, undefined when there is none. */
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
 * The charset that the zero bytes of `<?xml` or `<` give away in a document without a mark, undefined for one byte a
 * character.
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
