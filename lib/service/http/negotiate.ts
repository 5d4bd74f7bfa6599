import { parseAccept } from "hono/utils/accept";

/** Characters of `Accept` that are looked at. */
const MAX_ACCEPT_LENGTH = 1_000;

/**
 * Returns the offer whose media type a request accepts most (RFC 9110, 12.5.1), the first one where it does not say or
 * accepts none of them.
 */
export function acceptedOffer<T>(
  accept: string | undefined,
  offers: readonly { types: readonly string[]; value: T }[],
): T | undefined {
  const ranges = parseAccept((accept ?? "").slice(0, MAX_ACCEPT_LENGTH));
  let best: { value: T | undefined; q: number } = { value: offers[0]?.value, q: 0 };
  for (const { types, value } of offers) {
    // What is named exactly counts more than what a range takes in: browsers accept everything a little.
    const exact = ranges.find(({ type }) => types.includes(type.toLowerCase()));
    const any = ranges.find(({ type }) => type === "*/*" || types.some((each) => type === `${each.split("/")[0]}/*`));
    const q = exact?.q ?? (value === offers[0]?.value ? (any?.q ?? 0) : 0);
    if (q > best.q) best = { value, q };
  }
  return best.value;
}

/** Bytes of a stream that are written at a time, about. */
const CHUNK_LENGTH = 32_768;

/** Returns texts as a body that is made as it is read: a client that leaves ends the work. */
export function textStream(texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let chunk = "";
      while (chunk.length < CHUNK_LENGTH) {
        const { done, value } = await texts.next();
        if (done) {
          if (chunk !== "") controller.enqueue(encoder.encode(chunk));
          controller.close();
          return;
        }
        chunk += value;
      }
      controller.enqueue(encoder.encode(chunk));
    },
    async cancel() {
      await texts.return();
    },
  });
}
