/** The thread of the index has ended although nobody closed it, or what it held is not loaded yet. */
export class VectorThreadError extends Error {
  override readonly name = "VectorThreadError";
}
