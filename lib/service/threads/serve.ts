import { parentPort, workerData } from "node:worker_threads";
import { threadNumber } from "./background-thread.ts";
import {
  type Context,
  encodeError,
  type Reply,
  type Request,
  type Start,
  Transferred,
  type WorkerData,
} from "./protocol.ts";

/** Describes how a thread serves. */
type ServeOptions = {
  /**
   * Begins a call only when the one before it is answered. Default: calls run side by side as far as they wait for
   * something.
   */
  oneAtATime?: boolean;
};

/** Returns a handler as it is called; its caller knows what it takes. */
type AnyHandler = (...args: unknown[]) => unknown;

/**
 * Serves the calls of the thread's owner (see `openThreads`) with the handlers that `start` makes; a Worker's file is
 * one call of this. When `start` throws, the owner learns why and the thread ends.
 */
export function serve(start: Start, { oneAtATime = false }: ServeOptions = {}): void {
  const port = parentPort;
  if (port === null) throw new Error("a file that calls serve() runs only as a Worker");
  /** Calls that are not answered yet. */
  const calls = new Map<number, CallContext>();
  let handlers: ReadonlyMap<string, AnyHandler> = new Map();
  let last: Promise<unknown> = Promise.resolve();
  let onIdle: (() => void) | undefined;

  const reply = (message: Reply<unknown>): void => port.postMessage(message);
  const finish = (id: number): void => {
    calls.delete(id);
    if (calls.size === 0) onIdle?.();
  };
  const fail = (id: number, error: unknown): void => {
    reply({ kind: "error", id, error: encodeError(error) });
    finish(id);
  };
  const succeed = (id: number, answer: unknown): void => {
    try {
      // An empty list of transfers costs a sixth of a round trip.
      if (answer instanceof Transferred) port.postMessage({ kind: "answer", id, answer: answer.value }, answer.buffers);
      else reply({ kind: "answer", id, answer });
      finish(id);
    } catch (error) {
      fail(id, error);
    }
  };

  /** Answers a call; returns a promise only when its handler does. */
  const answer = (id: number, name: string, ask: unknown, context: CallContext): Promise<void> | undefined => {
    try {
      context.throwIfAborted();
      const handler = handlers.get(name);
      if (handler === undefined) throw new TypeError(`the thread has no handler ${name}`);
      const result = handler(ask, context);
      if (result instanceof Promise) {
        return result.then(
          (value) => succeed(id, value),
          (error: unknown) => fail(id, error),
        );
      }
      succeed(id, result);
    } catch (error) {
      fail(id, error);
    }
    return undefined;
  };

  const receive = (id: number, name: string, ask: unknown): void => {
    const context = new CallContext();
    calls.set(id, context);
    if (oneAtATime) last = last.then(() => answer(id, name, ask, context));
    else void answer(id, name, ask, context);
  };

  const close = async (): Promise<void> => {
    if (calls.size > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    }
    // What it throws ends the thread with an error.
    await handlers.get("close")?.();
    port.close();
  };

  port.on("message", (request: Request<unknown>) => {
    if (request.kind === "call") receive(request.id, request.name, request.ask);
    else if (request.kind === "abort") calls.get(request.id)?.abort();
    else void close();
  });

  const begin = async (): Promise<void> => {
    const { data, restarts }: WorkerData<never> = workerData;
    handlers = new Map(Object.entries(await start(data, { restarts })));
    reply({ kind: "ready", thread: threadNumber() });
  };
  begin().catch((error: unknown) => {
    reply({ kind: "failed", error: encodeError(error) });
    port.close();
  });
}

/** Makes its signal only for a handler that looks at it. */
class CallContext implements Context {
  #controller: AbortController | undefined;
  #aborted = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }

  throwIfAborted(): void {
    if (this.#aborted) this.signal.throwIfAborted();
  }
}
