/** Describes what `JSON.stringify` can write. */
export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

/** Tells whether `value` is an object in the sense of JSON. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value that a JSON text stands for; undefined when it is none. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the object that a JSON text stands for; undefined when it is no JSON, or of another kind. */
export function parseJsonObject(text: string): { [key: string]: Json } | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
