import { hashOf, hashOn } from "./feature-hash.ts";
import type { WordFacts } from "./lexicon.ts";
import { shapeRows } from "./shapes.ts";

/** The facts beyond both ends of a sentence. */
const EDGE: WordFacts = {
  word: "<s>",
  stem: "-",
  stemCluster: "-",
  clusters: ["B", "B", "B"],
  starts: ["<", "<s", "<s>"],
  ends: [">", "s>", "<s>"],
  shape: -1,
  letters: -1,
};

const named = <const T extends readonly string[]>(...names: T) => names.map((name) => hashOf(`${name}=`));
const [W0 = 0, W1B = 0, W1A = 0, W2B = 0, W2A = 0, WB0 = 0, W0A = 0] = named(
  "w0",
  "w-1",
  "w+1",
  "w-2",
  "w+2",
  "w-10",
  "w01",
);
const [ST = 0, STB = 0, STA = 0, SC = 0] = named("st", "st-1", "st+1", "sc");
const STARTS = named("p1", "p2", "p3", "p4");
const ENDS = named("s1", "s2", "s3", "s4");
const [PB = 0, SB = 0, PA = 0, SA = 0] = named("p-1", "s-1", "p+1", "s+1");
const [SH = 0, SHB = 0, SHA = 0, CS = 0, CSB = 0, CSA = 0] = named("sh", "sh-1", "sh+1", "cs-101", "cs-2", "cs+2");
const CLUSTERS = ["c64", "c256", "c1024"].map((name) => named(name, `${name}-1`, `${name}+1`));
const [C2B = 0, C2A = 0, CB0 = 0, C0A = 0, CBA = 0, CWB = 0, WCS = 0, CCS = 0, WBCS = 0] = named(
  "c256-2",
  "c256+2",
  "c256-10",
  "c256+10",
  "c64-101",
  "c1024w-1",
  "wcs",
  "c256cs",
  "w-1cs",
);
const ALWAYS = hashOf("b");

const label = (value: number): string => (value < 0 ? "B" : String(value));

/** The features of each token of a sentence, hashed: words, stems, beginnings and ends, clusters and shapes of the token and of those
 * around it. The same as in training, where they are written as text. */
export function sentenceFeatures(facts: readonly WordFacts[]): number[][] {
  const rows = shapeRows(facts.map(({ shape }) => shape));
  const at = (i: number): WordFacts => facts[i] ?? EDGE;
  const shape = (i: number): string => label(rows[i] ?? -1);
  const letters = (i: number): string => label(at(i).letters);
  return facts.map((now, t) => {
    const [before, after, before2, after2] = [at(t - 1), at(t + 1), at(t - 2), at(t + 2)];
    const pair = (hash: number, a: string, b: string): number => hashOn(hashOn(hashOn(hash, a), "|"), b);
    const cases = letters(t);
    const features = [
      ALWAYS,
      hashOn(W0, now.word),
      hashOn(W1B, before.word),
      hashOn(W1A, after.word),
      hashOn(W2B, before2.word),
      hashOn(W2A, after2.word),
      pair(WB0, before.word, now.word),
      pair(W0A, now.word, after.word),
      hashOn(ST, now.stem),
      hashOn(STB, before.stem),
      hashOn(STA, after.stem),
      hashOn(SC, now.stemCluster),
      hashOn(PB, before.starts[2] ?? before.word),
      hashOn(SB, before.ends[2] ?? before.word),
      hashOn(PA, after.starts[2] ?? after.word),
      hashOn(SA, after.ends[2] ?? after.word),
      hashOn(SH, shape(t)),
      hashOn(SHB, shape(t - 1)),
      hashOn(SHA, shape(t + 1)),
      hashOn(CS, letters(t - 1) + cases + letters(t + 1)),
      hashOn(CSB, letters(t - 2) + letters(t - 1) + cases),
      hashOn(CSA, cases + letters(t + 1) + letters(t + 2)),
      hashOn(C2B, before2.clusters[1]),
      hashOn(C2A, after2.clusters[1]),
      pair(CB0, before.clusters[1], now.clusters[1]),
      pair(C0A, now.clusters[1], after.clusters[1]),
      pair(CBA, before.clusters[0], `${now.clusters[0]}|${after.clusters[0]}`),
      pair(CWB, before.clusters[2], cases),
      pair(WCS, now.word, cases),
      pair(CCS, now.clusters[1], cases),
      pair(WBCS, before.word, cases),
    ];
    features.push(...now.starts.map((part, i) => hashOn(STARTS[i] ?? 0, part)));
    features.push(...now.ends.map((part, i) => hashOn(ENDS[i] ?? 0, part)));
    CLUSTERS.forEach(([here = 0, left = 0, right = 0], i) => {
      features.push(hashOn(here, now.clusters[i] ?? ""), hashOn(left, before.clusters[i] ?? ""));
      features.push(hashOn(right, after.clusters[i] ?? ""));
    });
    return features;
  });
}

/** The features that a row of labels, one a token, gives each token under a name: its own label, those around it, both pairs. */
export function windowFeatures(name: string, labels: readonly string[]): number[][] {
  const [here = 0, left = 0, right = 0, leftPair = 0, rightPair = 0] = named(
    name,
    `${name}-1`,
    `${name}+1`,
    `${name}-10`,
    `${name}01`,
  );
  return labels.map((now, t) => {
    const before = labels[t - 1] ?? "B";
    const after = labels[t + 1] ?? "B";
    return [
      hashOn(here, now),
      hashOn(left, before),
      hashOn(right, after),
      hashOn(leftPair, `${before}|${now}`),
      hashOn(rightPair, `${now}|${after}`),
    ];
  });
}
