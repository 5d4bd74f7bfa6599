/** The element at `index`. Throws {@link RangeError} where there is none: a wrong index must not become a value. */
export function at<T>(array: { readonly length: number; readonly [index: number]: T }, index: number): T {
  const value = array[index];
  if (value === undefined) throw new RangeError(`no element ${index} of ${array.length}`);
  return value;
}
