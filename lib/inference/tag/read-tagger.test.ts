import { expect, test } from "bun:test";
import { hashOf } from "./feature-hash.ts";
import { readTagger } from "./read-tagger.ts";
import { type TaggerSettings, taggerSettings } from "./settings.ts";

const chain = {
  name: "low",
  features: { at: 0, count: 2 },
  firstRow: 1,
  labels: ["O", "B-X", "I-X"],
  moves: [
    [0, 0, -10_000],
    [0, 0, 1],
    [0, 0, 1],
  ],
  uses: [],
  scale: 1,
  bias: 0,
};
const list = {
  name: "low",
  phrases: { at: 2, count: 1, values: 12 },
  words: { at: 2, count: 0, values: 13 },
  phraseLabels: ["LOC"],
  wordLabels: [],
};
const settings: TaggerSettings = { chains: [chain], names: [list] };

function file(): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  [hashOf("a"), hashOf("b"), hashOf("rome")].forEach((hash, i) => {
    view.setUint32(4 * i, hash, true);
  });
  return bytes;
}

test("hashes name the rows of the table in their order", () => {
  const { chains, names } = readTagger(settings, file());
  expect(chains.get("low")?.rows.get(hashOf("b"))).toBe(2);
  expect(names.get("low")?.cover(["rome"])).toEqual(["BLOC1"]);
});

test("no sentence begins inside a name", () => {
  expect([...(readTagger(settings, file()).chains.get("low")?.starts ?? [])]).toEqual([0, 0, -10_000]);
});

test("a file that is too short, and a chain that uses what comes later, are refused", () => {
  expect(() => readTagger(settings, file().slice(0, 9))).toThrow(RangeError);
  expect(() => readTagger(settings, file().slice(0, 12))).toThrow(RangeError);
  const circular = { ...chain, uses: [{ chain: "low", names: "low" }] };
  expect(() => readTagger({ ...settings, chains: [circular] }, file())).toThrow("uses what is not there");
});

test("moves between other labels than the chain's are no settings", () => {
  expect(taggerSettings.safeParse(settings).success).toBe(true);
  expect(taggerSettings.safeParse({ ...settings, chains: [{ ...chain, moves: [[0]] }] }).success).toBe(false);
});
