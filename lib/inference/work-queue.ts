import { InferenceError } from "./errors.ts";

/** Texts taken from the front of the queue for one run, and where their vectors belong. */
export type Taken = { texts: string[]; deliver(vectors: Float32Array, dims: number): void; fail(error: unknown): void };

/** Texts waiting for a model, over all calls. */
export interface WorkQueue {
  /** Waits for the vectors of `texts`. @throws InferenceError `queue-full`, `timed-out`; the signal's reason when aborted */
  add(
    texts: readonly string[],
    options: { signal?: AbortSignal | undefined; timeoutMs: number },
  ): Promise<Float32Array[]>;
  /** The next texts in order of arrival, at most `maxTexts` and, beyond the first, `maxUnits` UTF-16 units. */
  take(maxTexts: number, maxUnits: number): Taken | undefined;
  /** Texts that wait. */
  size(): number;
  /** Rejects everything that waits. */
  clear(error: InferenceError): void;
}

type Call = { texts: readonly string[]; next: number; missing: number; vectors: Float32Array[]; done: boolean } & {
  resolve(vectors: Float32Array[]): void;
  reject(reason: unknown): void;
};

/** @param capacity texts that may wait; a call that finds the queue empty is taken whatever its size */
export function createWorkQueue(capacity: number, model: string): WorkQueue {
  const calls: Call[] = [];
  let size = 0;

  const drop = (call: Call): void => {
    const place = calls.indexOf(call);
    if (place < 0) return;
    calls.splice(place, 1);
    size -= call.texts.length - call.next;
  };

  const deliver = (parts: readonly [Call, number][], vectors: Float32Array, dims: number): void => {
    parts.forEach(([call, place], i) => {
      call.vectors[place] = vectors.slice(i * dims, (i + 1) * dims);
      if (--call.missing === 0) call.resolve(call.vectors);
    });
  };

  return {
    size: () => size,
    add(texts, { signal, timeoutMs }) {
      signal?.throwIfAborted();
      if (size > 0 && size + texts.length > capacity) {
        const message = `${model}: ${size} texts are waiting, ${texts.length} more would pass the limit of ${capacity}`;
        throw new InferenceError("queue-full", message, { model });
      }
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
      const finish = (settle: () => void): void => {
        if (call.done) return;
        call.done = true;
        clearTimeout(timer);
        signal?.removeEventListener("abort", aborted);
        drop(call);
        settle();
      };
      const call: Call = {
        texts,
        next: 0,
        missing: texts.length,
        vectors: new Array<Float32Array>(texts.length),
        done: false,
        resolve: (vectors) => finish(() => resolve(vectors)),
        reject: (reason) => finish(() => reject(reason)),
      };
      const aborted = (): void => call.reject(signal?.reason);
      const timer = setTimeout(() => {
        call.reject(new InferenceError("timed-out", `${model}: no answer within ${timeoutMs} ms`, { model }));
      }, timeoutMs);
      signal?.addEventListener("abort", aborted);
      calls.push(call);
      size += texts.length;
      return promise;
    },
    take(maxTexts, maxUnits) {
      const texts: string[] = [];
      const parts: [Call, number][] = [];
      let units = 0;
      while (texts.length < maxTexts) {
        const call = calls[0];
        const text = call?.texts[call.next];
        if (call === undefined || text === undefined) break;
        if (texts.length > 0 && units + text.length > maxUnits) break;
        texts.push(text);
        units += text.length;
        parts.push([call, call.next]);
        call.next++;
        size--;
        if (call.next === call.texts.length) calls.shift();
      }
      if (texts.length === 0) return undefined;
      return {
        texts,
        deliver: (vectors, dims) => deliver(parts, vectors, dims),
        fail: (error) => {
          for (const [call] of parts) call.reject(error);
        },
      };
    },
    clear(error) {
      for (const call of [...calls]) call.reject(error);
    },
  };
}
