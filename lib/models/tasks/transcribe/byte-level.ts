/** The text of tokens, whose letters are bytes. */
export type TokenText = (tokens: readonly number[]) => string;

/**
 * Reads tokens of byte-level BPE back as text: each letter of the vocabulary stands for a byte, as GPT-2 defined it. A
 * token that has no text, as the special ones, is passed over; bytes that are no UTF-8 become U+FFFD.
 */
export function createTokenText(vocabulary: Readonly<Record<string, number>>): TokenText {
  const byteOf = letterBytes();
  const bytesOf = new Map<number, Uint8Array>();
  for (const [letters, id] of Object.entries(vocabulary)) {
    const bytes = Array.from(letters, (letter) => byteOf.get(letter));
    if (bytes.every((byte) => byte !== undefined)) bytesOf.set(id, Uint8Array.from(bytes));
  }
  return (tokens) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(
      Buffer.concat(tokens.map((token) => bytesOf.get(token) ?? new Uint8Array())),
    );
}

function letterBytes(): Map<string, number> {
  const isPlain = (byte: number): boolean => (byte > 32 && byte < 127) || (byte > 160 && byte < 256 && byte !== 173);
  const byteOf = new Map<string, number>();
  for (let byte = 0, others = 0; byte < 256; byte++) {
    byteOf.set(String.fromCodePoint(isPlain(byte) ? byte : 256 + others++), byte);
  }
  return byteOf;
}
