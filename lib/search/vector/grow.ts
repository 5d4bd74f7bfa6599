/**
 * An array of the same kind with room for `length` elements: `array` itself where it is long enough, else a copy half
 * as long again.
 */
export function grown<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array>(
  array: T,
  length: number,
  make: (length: number) => T,
): T {
  if (length <= array.length) return array;
  const next = make(Math.max(length, Math.ceil(array.length * 1.5), 1024));
  next.set(array);
  return next;
}
