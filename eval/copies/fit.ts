/**
 * `bun eval/copies/fit.ts`: fits the weights by which pairs of texts are judged on the half of the articles that is to
 * choose by, and prints them for `lib/stories/copies/judge.ts`.
 */
import { join } from "node:path";
import { anchorsOf, readWords } from "../../lib/stories/copies/words.ts";
import { featuresOf } from "../../lib/stories/copies/judge.ts";
import { compareTexts, sharedWords } from "../../lib/stories/copies/overlap.ts";
import { fitLogistic } from "../regression.ts";
import { dataFolder } from "../retrieval-sets.ts";
import { makeFamilies, type StoredCopy } from "./families.ts";

const FILES = ["ant_v1_ar", "ant_v2_ar", "english"];
const COPIED = 150;
const ROUNDS = 25;
const RIDGE = 0.0005;

/** Weighs kinds of pairs, all of a kind together: copies most, then real articles of one form. */
const GROUP_WEIGHTS = { family: 4, real: 2, takenOver: 0.3, series: 2.5, ending: 0.5 };
type Group = keyof typeof GROUP_WEIGHTS;

/** Of pairs that share but a closing one in so many is taken: there are tens of thousands. */
const EVERY_ENDING = 40;

type Example = { group: Group; isCopy: boolean; features: Record<string, number> };

/** Returns the group of a pair; undefined where nobody could say without reading it. */
function groupOf(one: StoredCopy, other: StoredCopy, shared: ReturnType<typeof compareTexts>): Group | undefined {
  if (one.family === other.family) return "family";
  if (one.real === undefined && other.real === undefined) return "series";
  if (one.content !== one.real && other.content !== other.real && one.edit === undefined && other.edit === undefined)
    return "ending";
  if (shared.words < 18 || (shared.renumbered > 0 && shared.words < 90)) return "real";
  return shared.words >= 60 && shared.long >= 0.6 ? "takenOver" : undefined;
}

function examplesOf(stored: readonly StoredCopy[]): Example[] {
  const texts = stored.map((copy) => ({ copy, title: readWords(copy.title), ...readWords(copy.content) }));
  const lists = new Map<number, number[]>();
  const examples: Example[] = [];
  let endings = 0;
  texts.forEach((text, at) => {
    const anchors = anchorsOf(text.runs);
    const others = new Set([...anchors].flatMap((anchor) => lists.get(anchor) ?? []));
    for (const anchor of anchors) lists.set(anchor, [...(lists.get(anchor) ?? []), at]);
    for (const place of others) {
      const other = texts[place];
      const shared = other && compareTexts(text, other);
      if (other === undefined || shared === undefined || Math.max(shared.overlap, shared.overlapOfOther) < 0.2)
        continue;
      const group = groupOf(text.copy, other.copy, shared);
      if (group === undefined || (group === "ending" && endings++ % EVERY_ENDING !== 0)) continue;
      const facts = {
        sameSource: text.copy.sourceId === other.copy.sourceId,
        titles: sharedWords(text.title, other.title),
      };
      examples.push({
        group,
        isCopy: group === "family" || group === "takenOver",
        features: featuresOf(shared, facts),
      });
    }
  });
  return examples;
}

/** Fits the weights of features, all examples of a group together weighing the same. */
function fit(examples: readonly Example[]): number[] {
  const counts = new Map<Group, number>();
  for (const { group } of examples) counts.set(group, (counts.get(group) ?? 0) + 1);
  const rows = examples.map(({ group, isCopy, features }) => ({
    values: Object.values(features),
    isOne: isCopy,
    weight: GROUP_WEIGHTS[group] / (counts.get(group) ?? 1),
  }));
  return fitLogistic(rows, { ridge: () => RIDGE, rounds: ROUNDS });
}

const folder = dataFolder(process.env);
if (folder === undefined) throw new Error("no data folder at ISNAD_SHARED or ../shared");
const examples = FILES.flatMap((name) =>
  examplesOf(makeFamilies(join(folder, `news/${name}.jsonl.gz`), "dev", COPIED)),
);
const weights = fit(examples);
for (const [i, feature] of Object.keys(examples[0]?.features ?? {}).entries())
  process.stdout.write(`  ${feature}: ${(weights[i] ?? 0).toFixed(2)},\n`);
