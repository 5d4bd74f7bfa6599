import { isObject, parseJsonObject } from "../../std/mod.ts";

/** Characters of a server's message that are kept. */
const MAX_MESSAGE_CHARS = 200;

/**
 * What a server says of an error, for a log: the code and message of an OpenAI-like body, or the beginning of any
 * other, in one line, without the key, which some servers repeat.
 */
export function describeError(body: unknown, key?: string): string {
  const said = wordsOf(body).join(" ").replace(/\s+/g, " ").trim();
  const safe = key === undefined || key === "" ? said : said.replaceAll(key, "[redacted]");
  // Some servers repeat a key in part, its middle replaced by stars.
  return safe.replace(/\b(sk|pk|key|token)-[\w*.-]{6,}/gi, "[redacted]").slice(0, MAX_MESSAGE_CHARS);
}

function wordsOf(value: unknown): string[] {
  if (typeof value === "string") {
    const parsed = parseJsonObject(value);
    if (parsed !== undefined) return wordsOf(parsed);
    return value.trimStart().startsWith("<") ? [] : [value];
  }
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.slice(0, 3).flatMap(wordsOf);
  if (!isObject(value)) return [];
  if (value.error !== undefined && value.error !== null) return wordsOf(value.error);
  return [value.code, value.type, value.message ?? value.detail ?? value.msg].flatMap(wordsOf);
}
