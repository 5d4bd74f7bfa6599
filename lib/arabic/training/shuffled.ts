import { at } from "../../std/mod.ts";

/** Returns a list in another order, the same for the same seed. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const copy = [...items];
  let state = seed + 42;
  for (let i = copy.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    const j = state % (i + 1);
    [copy[i], copy[j]] = [at(copy, j), at(copy, i)];
  }
  return copy;
}
