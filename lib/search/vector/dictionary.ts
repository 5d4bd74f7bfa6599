/** Small numbers for repeated strings, so that a column of them is an array of integers. Code 0 stands for null. */
export class Dictionary {
  readonly #codes = new Map<string, number>();
  readonly #values: string[] = [];

  /** The code of `value`, given out when it is first seen. */
  code(value: string | null): number {
    if (value === null) return 0;
    const known = this.#codes.get(value);
    if (known !== undefined) return known;
    this.#values.push(value);
    this.#codes.set(value, this.#values.length);
    return this.#values.length;
  }

  /** Every value in the order of the codes, from code 1. */
  values(): readonly string[] {
    return this.#values;
  }
}
