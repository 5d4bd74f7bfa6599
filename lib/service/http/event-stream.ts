import { setImmediate as nextTurn } from "node:timers/promises";
import { errorMessage, formatEvent } from "../../std/mod.ts";
import { type HttpContext, pathOf, requestLogger } from "./context.ts";
import { AppError, type Classify, problemBody, toAppError } from "./problem.ts";
import type { Limiter } from "./limiter.ts";
import { keepOpen } from "./peer.ts";

/** Aborts when the server is about to cut what it has not answered; undefined where no server says so. */
function endingOf(c: HttpContext): AbortSignal | undefined {
  const env: unknown = c.env;
  if (typeof env !== "object" || env === null || !("ending" in env)) return undefined;
  return env.ending instanceof AbortSignal ? env.ending : undefined;
}

/** An event to send. */
export type OutgoingEvent = { event: string; data: unknown };

type EventStreamOptions = {
  /** Between two comment lines that keep the connection while nothing else is sent, in milliseconds. */
  heartbeatMs: number;
  classify?: Classify;
  /** Writes events, and the error that ends a stream, where clients want another form. */
  format?: { event(event: OutgoingEvent): string; error(problem: AppError, path: string): string };
  /** Called once, when the stream is over; what it returns goes into its log line. */
  onEnd?: (outcome: StreamOutcome) => Record<string, unknown>;
};

/** Events by their names; an error is a problem document. */
const NAMED: NonNullable<EventStreamOptions["format"]> = {
  event: ({ event, data }) => formatEvent(event, data),
  error: (problem, path) => formatEvent("error", problemBody(problem, path)),
};

/** Describes how a stream ended: all of it was sent, an error was, or the client had left. */
type StreamOutcome = "done" | "error" | "left";

/** Events that are there together are sent in one piece of the body, until it has so many UTF-16 units. */
const TOGETHER = 16_384;

/**
 * Serves events as `text/event-stream`, no faster than they are read. What fails before the first event is thrown; what
 * fails later is sent as the event `error`, a problem document, and ends the stream, as does the stop of the service.
 * The signal aborts when the client leaves or the stream ends. One line is logged at the end.
 */
export async function eventStream(
  c: HttpContext,
  source: (signal: AbortSignal) => AsyncIterable<OutgoingEvent>,
  { heartbeatMs, classify = () => undefined, format = NAMED, onEnd = () => ({}) }: EventStreamOptions,
): Promise<Response> {
  const start = performance.now();
  const client = new AbortController();
  const signal = AbortSignal.any([client.signal, c.req.raw.signal]);
  const ending = endingOf(c);
  const events = source(signal)[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<OutgoingEvent>> | undefined = Promise.resolve(await events.next());
  let over = false;
  keepOpen(c);

  const end = (outcome: StreamOutcome, fields: Record<string, unknown> = {}): void => {
    if (over) return;
    over = true;
    const level = outcome === "error" ? "error" : "info";
    const ms = Math.round(performance.now() - start);
    requestLogger(c)[level]({ path: c.req.path, outcome, ms, ...onEnd(outcome), ...fields }, "stream ended");
  };

  /** The text to send next, of one event or of all that are there, and whether it is the last. */
  const pull = async (): Promise<{ text: string; last: boolean }> => {
    next ??= events.next();
    const result = ending?.aborted ? "ending" : ((await soon(next)) ?? (await within(next, heartbeatMs, ending)));
    if (result === "ending") throw new AppError("service-unavailable", "The service stops; ask again.");
    if (result === "late") return { text: ": keep-alive\n\n", last: false };
    let text = "";
    for (let each: typeof result | undefined = result; each !== undefined; each = await soon(next)) {
      if (each.done === true) return { text, last: true };
      text += format.event(each.value);
      next = undefined;
      if (text.length >= TOGETHER) break;
      next = events.next();
    }
    return { text, last: false };
  };

  /** Ends the work of the source. */
  const letGo = (reason: Error): void => {
    client.abort(reason);
    void events.return?.().catch(() => undefined);
    next?.catch(() => undefined);
  };

  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (over) return;
        try {
          const { text, last } = await pull();
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (!last) return;
          end("done");
        } catch (error) {
          if (signal.aborted) end("left");
          else {
            const problem = toAppError(error, classify);
            controller.enqueue(encoder.encode(format.error(problem, pathOf(c))));
            end("error", { error: problem.slug, reason: errorMessage(problem.cause ?? error) });
            letGo(problem);
          }
        }
        controller.close();
      },
      cancel() {
        end("left");
        letGo(new Error("the client left"));
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-cache", "X-Accel-Buffering": "no" },
  });
}

/** Returns what the promise gives before the event loop's next turn; else undefined, also where it is rejected. */
async function soon<T>(promise: Promise<T>): Promise<T | undefined> {
  return await Promise.race([promise, nextTurn(undefined)]).catch(() => undefined);
}

/** Returns what the promise gives; "late" when that takes longer than `ms`, "ending" when the signal aborts before. */
async function within<T>(
  promise: Promise<T>,
  ms: number,
  ending: AbortSignal | undefined,
): Promise<T | "late" | "ending"> {
  if (ending?.aborted) return "ending";
  const { promise: other, resolve } = Promise.withResolvers<"late" | "ending">();
  const timer = setTimeout(resolve, ms, "late");
  const onEnding = () => resolve("ending");
  ending?.addEventListener("abort", onEnding);
  return await Promise.race([promise, other]).finally(() => {
    clearTimeout(timer);
    ending?.removeEventListener("abort", onEnding);
  });
}

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
