import { TextDecoder } from "node:util";
import { Parser } from "htmlparser2";

interface Script {
  readonly charsets: readonly string[];
  /** Letters that a text in this script and charset is made of. */
  readonly letters: RegExp;
  /** The commonest letters or characters of the language: telling two charsets of one script apart. */
  readonly common: RegExp;
  /** Share of the letters that the common ones are in ordinary prose. */
  readonly usual: number;
}

const SCRIPTS: readonly Script[] = [
  { charsets: ["windows-1256", "iso-8859-6"], letters: /[\u0621-\u064a]/g, common: /[اليمونرتبهة]/g, usual: 0.6 },
  {
    charsets: ["windows-1251", "koi8-r", "iso-8859-5", "ibm866"],
    letters: /[\u0400-\u045f]/g,
    common: /[оеаинтсрвл]/g,
    usual: 0.6,
  },
  { charsets: ["windows-1255", "iso-8859-8"], letters: /[\u05d0-\u05ea]/g, common: /[יוהלארתבמש]/g, usual: 0.6 },
  { charsets: ["windows-1253"], letters: /[\u0370-\u03ff]/g, common: /[αοιετσνηυρ]/g, usual: 0.6 },
  { charsets: ["windows-874"], letters: /[\u0e01-\u0e5b]/g, common: /[านรกอเงมยลวดท]/g, usual: 0.5 },
  {
    charsets: ["shift_jis", "euc-jp"],
    letters: /[\u3040-\u30ff\u4e00-\u9fff]/g,
    common: /[\u3041-\u3096\u30a1-\u30fa]/g,
    usual: 0.5,
  },
  { charsets: ["euc-kr"], letters: /[\uac00-\ud7a3]/g, common: /[이다는의에을가고하로한지]/g, usual: 0.2 },
  {
    charsets: ["gb18030"],
    letters: /[\u4e00-\u9fff]/g,
    common: /[的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说]/g,
    usual: 0.2,
  },
  {
    charsets: ["big5"],
    letters: /[\u4e00-\u9fff]/g,
    common: /[的一是不我有人在他這為之大來以個中上們到說國和地也子時道出而要於就下得可你年生自會那後能對]/g,
    usual: 0.2,
  },
];
const SAMPLE_BYTES = 65_536;
const MIN_FITNESS = 0.3;

/**
 * Guesses the charset of a text that is not UTF-8 and names none, from the letters that each candidate would make of
 * it: the letters of one script, with its commonest ones common. Western European (windows-1252) when nothing fits
 * better.
 */
function guessCharset(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (!sample.some((byte) => byte >= 0x80)) return "utf-8";
  let best = "windows-1252";
  let bestScore = MIN_FITNESS;
  for (const script of SCRIPTS) {
    for (const charset of script.charsets) {
      const score = fitness(new TextDecoder(charset).decode(sample), script);
      if (score > bestScore) {
        bestScore = score;
        best = charset;
      }
    }
  }
  return best;
}

/** Characters beyond ASCII by which a text can contradict its declaration. */
const MIN_EVIDENCE = 50;
const CLEAR_FITNESS = 0.6;

/**
 * Returns the charset that a text is clearly in where the declared one makes no text of a script that it knows;
 * undefined where the declaration may stand.
 */
function contradiction(bytes: Uint8Array, declared: string): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0) < MIN_EVIDENCE) return undefined;
  const fits = (charset: string, script: Script) => fitness(new TextDecoder(charset).decode(sample), script);
  const stated = SCRIPTS.find(({ charsets }) => charsets.includes(declared));
  if (stated === undefined ? declared !== "windows-1252" : fits(declared, stated) > MIN_FITNESS) return undefined;
  const guess = guessCharset(bytes);
  const script = SCRIPTS.find(({ charsets }) => charsets.includes(guess));
  return script !== undefined && guess !== declared && fits(guess, script) >= CLEAR_FITNESS ? guess : undefined;
}

/**
 * Share of the non-ASCII characters that are letters of the script among their like, times how usual their frequencies
 * are.
 */
function fitness(text: string, script: Script): number {
  const foreign = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const letters = text.match(script.letters)?.length ?? 0;
  if (foreign === 0 || letters === 0) return 0;
  const common = text.match(script.common)?.length ?? 0;
  const bad = text.match(/[\ufffd\u0080-\u009f\ue000-\uf8ff]/g)?.length ?? 0;
  const mixed = text.match(/[a-z][\u00c0-\uffff]|[\u00c0-\uffff][a-z]/gi)?.length ?? 0;
  return ((letters - 4 * bad - 2 * mixed) / foreign) * Math.min(1, common / letters / script.usual);
}

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

/** Returns true for a few broken bytes among many good sequences: a cut or damaged UTF-8 text, not another charset. */
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

/**
 * Finds the charset that the `<meta>` elements at the head of an HTML document declare: not in comments, scripts and
 * other text, nor in a description. Takes one Latin-1 character a byte; undefined for none.
 */
export function prescan(head: string): string | undefined {
  let charset: string | undefined;
  const onopentag = (name: string, attributes: Record<string, string>) => {
    if (name === "meta") charset ??= declaredIn(attributes);
  };
  new Parser({ onopentag }, { decodeEntities: false }).end(head.toLowerCase());
  return charset;
}

function declaredIn(meta: Record<string, string>): string | undefined {
  const charset = meta.charset?.trim();
  if (charset !== undefined && charset !== "") return charset;
  return meta["http-equiv"]?.trim() === "content-type" ? charsetIn(meta.content ?? "") : undefined;
}

const SPACE = /[\t\n\f\r ]/;

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

const SNIFFED_BYTES = 16_384;
/** Characters of a header, and of an XML declaration, that are read. */
const HEADER_LENGTH = 1_000;

/** Returns the charset parameter of a `Content-Type` value, lower case, undefined when it has none. */
function charsetOfContentType(contentType: string | undefined): string | undefined {
  return charsetIn((contentType ?? "").slice(0, HEADER_LENGTH));
}

/**
 * Returns the charset that a document names in its XML declaration, or else in a `<meta>` of its first 16 KiB as
 * browsers read it, lower case.
 */
function charsetInside(bytes: Uint8Array): string | undefined {
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
function byteOrderMark(bytes: Uint8Array): { charset: string; length: number } | undefined {
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
function wideCharset(bytes: Uint8Array): string | undefined {
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
