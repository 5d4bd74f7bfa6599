import { classOf } from "../../page/dom.ts";
import { at, between, type FeatureGroup, FURNITURE_WORDS, type PageFacts, tagRank } from "../facts.ts";

const NEIGHBOURS = [-3, -2, -1, 1, 2, 3];
const WINDOWS = [5, 15];
const REACH = 40;
const AROUND_NAMES = [
  ...NEIGHBOURS.flatMap((step) => [`${step}-words`, `${step}-link-share`, `${step}-tag`, `${step}-sentences`]),
  ...NEIGHBOURS.filter(isNear).flatMap((step) => [
    `${step}-same-kind`,
    `${step}-same-parent`,
    `${step}-furniture-words`,
  ]),
  ...WINDOWS.flatMap((reach) => [`window${reach}-prose`, `window${reach}-link-share`]),
  "prose-behind",
  "prose-ahead",
  "kind-blocks",
  "kind-words",
  "kind-link-share",
  "kind-share",
  "kind-prose",
];

/**
 * Features of the blocks around a block, and of all blocks of its kind: those with the same elements and classes above.
 */
export function aroundFeatures(facts: PageFacts): FeatureGroup {
  const { blocks, containers, total } = facts;
  const n = blocks.length;
  const kindOf = kindsOf(facts);
  const kinds = new Map<string, { blocks: number; words: number; links: number; chars: number; prose: number }>();
  for (const [i, block] of blocks.entries()) {
    const key = kindOf[block.container] ?? "";
    const kind = kinds.get(key) ?? { blocks: 0, words: 0, links: 0, chars: 0, prose: 0 };
    kind.blocks++;
    kind.words += at(facts.words, i);
    kind.links += block.linkChars;
    kind.chars += block.chars;
    kind.prose += at(facts.prose, i);
    kinds.set(key, kind);
  }
  const furniture = blocks.map((block) => FURNITURE_WORDS.test(block.text));
  const pageWords = at(total.words, n) || 1;
  const behind = proseDistances(facts, 1);
  const ahead = proseDistances(facts, -1);
  return {
    names: AROUND_NAMES,
    write(block, out, offset) {
      const mine = blocks[block]?.container ?? 0;
      let next = offset;
      const put = (value: number) => {
        out[next++] = value;
      };
      for (const step of NEIGHBOURS) {
        const other = blocks[block + step];
        const i = block + step;
        put(other === undefined ? -1 : at(facts.words, i));
        put(other === undefined ? -1 : at(facts.linkShare, i));
        put(other === undefined ? -1 : tagRank(containers[other.container]?.tag ?? ""));
        put(other === undefined ? -1 : at(facts.sentences, i));
      }
      for (const step of NEIGHBOURS.filter(isNear)) {
        const other = blocks[block + step];
        put(other !== undefined && kindOf[other.container] === kindOf[mine] ? 1 : 0);
        put(other !== undefined && containers[other.container]?.parent === containers[mine]?.parent ? 1 : 0);
        put(furniture[block + step] === true ? 1 : 0);
      }
      for (const reach of WINDOWS) {
        const first = Math.max(0, block - reach);
        const last = Math.min(n, block + reach + 1);
        put(between(total.prose, first, last));
        put(between(total.linkChars, first, last) / (between(total.chars, first, last) || 1));
      }
      put(at(behind, block));
      put(at(ahead, block));
      const kind = kinds.get(kindOf[mine] ?? "");
      put(kind?.blocks ?? 0);
      put(kind === undefined ? 0 : kind.words / kind.blocks);
      put(kind === undefined ? 0 : kind.links / kind.chars);
      put(kind === undefined ? 0 : kind.words / pageWords);
      put(kind === undefined ? 0 : kind.prose / kind.words);
    },
  };
}

function isNear(step: number): boolean {
  return Math.abs(step) < 3;
}

/** Returns the elements and first two classes of each container and the two above it. */
function kindsOf(facts: PageFacts): string[] {
  const own = facts.containers.map(({ tag, element }) => {
    const classes = (element === null ? "" : classOf(element)).trim().split(/\s+/).slice(0, 2);
    return `${tag}.${classes.join(".")}`;
  });
  return facts.containers.map(({ parent }, i) => {
    const above = facts.containers[parent]?.parent ?? -1;
    return `${own[i]}>${own[parent] ?? ""}>${own[above] ?? ""}`;
  });
}

/** Counts how many blocks ago the last prose was, going forward (1) or backward (-1), at most {@link REACH}. */
function proseDistances(facts: PageFacts, direction: 1 | -1): Float64Array {
  const n = facts.blocks.length;
  const distances = new Float64Array(n);
  let distance = REACH;
  for (let step = 0; step < n; step++) {
    const i = direction === 1 ? step : n - 1 - step;
    distances[i] = distance;
    distance = at(facts.prose, i) > 0 ? 1 : Math.min(REACH, distance + 1);
  }
  return distances;
}

