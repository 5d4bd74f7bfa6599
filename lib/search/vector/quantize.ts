/**
 * A vector as int8: component ≈ scale × code, the largest at ±127. `error` is the Euclidean length of what the codes
 * leave out, so by Cauchy–Schwarz the dot product with any vector y is off by at most error × |y|. `norm` is the
 * vector's own length.
 */
type QuantizedRow = { scale: number; error: number; norm: number };

/**
 * Writes the codes of `vector` into `codes`. Returns undefined when a component is not finite or all are zero: such a
 * vector has no direction.
 */
export function quantizeRow(vector: Float32Array, codes: Int8Array): QuantizedRow | undefined {
  let largest = 0;
  let squares = 0;
  for (const component of vector) {
    largest = Math.max(largest, Math.abs(component));
    squares += component * component;
  }
  if (!Number.isFinite(squares) || largest === 0 || squares === 0) return undefined;
  const scale = largest / 127;
  let left = 0;
  for (let i = 0; i < vector.length; i++) {
    const component = vector[i] ?? 0;
    const code = Math.round(component / scale);
    codes[i] = code;
    const rest = component - code * scale;
    left += rest * rest;
  }
  return { scale, error: Math.sqrt(left), norm: Math.sqrt(squares) };
}

/** A query as int16 for exact products and as int8 for the graph; the query itself is scaled to length 1. */
export type QuantizedQuery = {
  unit: Float64Array;
  wide: Int16Array;
  narrow: Int8Array;
  scale: number;
  error: number;
};

/**
 * Quantises a query so that its dot product with any row of int8 codes stays within 32 bits. Returns undefined for a
 * query without direction; throws {@link RangeError} for a component that is not finite.
 */
export function quantizeQuery(query: Float32Array): QuantizedQuery | undefined {
  let squares = 0;
  let largest = 0;
  for (let i = 0; i < query.length; i++) {
    const component = query[i] ?? 0;
    squares += component * component;
    largest = Math.max(largest, Math.abs(component));
  }
  if (!Number.isFinite(squares)) throw new RangeError("a query vector must have finite components");
  if (squares === 0) return undefined;
  const norm = Math.sqrt(squares);
  const unit = new Float64Array(query.length);
  for (let i = 0; i < query.length; i++) unit[i] = (query[i] ?? 0) / norm;
  // |row codes| ≤ 127 √dims, so the product is at most 127 √dims × |wide| < 2³⁰.
  const finest = Math.min((32_767 * norm) / largest, 2 ** 30 / (127 * Math.sqrt(query.length)));
  const wide = new Int16Array(query.length);
  const narrow = new Int8Array(query.length);
  let left = 0;
  for (let i = 0; i < unit.length; i++) {
    const component = unit[i] ?? 0;
    const code = Math.round(component * finest);
    wide[i] = code;
    narrow[i] = Math.round((component * norm * 127) / largest);
    const rest = component - code / finest;
    left += rest * rest;
  }
  return { unit, wide, narrow, scale: 1 / finest, error: Math.sqrt(left) };
}
