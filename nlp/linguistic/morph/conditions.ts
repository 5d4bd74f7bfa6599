/** A set of conditions by number, as bits. */
export type Conditions = Uint32Array;

/**
 * What a morpheme asks of the others of its word: clauses, all of which must hold; of a clause's literals one must. A
 * literal is the number of a condition that must be brought, or -1 minus the number of one that must not be.
 */
export type Asked = readonly (readonly number[])[];

/** The set of these conditions, of `size` in all. */
export function conditionsOf(numbers: readonly number[], size: number): Conditions {
  const bits = new Uint32Array(Math.ceil(size / 32));
  for (const number of numbers) bits[number >> 5] = (bits[number >> 5] ?? 0) | (1 << (number & 31));
  return bits;
}

/** The union of sets. */
export function union(...sets: readonly Conditions[]): Conditions {
  const [first = new Uint32Array(0), ...rest] = sets;
  const bits = first.slice();
  for (const set of rest) for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) | (set[i] ?? 0);
  return bits;
}

/** Whether every clause holds of the conditions that the morphemes of a word bring. */
export function holds(asked: Asked, brought: Conditions): boolean {
  for (const clause of asked) {
    let one = false;
    for (const literal of clause) {
      const number = literal < 0 ? -1 - literal : literal;
      const there = (((brought[number >> 5] ?? 0) >>> (number & 31)) & 1) === 1;
      if (there === literal >= 0) {
        one = true;
        break;
      }
    }
    if (!one) return false;
  }
  return true;
}
