/** Packs vectors of one length one after another as float16, little endian. */
export function packVectors(vectors: readonly Float32Array[]): Buffer {
  const dims = vectors[0]?.length ?? 0;
  const all = new Float16Array(dims * vectors.length);
  vectors.forEach((vector, i) => {
    if (vector.length !== dims)
      throw new RangeError(`vectors of ${dims} and of ${vector.length} dimensions in one batch`);
    all.set(vector, i * dims);
  });
  return Buffer.from(all.buffer);
}

/** Reads one vector back from its bytes. */
export function unpackVector(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  // A view needs an even offset, which a pooled Buffer does not promise.
  const half =
    byteOffset % 2 === 0
      ? new Float16Array(buffer, byteOffset, byteLength / 2)
      : new Float16Array(buffer.slice(byteOffset, byteOffset + byteLength));
  return new Float32Array(half);
}
