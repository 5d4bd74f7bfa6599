/**
 * The `k`-th largest of `values` (k from 1), by quickselect (Hoare 1961); the values are left in another order. Minus
 * infinity when there are fewer than `k`.
 */
export function kthLargest(values: Float64Array, k: number): number {
  if (k > values.length) return Number.NEGATIVE_INFINITY;
  const wanted = k - 1;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = medianOfThree(values[low] ?? 0, values[(low + high) >> 1] ?? 0, values[high] ?? 0);
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] ?? 0) > pivot) i++;
      while ((values[j] ?? 0) < pivot) j--;
      if (i <= j) {
        const left = values[i] ?? 0;
        values[i++] = values[j] ?? 0;
        values[j--] = left;
      }
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return values[wanted] ?? Number.NEGATIVE_INFINITY;
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
