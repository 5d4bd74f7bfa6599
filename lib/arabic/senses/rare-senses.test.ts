import { expect, test } from "bun:test";
import { openInventory } from "./inventory.ts";
import { openRareSenses } from "./rare-senses.ts";

test("a sense that is called rare is one of several of its word, of which another is not", () => {
  const inventory = openInventory();
  const rare = openRareSenses();
  expect(rare.size).toBeGreaterThan(100);
  for (const id of rare) {
    const sense = inventory.byId(id);
    expect(sense?.id).toBe(id);
    const rivals = sense === undefined ? [] : inventory.rivals(sense);
    expect(rivals.some((rival) => !rare.has(rival.id))).toBe(true);
  }
});
