import { AudioError } from "../error.ts";
import { checkShape, mixDown, type Pcm } from "../pcm.ts";
import { decodeFlacFrame, FlacFault, type FlacStream } from "./flac-frame.ts";

/**
 * The head of a FLAC file, the byte where its frames begin, and how long it says that it is, 0 where it does not.
 * @throws AudioError `damaged`, `no-audio`
 */
export function flacHead(bytes: Uint8Array): FlacStream & { from: number; seconds: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The four letters, then blocks; the first one describes the stream.
  if (bytes.length < 42 || (bytes[4] ?? 0) % 128 !== 0) {
    throw new AudioError("damaged", "The head of the FLAC file is cut.");
  }
  const packed = view.getUint32(18);
  const stream = {
    rate: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bits: ((packed >>> 4) & 31) + 1,
  };
  checkShape(stream);
  let at = 4;
  for (let last = false; !last; ) {
    if (at + 4 > bytes.length) throw new AudioError("damaged", "The FLAC file ends before its samples.");
    const block = view.getUint32(at);
    last = block >>> 31 === 1;
    at += 4 + (block & 0xffffff);
  }
  if (at >= bytes.length) throw new AudioError("no-audio", "The FLAC file holds no samples.");
  const samples = (packed & 15) * 2 ** 32 + view.getUint32(22);
  return { ...stream, from: at, seconds: samples / stream.rate };
}

/** The samples of a FLAC file; one that is cut gives what is whole. @throws AudioError as flacHead */
export function* decodeFlac(bytes: Uint8Array): Generator<Pcm> {
  const { from, seconds: _, ...stream } = flacHead(bytes);
  for (let at = from; at < bytes.length; ) {
    try {
      const { rate, bits, channels, end } = decodeFlacFrame(bytes, at, stream);
      checkShape({ rate, channels: channels.length });
      const scale = 2 ** (bits - 1);
      yield { rate, samples: mixDown(channels.map((channel) => Float32Array.from(channel, (x) => x / scale))) };
      at = end;
    } catch (error) {
      // The end of the bytes within a frame; a tag of another format may stand after the last one.
      if (error instanceof RangeError || isTag(bytes, at)) return;
      if (!(error instanceof FlacFault)) throw error;
      throw new AudioError("damaged", `The FLAC file is damaged at byte ${at}: ${error.message}.`, { cause: error });
    }
  }
}

function isTag(bytes: Uint8Array, at: number): boolean {
  return /^(TAG|APETAGEX|ID3)/.test(String.fromCharCode(...bytes.subarray(at, at + 8)));
}
