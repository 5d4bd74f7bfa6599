import type { Limiter } from "./limiter.ts";

/** Gives what `source` gives, once its turn has come; it holds its place until it is over, or nobody reads on. */
export async function* inTurn<T>(
  limiter: Limiter,
  options: { client: string; signal: AbortSignal },
  source: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const held = limiter.run(async () => {
    begun.resolve();
    await over.promise;
  }, options);
  held.catch(begun.reject);
  await begun.promise;
  try {
    yield* source();
  } finally {
    over.resolve();
    await held;
  }
}
