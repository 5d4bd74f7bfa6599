import { at, between, type PageFacts } from "../facts.ts";
import { ANCESTORS, FURNITURE, PURPOSES, tagRank } from "../vocabulary.ts";
import type { FeatureGroup } from "./group.ts";

const FAR = 99;
const COVERS_PAGE = 0.8;
const NAMES = [
  "tag",
  "depth",
  "relative-depth",
  "is-paragraph",
  "hidden",
  ...PURPOSES.map(([name]) => `purpose-${name}`),
  ...ANCESTORS.map((tag) => `in-${tag}`),
];

/** Features of where a block stands: its element, and how many levels up the nearest ancestor of each kind is. */
export function placeFeatures(facts: PageFacts): FeatureGroup {
  const { containers, total } = facts;
  const pageWords = at(total.words, total.words.length - 1) || 1;
  const purposes: Uint8Array[] = [];
  const ancestors: Uint8Array[] = [];
  let deepest = 1;
  for (const container of containers) {
    deepest = Math.max(deepest, container.depth);
    const covers = between(total.words, container.first, container.last) / pageWords > COVERS_PAGE;
    const label = labelOf(container.element);
    const above = purposes[container.parent];
    purposes.push(
      Uint8Array.from(PURPOSES, ([, pattern], k) => {
        const here = label !== "" && !(covers && k < FURNITURE) && pattern.test(label);
        return here ? 0 : Math.min(FAR, (above?.[k] ?? FAR) + 1);
      }),
    );
    const tags = ancestors[container.parent];
    ancestors.push(
      Uint8Array.from(ANCESTORS, (tag, k) => (container.tag === tag ? 0 : Math.min(FAR, (tags?.[k] ?? FAR) + 1))),
    );
  }
  return {
    names: NAMES,
    write(block, out, offset) {
      const index = facts.blocks[block]?.container ?? 0;
      const container = containers[index];
      if (container === undefined) return;
      const { tag, depth } = container;
      out.set([tagRank(tag), depth, depth / deepest, tag === "p" ? 1 : 0, container.hidden ? 1 : 0], offset);
      out.set(purposes[index] ?? [], offset + 5);
      out.set(ancestors[index] ?? [], offset + 5 + PURPOSES.length);
    },
  };
}

interface Attributed {
  getAttribute(name: string): string | null;
}

function labelOf(element: Attributed | null): string {
  if (element === null) return "";
  let label = "";
  for (const name of ["class", "id", "role", "itemprop", "data-testid", "data-component"]) {
    const value = element.getAttribute(name);
    if (value !== null) label += `${value} `;
  }
  return label.toLowerCase().replaceAll("_", "-").trim();
}
