import type { Chain } from "./chain.ts";
import { createNameList, type NameList } from "./name-list.ts";
import type { TaggerSettings } from "./settings.ts";

/** A chain with what is computed for it: the rows of its features in the model's table. */
export type TagChain = Chain & {
  rows: ReadonlyMap<number, number>;
  uses: readonly { names: string; chain?: string | undefined }[];
  scale: number;
  bias: number;
};

/** Chains and name lists of a tagger by name. */
export type TaggerParts = { chains: ReadonlyMap<string, TagChain>; names: ReadonlyMap<string, NameList> };

const NEVER = -10_000;

/** Puts a tagger together from its settings and the bytes of `features.bin` (numbers little-endian).
 * @throws RangeError where the file is shorter than the settings say, Error where they name what is not there */
export function readTagger(settings: TaggerSettings, bytes: Uint8Array): TaggerParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const keys = ({ at, count }: { at: number; count: number }): Uint32Array =>
    Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 * (at + i), true));
  const values = ({ values: at, count }: { values: number; count: number }): Uint8Array => {
    if (at + count > bytes.length) throw new RangeError("features.bin ends too early");
    return bytes.slice(at, at + count);
  };

  const names = new Map(
    settings.names.map(({ name, phrases, words, phraseLabels, wordLabels }) => [
      name,
      createNameList({
        phrases: { keys: keys(phrases), values: values(phrases) },
        words: { keys: keys(words), values: values(words) },
        phraseLabels,
        wordLabels,
      }),
    ]),
  );
  const chains = new Map<string, TagChain>();
  for (const { name, features, firstRow, labels, moves, uses, scale, bias } of settings.chains) {
    for (const used of uses) {
      const known = names.has(used.names) && (used.chain === undefined || chains.has(used.chain));
      if (!known) throw new Error(`${name} uses what is not there`);
    }
    const rows = new Map(Array.from(keys(features), (key, i) => [key, firstRow + i]));
    const starts = Float32Array.from(labels, (label) => (label.startsWith("I-") ? NEVER : 0));
    chains.set(name, { labels, starts, moves: Float32Array.from(moves.flat()), rows, uses, scale, bias });
  }
  return { chains, names };
}
