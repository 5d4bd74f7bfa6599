import { FairQueue } from "../../std/mod.ts";
import { InferenceError } from "./errors.ts";

/** Inputs taken from the front of the queue for one run, and where their results belong. */
export type Taken<In, Out> = {
  inputs: In[];
  /** Aborts when none of the calls that the inputs are of waits for them any more. */
  signal: AbortSignal;
  deliver(results: readonly Out[]): void;
  fail(error: unknown): void;
};

/** Says how inputs wait: `kind` takes turns with other kinds, for instance a route. */
type AddOptions = { signal?: AbortSignal | undefined; timeoutMs: number; kind?: string | undefined };

/** Inputs waiting for a model, over all calls. */
interface WorkQueue<In, Out> {
  /**
   * Waits for the results of `inputs`.
   * @throws InferenceError `queue-full`, `timed-out`; the signal's reason when aborted
   */
  add(inputs: readonly In[], options: AddOptions): Promise<Out[]>;
  /**
   * Returns the next inputs, at most `maxInputs` and, beyond the first, `maxUnits`: kinds in turn, and within a kind in
   * order of arrival, save that a call goes before those that have more left, each of which lets as many inputs go
   * before its own as it came with.
   */
  take(maxInputs: number, maxUnits: number): Taken<In, Out> | undefined;
  /** Inputs that wait. */
  size(): number;
}

type WorkQueueOptions<In> = {
  /** Inputs that may wait; a call that finds the queue empty is taken whatever its size. */
  capacity: number;
  /** The model's name, for errors. */
  model: string;
  /** Tells how much work an input is, for instance its length in UTF-16 units. */
  units(input: In): number;
};

type Call<In, Out> = {
  inputs: readonly In[];
  next: number;
  missing: number;
  results: Out[];
  done: boolean;
  /** Tell the runs that hold inputs of it that it is settled. */
  onDone: (() => void)[];
  resolve(results: Out[]): void;
  reject(reason: unknown): void;
};

/** Makes an empty queue. */
export function createWorkQueue<In, Out>({ capacity, model, units }: WorkQueueOptions<In>): WorkQueue<In, Out> {
  const calls = new FairQueue<Call<In, Out>>((call) => call.inputs.length - call.next);
  let waiting = 0;

  const drop = (call: Call<In, Out>): void => {
    if (calls.delete(call)) waiting -= call.inputs.length - call.next;
  };

  const deliver = (parts: readonly [Call<In, Out>, number][], results: readonly Out[]): void => {
    if (results.length !== parts.length) {
      const message = `${model}: ${results.length} results for ${parts.length} inputs`;
      for (const [call] of parts) call.reject(new InferenceError("worker-failed", message, { model }));
      return;
    }
    results.forEach((result, i) => {
      const [call, place] = parts[i] ?? [];
      if (call === undefined || place === undefined) return;
      call.results[place] = result;
      if (--call.missing === 0) call.resolve(call.results);
    });
  };

  return {
    size: () => waiting,
    add(inputs, { signal, timeoutMs, kind }) {
      signal?.throwIfAborted();
      if (waiting > 0 && waiting + inputs.length > capacity) {
        const message = `${model}: ${waiting} inputs are waiting, ${inputs.length} more would pass the limit of ${capacity}`;
        throw new InferenceError("queue-full", message, { model });
      }
      const { promise, resolve, reject } = Promise.withResolvers<Out[]>();
      const finish = (settle: () => void): void => {
        if (call.done) return;
        call.done = true;
        clearTimeout(timer);
        signal?.removeEventListener("abort", aborted);
        drop(call);
        for (const tell of call.onDone) tell();
        settle();
      };
      const call: Call<In, Out> = {
        inputs,
        next: 0,
        missing: inputs.length,
        results: new Array<Out>(inputs.length),
        done: false,
        onDone: [],
        resolve: (results) => finish(() => resolve(results)),
        reject: (reason) => finish(() => reject(reason)),
      };
      const aborted = (): void => call.reject(signal?.reason);
      const timer = setTimeout(() => {
        call.reject(new InferenceError("timed-out", `${model}: no answer within ${timeoutMs} ms`, { model }));
      }, timeoutMs);
      signal?.addEventListener("abort", aborted);
      calls.add(call, { kind });
      waiting += inputs.length;
      return promise;
    },
    take(maxInputs, maxUnits) {
      if (calls.size === 0) return undefined;
      const inputs: In[] = [];
      const parts: [Call<In, Out>, number][] = [];
      const concerned = new Set<Call<In, Out>>();
      const abandoned = new AbortController();
      let over = false;
      let taken = 0;
      while (inputs.length < maxInputs) {
        const call = calls.next();
        const input = call?.inputs[call.next];
        if (call === undefined || input === undefined) break;
        const size = units(input);
        if (inputs.length > 0 && taken + size > maxUnits) break;
        inputs.push(input);
        taken += size;
        parts.push([call, call.next]);
        if (!concerned.has(call)) {
          concerned.add(call);
          call.onDone.push(() => {
            concerned.delete(call);
            if (concerned.size === 0 && !over) abandoned.abort();
          });
        }
        call.next++;
        waiting--;
        calls.spend(call, 1);
        if (call.next === call.inputs.length) calls.delete(call);
      }
      return {
        inputs,
        signal: abandoned.signal,
        deliver(results) {
          over = true;
          deliver(parts, results);
        },
        fail(error) {
          over = true;
          for (const [call] of parts) call.reject(error);
        },
      };
    },
  };
}
