import { OpusDecoder } from "opus-decoder";
import { AudioError, checkShape, mixDown, type Pcm } from "../pcm.ts";

/** A packet of a stream in an Ogg file. */
type OggPacket = {
  data: Uint8Array;
  /** Says where the page that it ends in says that the stream stands, in samples; undefined within a page. */
  granule: number | undefined;
};

/** Bytes of the longest packet that is put together; sound has some thousands. */
const MAX_PACKET = 1_000_000;

const CAPTURE = 0x4f676753;
const [CONTINUED, FIRST] = [1, 2];

/** Returns the packets of the first stream of an Ogg file (RFC 3533), as far as its pages are whole. */
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

/** Samples a second that Opus is decoded to: it decodes to this rate by itself. */
const RATE = 16_000;
/** Samples a second that its positions count. */
const POSITIONS = 48_000;
/** Samples of the longest packet, 120 ms. */
const MAX_PACKET_SAMPLES = 1_920;
/** Packets that are decoded at a time. */
const PACKETS = 64;

/** Packets that cannot be decoded before the file is abandoned. */
const MAX_LOST = 100;

type OpusHead = {
  channels: number;
  preSkip: number;
  gain: number;
  streams: number;
  coupled: number;
  table: number[];
};

/**
 * Returns the head of an Opus stream (RFC 7845, section 5.1), undefined when it is none. @throws AudioError `damaged`
 */
export function opusHead(packet: Uint8Array): OpusHead | undefined {
  if (Buffer.from(packet.subarray(0, 8)).toString("latin1") !== "OpusHead") return undefined;
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  const cut = new AudioError("damaged", "The head of the Opus stream is cut.");
  if (packet.length < 19) throw cut;
  const [channels, family] = [view.getUint8(9), view.getUint8(18)];
  checkShape({ rate: RATE, channels });
  const head = { channels, preSkip: view.getUint16(10, true), gain: view.getInt16(16, true) / 256 };
  if (family === 0) {
    if (channels > 2) throw new AudioError("damaged", "The Opus stream names more channels than its kind has.");
    return { ...head, streams: 1, coupled: channels - 1, table: channels === 1 ? [0] : [0, 1] };
  }
  if (packet.length < 21 + channels) throw cut;
  const [streams, coupled] = [view.getUint8(19), view.getUint8(20)];
  const table = [...packet.subarray(21, 21 + channels)];
  if (streams === 0 || coupled > streams || table.some((place) => place !== 255 && place >= streams + coupled)) {
    throw new AudioError("damaged", "The Opus stream assigns channels that it does not have.");
  }
  return { ...head, streams, coupled, table };
}

/** Tells how long an Opus stream says that it is, by the position in its last page; 0 where none can be found. */
export function opusSeconds(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = file.lastIndexOf("OggS");
  if (last < 0 || last + 14 > file.length) return 0;
  return Math.max(0, Number(file.readBigInt64LE(last + 6))) / POSITIONS;
}

/** Returns the samples of an Ogg file with Opus. @throws AudioError `damaged` */
export async function* decodeOpus(bytes: Uint8Array): AsyncGenerator<Pcm> {
  const packets = oggPackets(bytes);
  const { value: first } = packets.next();
  const head = first && opusHead(first.data);
  if (head === undefined) throw new AudioError("damaged", "The Ogg file holds no Opus stream.");
  packets.next(); // comments
  const decoder = new OpusDecoder({
    sampleRate: RATE,
    channels: head.channels,
    streamCount: head.streams,
    coupledStreamCount: head.coupled,
    channelMappingTable: head.table,
    preSkip: 0,
  });
  await decoder.ready;
  const loudness = 10 ** (head.gain / 20);
  const perSample = POSITIONS / RATE;
  let skip = Math.round(head.preSkip / perSample);
  let [given, lost] = [0, 0];
  try {
    for (let batch = take(packets); batch.data.length > 0; batch = take(packets)) {
      const { channelData, samplesDecoded, errors } = decoder.decodeFrames(batch.data);
      lost += errors.length;
      if (lost > MAX_LOST) throw new AudioError("damaged", "The Opus stream is damaged.");
      const mixed = mixDown(channelData).subarray(0, samplesDecoded);
      let samples = mixed.subarray(Math.min(skip, mixed.length));
      skip -= mixed.length - samples.length;
      // The last page says where the sound ends within its last packet.
      const left =
        batch.isLast && batch.granule !== undefined
          ? Math.round((batch.granule - head.preSkip) / perSample) - given
          : samples.length;
      if (left >= 0 && samples.length - left < MAX_PACKET_SAMPLES) samples = samples.subarray(0, left);
      given += samples.length;
      if (samples.length > 0)
        yield { rate: RATE, samples: loudness === 1 ? samples : samples.map((x) => x * loudness) };
    }
  } finally {
    decoder.free();
  }
  if (given === 0) throw new AudioError("damaged", "No packet of the Opus stream can be decoded.");
}

type Batch = { data: Uint8Array[]; granule: number | undefined; isLast: boolean };

/** Returns the next packets; the last ones come with the position of the end. */
function take(packets: Iterator<{ data: Uint8Array; granule: number | undefined }>): Batch {
  const batch: Batch = { data: [], granule: undefined, isLast: false };
  while (batch.data.length < PACKETS && !batch.isLast) {
    const { value, done } = packets.next();
    if (done) batch.isLast = true;
    else {
      batch.data.push(value.data);
      batch.granule = value.granule ?? batch.granule;
    }
  }
  return batch;
}
