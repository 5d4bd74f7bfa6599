/** A packet of a stream in an Ogg file. */
export type OggPacket = {
  data: Uint8Array;
  /** Where the page that it ends in says that the stream stands, in samples; undefined within a page. */
  granule: number | undefined;
};

/** Bytes of the longest packet that is put together; sound has some thousands. */
const MAX_PACKET = 1_000_000;

const CAPTURE = 0x4f676753;
const [CONTINUED, FIRST] = [1, 2];

/** The packets of the first stream of an Ogg file (RFC 3533), as far as its pages are whole. */
export function* oggPackets(bytes: Uint8Array): Generator<OggPacket> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let serial: number | undefined;
  let parts: Uint8Array[] = [];
  let size = 0;
  for (let at = 0; at + 27 <= bytes.length; ) {
    if (view.getUint32(at) !== CAPTURE) {
      const next = indexOfPage(bytes, at + 1);
      if (next < 0) return;
      at = next;
      continue;
    }
    const [flags, segments] = [view.getUint8(at + 5), view.getUint8(at + 26)];
    const [granule, stream] = [Number(view.getBigInt64(at + 6, true)), view.getUint32(at + 14, true)];
    let from = at + 27 + segments;
    const lengths = bytes.subarray(at + 27, from);
    at = from + lengths.reduce((sum, length) => sum + length, 0);
    if (at > bytes.length) return;
    if (flags & FIRST) serial ??= stream;
    if (stream !== serial) continue;
    if (!(flags & CONTINUED)) [parts, size] = [[], 0];
    const last = lengths.findLastIndex((length) => length < 255);
    for (const [i, length] of lengths.entries()) {
      if (size + length <= MAX_PACKET) parts.push(bytes.subarray(from, from + length));
      size += length;
      from += length;
      if (length === 255) continue;
      if (size <= MAX_PACKET) yield { data: joined(parts), granule: i === last && granule >= 0 ? granule : undefined };
      [parts, size] = [[], 0];
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

function indexOfPage(bytes: Uint8Array, from: number): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("OggS", from, "latin1");
}
