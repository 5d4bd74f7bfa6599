import { hasLength } from "../contract/index.ts";
import { isPlainUrl } from "../text/index.ts";

/** Whether `id` can name something: 1 to `max` code points, none of them a control character or half a character. */
export function isIdentifier(id: string, max: number): boolean {
  return hasLength(id, 1, max) && !hasControl(id) && id.isWellFormed();
}

/** Whether `address` is an absolute `http` or `https` URL. */
export function isWebUrl(address: string): boolean {
  if (isPlainUrl(address)) return true;
  if (hasControl(address) || !address.isWellFormed()) return false;
  const url = URL.parse(address);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && /[^.]/.test(url.hostname);
}

/** Whether objects and arrays are nested at most `depth` levels deep, `value` itself being the first. */
export function isNestedWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  for (const child of Object.values(value)) {
    if (typeof child === "object" && child !== null && !isNestedWithin(child, depth - 1)) return false;
  }
  return true;
}

function hasControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f]/.test(text);
}
