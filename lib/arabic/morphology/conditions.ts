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

/** The union of two sets, as long as the longer, which it is where the other adds nothing. */
export function union(one: Conditions, other: Conditions): Conditions {
  const longer = one.length < other.length ? other : one;
  const shorter = one.length < other.length ? one : other;
  let bits: Conditions | undefined;
  for (let i = 0; i < shorter.length; i++) {
    const added = shorter[i] ?? 0;
    if ((added & ~(longer[i] ?? 0)) === 0) continue;
    bits ??= longer.slice();
    bits[i] = (bits[i] ?? 0) | added;
  }
  return bits ?? longer;
}

/** Whether every clause holds of the conditions that the morphemes of a word bring, given as sets. */
export function holds(asked: Asked, brought: readonly Conditions[]): boolean {
  for (const clause of asked) {
    if (!clause.some((literal) => brought.some((set) => has(set, literal)) === literal >= 0)) return false;
  }
  return true;
}

/**
 * The clauses that are not decided yet while of other conditions those of `later` can still be brought; undefined when
 * one can hold no more.
 */
export function undecided(asked: Asked, brought: Conditions, later: Conditions): Asked | undefined {
  const left: (readonly number[])[] = [];
  for (const clause of asked) {
    let isOpen = false;
    let isSure = false;
    for (const literal of clause) {
      const isBrought = has(brought, literal);
      if (isBrought || !has(later, literal)) isSure ||= isBrought === literal >= 0;
      else isOpen = true;
    }
    if (isSure) continue;
    if (!isOpen) return undefined;
    left.push(clause);
  }
  return left;
}

/** Whether a set has the condition that a literal is about. */
function has(set: Conditions, literal: number): boolean {
  const number = literal < 0 ? -1 - literal : literal;
  return (((set[number >> 5] ?? 0) >>> (number & 31)) & 1) === 1;
}
