import { type PageFacts, at, between } from "../facts.ts";
import { classOf } from "../../page/dom.ts";
import { FURNITURE_WORDS, tagRank } from "../vocabulary.ts";
import type { FeatureGroup } from "./group.ts";

const NEIGHBOURS = [-3, -2, -1, 1, 2, 3];
const WINDOWS = [5, 15];
const REACH = 40;
const NAMES = [
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
    names: NAMES,
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

/** The elements and first two classes of each container and the two above it. */
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

/** How many blocks ago the last prose was, going forward (1) or backward (-1), at most {@link REACH}. */
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
