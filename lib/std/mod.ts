export { at, BoundedMap, copied, emptiedAtRest, forgetCached, memoize } from "./collections.ts";
export { formatEvent, readEvents, type StreamEvent } from "./event-stream.ts";
export { FairQueue } from "./fair-queue.ts";
export { isObject, type Json, parseJson, parseJsonObject } from "./text.ts";
export { createSlicer, createSteadyClock, createTurns, mapInSlices, paced, type SliceOptions } from "./pacing.ts";
export { SpanTable } from "./spans.ts";
export { abortable, backoffMs, retry } from "./retry.ts";
export { boundMarks, errorMessage, nearestName, scrub, sizeText, trimEnd } from "./text.ts";
