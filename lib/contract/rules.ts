import { isPlainUrl } from "../text/mod.ts";
import { hasLength } from "./fields.ts";

/** Whether `id` can name something: 1 to `max` code points, none of them a control character or half a character. */
export function isIdentifier(id: string, max: number): boolean {
  return hasLength(id, 1, max) && !hasControl(id) && id.isWellFormed();
}

/** What names the host of an absolute URL, with user and port: as parsers take it, whatever slashes come before. */
const AUTHORITY = /^\s*https?:[/\\]*([^/\\?#]*)/i;

/** Longest authority that is parsed, in UTF-16 units: parsers take time with the square of the length of an IDN. */
const AUTHORITY_LENGTH = 2_048;

/** Longest name of a host in ASCII (RFC 1035), with a dot at its end. */
const HOST_LENGTH = 254;

/** Whether `address` is an absolute `http` or `https` URL. */
export function isWebUrl(address: string): boolean {
  const authority = AUTHORITY.exec(address)?.[1];
  if (authority === undefined || authority.length > AUTHORITY_LENGTH) return false;
  if (isPlainUrl(address)) return authority.length <= HOST_LENGTH;
  if (hasControl(address) || !address.isWellFormed()) return false;
  const hostname = URL.parse(address)?.hostname ?? "";
  return /[^.]/.test(hostname) && hostname.length <= HOST_LENGTH;
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
