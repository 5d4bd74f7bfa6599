import type { PageFacts } from "../facts.ts";
import { aroundFeatures } from "./around.ts";
import { centreFeatures } from "./centre.ts";
import { enclosureFeatures } from "./enclosure.ts";
import type { FeatureGroup } from "./group.ts";
import { orderFeatures } from "./order.ts";
import { placeFeatures } from "./place.ts";
import { textFeatures } from "./text.ts";

/** The features of all blocks of a page. */
export interface FeatureTable {
  readonly names: readonly string[];
  /** One row a block, `names.length` values each. */
  readonly values: Float32Array;
}

/** Computes the features of all blocks of a page. */
export function tabulate(facts: PageFacts): FeatureTable {
  const groups: FeatureGroup[] = [
    textFeatures,
    placeFeatures,
    enclosureFeatures,
    centreFeatures,
    orderFeatures,
    aroundFeatures,
  ].map((make) => make(facts));
  const names = groups.flatMap((group) => group.names);
  const values = new Float32Array(names.length * facts.blocks.length);
  let offset = 0;
  for (let block = 0; block < facts.blocks.length; block++) {
    for (const group of groups) {
      group.write(block, values, offset);
      offset += group.names.length;
    }
  }
  return { names, values };
}
