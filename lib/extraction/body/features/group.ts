/** Some of the features of a page's blocks. */
export interface FeatureGroup {
  readonly names: readonly string[];
  /** Writes the values of one block, in the order of the names, from `at` on. */
  write(block: number, out: Float32Array, at: number): void;
}
