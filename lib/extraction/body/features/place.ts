import { at, between, type PageFacts } from "../facts.ts";
import { classOf, type HtmlElement } from "../../page/dom.ts";
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
  const labels = new Map<string, readonly number[]>();
  let deepest = 1;
  for (const container of containers) {
    deepest = Math.max(deepest, container.depth);
    const covers = between(total.words, container.first, container.last) / pageWords > COVERS_PAGE;
    const isEmpty = container.first === container.last;
    const label = isEmpty ? "" : labelOf(container.element);
    const said = label === "" ? NOTHING : purposesIn(label, labels);
    const above = levelsAbove(purposes[container.parent]);
    for (const k of said) if (!(covers && k < FURNITURE)) above[k] = 0;
    purposes.push(above);
    const tags = levelsAbove(ancestors[container.parent], ANCESTORS.length);
    const own = ANCESTORS.indexOf(container.tag);
    if (own >= 0) tags[own] = 0;
    ancestors.push(tags);
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

const NOTHING: readonly number[] = [];

/** Which of {@link PURPOSES} a label names; elements of a page share their labels. */
function purposesIn(label: string, labels: Map<string, readonly number[]>): readonly number[] {
  const before = labels.get(label);
  if (before !== undefined) return before;
  const said = PURPOSES.flatMap(([, pattern], k) => (pattern.test(label) ? [k] : []));
  labels.set(label, said);
  return said;
}

/** One level further from everything than the container above. */
function levelsAbove(above: Uint8Array | undefined, length: number = PURPOSES.length): Uint8Array {
  const levels = new Uint8Array(length).fill(FAR);
  if (above !== undefined) for (let k = 0; k < length; k++) levels[k] = Math.min(FAR, (above[k] ?? FAR) + 1);
  return levels;
}

function labelOf(element: HtmlElement | null): string {
  if (element === null) return "";
  let label = `${classOf(element)} `;
  for (const name of ["id", "role", "itemprop", "data-testid", "data-component"]) {
    const value = element.getAttribute(name);
    if (value !== null) label += `${value} `;
  }
  return label.toLowerCase().replaceAll("_", "-").trim();
}
