import { type PageFacts, at, between } from "../facts.ts";
import type { FeatureGroup } from "./group.ts";

const LEVELS = 6;
const PER_LEVEL = ["share", "link-share", "blocks", "words-a-block", "prose", "prose-share", "short", "children"];
const NAMES = Array.from({ length: LEVELS }, (_, level) => PER_LEVEL.map((name) => `up${level}-${name}`)).flat();

/** Features of the containers around a block, from its own outwards: size, links, and how much of it is prose. */
export function enclosureFeatures(facts: PageFacts): FeatureGroup {
  const { containers, total } = facts;
  const pageWords = at(total.words, total.words.length - 1) || 1;
  const pageProse = at(total.prose, total.prose.length - 1) || 1;
  const children = new Int32Array(containers.length);
  for (const { parent } of containers) if (parent >= 0) children[parent] = at(children, parent) + 1;
  const rows = containers.map(({ first, last }, index) => {
    const blocks = last - first || 1;
    const words = between(total.words, first, last);
    const prose = between(total.prose, first, last);
    return [
      words / pageWords,
      between(total.linkChars, first, last) / (between(total.chars, first, last) || 1),
      blocks,
      words / blocks,
      prose / (words || 1),
      prose / pageProse,
      between(total.short, first, last) / blocks,
      at(children, index),
    ];
  });
  return {
    names: NAMES,
    write(block, out, offset) {
      let index = facts.blocks[block]?.container ?? 0;
      for (let level = 0; level < LEVELS; level++) {
        out.set(rows[index] ?? [], offset + level * PER_LEVEL.length);
        const parent = containers[index]?.parent ?? -1;
        if (parent >= 0) index = parent;
      }
    },
  };
}