const FAR = 99;
const CORE_SHARE = 0.6;
const CENTRE_NAMES = [
  "top-up",
  "top-down",
  "top-common-share",
  "top-outside",
  "top-inside",
  "core-up",
  "core-down",
  "core-outside",
  "core-inside",
  "run-start",
  "run-end",
  "in-run",
];

/**
 * Features of a block's distance to three guesses at the article: the container with most prose near it (the scoring of
 * Mozilla's Readability), the smallest container with most of the page's prose, and the run of blocks with the largest
 * sum of prose less links (a maximum-subarray search, as in body text extraction by Pasternack and Roth, 2009).
 */
export function centreFeatures(facts: PageFacts): FeatureGroup {
  const top = pathTo(facts, topContainer(facts));
  const core = pathTo(facts, coreContainer(facts));
  const run = bestRun(facts);
  const pageWords = at(facts.total.words, facts.blocks.length) || 1;
  return {
    names: CENTRE_NAMES,
    write(block, out, offset) {
      const container = facts.blocks[block]?.container ?? 0;
      const toTop = distance(facts, container, top);
      const toCore = distance(facts, container, core);
      const common = facts.containers[toTop.common];
      const share = common === undefined ? 1 : between(facts.total.words, common.first, common.last) / pageWords;
      out.set(
        [
          toTop.up,
          toTop.down,
          share,
          outside(block, top),
          inside(block, top),
          toCore.up,
          toCore.down,
          outside(block, core),
          inside(block, core),
          block - run.first,
          run.last - block,
          block >= run.first && block <= run.last ? 1 : 0,
        ],
        offset,
      );
    },
  };
}

interface Path {
  /** Levels from the container up to each of its ancestors and itself. */
  readonly levels: ReadonlyMap<number, number>;
  readonly first: number;
  readonly last: number;
}

function pathTo(facts: PageFacts, container: number): Path {
  const levels = new Map<number, number>();
  for (let c = container; c >= 0; c = facts.containers[c]?.parent ?? -1) levels.set(c, levels.size);
  const { first = 0, last = 0 } = facts.containers[container] ?? {};
  return { levels, first, last };
}

function distance(facts: PageFacts, container: number, path: Path): { up: number; down: number; common: number } {
  let up = 0;
  let common = container;
  while (common >= 0 && !path.levels.has(common)) {
    common = facts.containers[common]?.parent ?? -1;
    up++;
  }
  return { up, down: path.levels.get(common) ?? FAR, common };
}

function outside(block: number, { first, last }: Path): number {
  if (block < first) return block - first;
  return block >= last ? block - last + 1 : 0;
}

function inside(block: number, { first, last }: Path): number {
  return (block - first) / (last - first || 1);
}

function topContainer(facts: PageFacts): number {
  const { containers, total } = facts;
  const mass = new Float64Array(containers.length);
  for (const [i, { container }] of facts.blocks.entries()) {
    let weight = at(facts.prose, i);
    if (weight === 0) continue;
    let c = container;
    for (let level = 0; level < 4 && c >= 0; level++) {
      mass[c] = at(mass, c) + weight;
      weight *= level === 0 ? 0.9 : 0.6;
      c = containers[c]?.parent ?? -1;
    }
  }
  let top = 0;
  let most = 0;
  for (const [i, { first, last }] of containers.entries()) {
    const links = between(total.linkChars, first, last) / (between(total.chars, first, last) || 1);
    const score = at(mass, i) * (1 - links);
    if (score > most) {
      most = score;
      top = i;
    }
  }
  return top;
}

function coreContainer(facts: PageFacts): number {
  const { containers, total } = facts;
  const pageProse = at(total.prose, facts.blocks.length) || 1;
  let core = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [i, { first, last }] of containers.entries()) {
    if (between(total.prose, first, last) / pageProse >= CORE_SHARE && last - first <= fewest) {
      fewest = last - first;
      core = i;
    }
  }
  return core;
}

function bestRun(facts: PageFacts): { first: number; last: number } {
  let best = { first: 0, last: 0, sum: -1 };
  let first = 0;
  let sum = 0;
  for (let i = 0; i < facts.blocks.length; i++) {
    const words = at(facts.words, i);
    const gain =
      at(facts.prose, i) > 0
        ? Math.min(at(facts.prose, i), 80)
        : (words < 3 ? -4 : -3) - Math.min(20, words) * at(facts.linkShare, i) * 1.5;
    if (sum <= 0) {
      sum = gain;
      first = i;
    } else sum += gain;
    if (sum > best.sum) best = { first, last: i, sum };
  }
  return best;
}
