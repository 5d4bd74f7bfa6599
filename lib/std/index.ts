export { abortable } from "./abortable.ts";
export { at } from "./at.ts";
export { type Backoff, backoffMs } from "./backoff.ts";
export { BoundedMap } from "./bounded-map.ts";
export { errorMessage } from "./error-message.ts";
export { formatEvent, readEvents, type StreamEvent } from "./event-stream.ts";
export { isObject, type Json, parseJson, parseJsonObject } from "./json.ts";
export { type RetryOptions, retry } from "./retry.ts";
export { createSlicer, mapInSlices, type SliceOptions } from "./slices.ts";
