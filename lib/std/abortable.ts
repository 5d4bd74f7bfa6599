/** What `promise` settles to, unless `signal` aborts before: then it rejects with the signal's reason. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  return await Promise.race([aborted.promise, promise]).finally(() => signal.removeEventListener("abort", abort));
}
