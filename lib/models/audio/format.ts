/** Recordings that are told apart by their bytes, with the name of a file of that kind. */
export type AudioFormat = { name: string; mime: string; extension: string };

type Signature = AudioFormat & { matches(bytes: Uint8Array): boolean };

const text = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const format = (name: string, mime: string, extension: string, matches: Signature["matches"]): Signature => ({
  name,
  mime,
  extension,
  matches,
});

/** In the order in which they are tried. */
const FORMATS: readonly Signature[] = [
  format("WAV", "audio/wav", "wav", (b) => /^(RIFF|RF64)$/.test(text(b, 0, 4)) && text(b, 8, 4) === "WAVE"),
  format("FLAC", "audio/flac", "flac", (b) => text(b, 0, 4) === "fLaC"),
  format("Ogg", "audio/ogg", "ogg", (b) => text(b, 0, 4) === "OggS"),
  format(
    "MP4",
    "audio/mp4",
    "m4a",
    (b) => text(b, 4, 4) === "ftyp" && /^(M4A|M4B|mp4|isom|iso\d|dash|3gp|qt )/i.test(text(b, 8, 4)),
  ),
  format("WebM", "audio/webm", "webm", (b) => b[0] === 0x1a && b[1] === 0x45 && b[2] === 0xdf && b[3] === 0xa3),
  format("AIFF", "audio/aiff", "aiff", (b) => text(b, 0, 4) === "FORM" && /^AIF[FC]$/.test(text(b, 8, 4))),
  format("AMR", "audio/amr", "amr", (b) => text(b, 0, 5) === "#!AMR"),
  format("AAC", "audio/aac", "aac", (b) => isAdts(b)),
  format("MP3", "audio/mpeg", "mp3", (b) => (text(b, 0, 3) === "ID3" && (b[3] ?? 0xff) < 0xff) || isMpeg(b)),
];

/** The kind of recording that bytes are, by how they begin; undefined when they are none. */
export function audioFormat(bytes: Uint8Array): AudioFormat | undefined {
  const matchingFormat = FORMATS.find(({ matches }) => matches(bytes));
  return (
    matchingFormat && { name: matchingFormat.name, mime: matchingFormat.mime, extension: matchingFormat.extension }
  );
}

/** The head of an ADTS frame (ISO/IEC 13818-7): sync word, layer 0, a sampling rate that exists. */
function isAdts(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  return first === 0xff && (second & 0xf6) === 0xf0 && ((third >> 2) & 0x0f) < 13;
}

/**
 * The head of an MPEG audio frame (ISO/IEC 11172-3): sync word, layer II or III, and a version, bit rate and sampling
 * rate that exist. Nobody uses layer I, whose head is how a text in UTF-16 begins.
 */
function isMpeg(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  const [version, layer, rate, sampling] = [(second >> 3) & 3, (second >> 1) & 3, third >> 4, (third >> 2) & 3];
  return (
    first === 0xff &&
    (second & 0xe0) === 0xe0 &&
    version !== 1 &&
    (layer === 1 || layer === 2) &&
    rate !== 0 &&
    rate !== 15 &&
    sampling !== 3
  );
}
