const SNIFFED_BYTES = 16_384;
/** Characters of a header that are read, and white space around the parts of a declaration. */
const HEADER_LENGTH = 1_000;
const CHARSET = /charset\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:-]+)/i;

/** The charset parameter of a `Content-Type` value, lower case, undefined when it has none. */
export function charsetOfContentType(contentType: string | undefined): string | undefined {
  return CHARSET.exec((contentType ?? "").slice(0, HEADER_LENGTH))?.[1]?.toLowerCase();
}

/** The charset that a document names in its XML declaration or in a `<meta>` of its first 16 KiB, lower case. */
export function charsetInside(bytes: Uint8Array): string | undefined {
  const head = latin1(bytes.subarray(0, SNIFFED_BYTES));
  const xml = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']\s*([\w.:-]+)/i.exec(head);
  if (xml?.[1] !== undefined) return xml[1].toLowerCase();
  for (const tag of head.matchAll(/<meta\s[^<>]{0,500}>/gi)) {
    const named = CHARSET.exec(tag[0]);
    if (named?.[1] !== undefined) return named[1].toLowerCase();
  }
  return undefined;
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
