import { TextDecoder } from "node:util";
import { byteOrderMark, charsetInside, charsetOfContentType, wideCharset } from "./declared.ts";
import { contradiction, guessCharset } from "./guess.ts";

/** A text and how its charset was found. */
export interface DecodedText {
  readonly text: string;
  /** Name of the encoding in the WHATWG Encoding Standard, or `utf-32le`, `utf-32be`. */
  readonly charset: string;
  readonly how: "bom" | "utf-8" | "header" | "document" | "guess";
}

/**
 * Decodes the bytes of a page or feed. In order: byte order mark; well-formed UTF-8 with characters beyond ASCII,
 * whatever is declared; the `charset` of the content type; XML declaration or `<meta>`; a guess. A declaration that
 * makes no words of the text, while another charset does, is not believed. Never throws: what cannot be decoded
 * becomes U+FFFD.
 */
export function decodeText(bytes: Uint8Array, options: { contentType?: string | undefined } = {}): DecodedText {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined)
    return { text: decode(mark.charset, bytes.subarray(mark.length)), charset: mark.charset, how: "bom" };
  const wide = wideCharset(bytes);
  if (wide !== undefined) return { text: decode(wide, bytes), charset: wide, how: "document" };
  const header = known(charsetOfContentType(options.contentType));
  const inside = known(charsetInside(bytes));
  const declared = header ?? inside;
  if (declared !== "iso-2022-jp") {
    const text = strictUtf8(bytes);
    if (text !== undefined) return { text, charset: "utf-8", how: "utf-8" };
  }
  // windows-1252 in a header is what servers send unasked: the document knows better.
  const ranked = [
    [header, "header"],
    [inside, "document"],
  ] as const;
  for (const [charset, how] of header === "windows-1252" ? ranked.toReversed() : ranked) {
    if (charset !== undefined && (charset !== "utf-8" || mostlyUtf8(bytes)) && !charset.startsWith("utf-16")) {
      const better = contradiction(bytes, charset);
      if (better !== undefined) return { text: decode(better, bytes), charset: better, how: "guess" };
      return { text: decode(charset, bytes), charset, how };
    }
  }
  if (mostlyUtf8(bytes)) return { text: decode("utf-8", bytes), charset: "utf-8", how: "utf-8" };
  const charset = guessCharset(bytes);
  return { text: decode(charset, bytes), charset, how: "guess" };
}

function decode(charset: string, bytes: Uint8Array): string {
  return charset.startsWith("utf-32")
    ? decodeUtf32(bytes, charset === "utf-32le")
    : new TextDecoder(charset).decode(bytes);
}

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A few broken bytes among many good sequences: a cut or damaged UTF-8 text, not another charset. */
function mostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(bytes);
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/(?!\ufffd)\P{ASCII}/gu)?.length ?? 0;
  return bad * 20 <= good;
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  if (/^utf-?32/.test(label)) return undefined;
  try {
    const { encoding } = new TextDecoder(ALIASES[label] ?? label);
    return encoding;
  } catch {
    return undefined;
  }
}

const ALIASES: Readonly<Record<string, string>> = {
  "x-windows-1256": "windows-1256",
  "win-1256": "windows-1256",
  windows1256: "windows-1256",
  "iso8859-6": "iso-8859-6",
  utf8: "utf-8",
  "utf-8n": "utf-8",
  unicode: "utf-8",
  "gb-2312": "gb18030",
};

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out: string[] = [];
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const point = view.getUint32(at, littleEndian);
    out.push(point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? "\ufffd" : String.fromCodePoint(point));
  }
  return out.join("");
}
