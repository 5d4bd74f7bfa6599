import { trimEnd } from "../std/mod.ts";

/** The address is no URL, or none of `http` and `https`. The message names the reason, not the address. */
export class InvalidUrlError extends Error {
  override name = "InvalidUrlError";
}

/** Query parameters that say where a reader came from, or whose visit it is, not what is read. */
const TRACKING = new Set(
  (
    "phpsessid jsessionid sessionid session_id cfid cftoken fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid twclid ttclid li_fat_id igshid igsh mc_cid mc_eid mkt_tok " +
    "_ga _gl _hsenc _hsmi oly_anon_id oly_enc_id vero_id s_cid srsltid ref_src ref_url wickedid"
  ).split(" "),
);
const TRACKING_PREFIX =
  /^(?:utm_|at_campaign|at_medium|at_link|at_ptr|ns_campaign|ns_mchannel|ns_source|pk_|mtm_|hsa_)/;
/**
 * An address that is in its canonical form already, as most are: a name as host, a path of plain characters without dot
 * segments, nothing else. It needs no parser.
 */
const PLAIN = /^https?:\/\/(?:(?!xn--)[a-z0-9-]+\.)+[a-z]{2,}(?:\/[\w~-][\w.~-]*)+$/;
/** Number of a visit at the end of a part of the path, as Java servers write it. */
const PATH_SESSION = /;jsessionid=[^/;]*/gi;
const UNRESERVED = /[a-z0-9\-._~]/i;

/**
 * Returns the address by which two links count as the same page: scheme and host in lower case, IDN in punycode, no
 * default port, credentials, fragment, trailing slash, tracking parameters or number of a visit, query sorted by name
 * (equal names keep their order), percent-encoding in one form. Throws {@link InvalidUrlError}.
 */
export function canonicalUrl(address: string): string {
  if (isPlainUrl(address)) return address;
  const url = parseUrl(address);
  const path = trimEnd(normalizeEncoding(url.pathname.replace(PATH_SESSION, "")), /\//);
  const query = canonicalQuery(url.search.slice(1));
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${bareHost(url)}${port}${path === "" ? "/" : path}${query === "" ? "" : `?${query}`}`;
}

/** Returns the host of an address, in lower case, IDN in punycode, without port. Throws {@link InvalidUrlError}. */
export function hostOf(address: string): string {
  if (isPlainUrl(address)) return address.slice(address.indexOf("/") + 2, address.indexOf("/", 8));
  return bareHost(parseUrl(address));
}

/**
 * Returns the name of a host in the form in which hosts are compared, that of {@link hostOf}: ASCII (IDN in punycode),
 * lower case, no dot at its end. Undefined for what names no host, or says more than one (a port, a path).
 */
export function asciiHost(name: string): string | undefined {
  const bare = name.trim();
  if (!/^\[[\da-f:.]+\]$/i.test(bare) && /[\s/\\?#@:]/.test(bare)) return undefined;
  const url = URL.parse(`http://${bare}`);
  const host = url === null ? "" : bareHost(url);
  return host.split(".").includes("") ? undefined : host;
}

/** Returns the web address without a user name and password; as it is where it has none. */
export function withoutCredentials(address: string): string {
  if (!address.includes("@")) return address;
  const url = new URL(address);
  if (url.username === "" && url.password === "") return address;
  url.username = "";
  url.password = "";
  return url.href;
}

/**
 * Returns whether an address is a web address in a form so plain that its canonical form is itself. False says nothing.
 */
export function isPlainUrl(address: string): boolean {
  return PLAIN.test(address);
}

/**
 * Holds what names the host of an absolute URL, with user and port: as parsers take it, whatever slashes come before.
 */
const AUTHORITY = /^\s*https?:[/\\]*([^/\\?#]*)/i;

/** Longest authority that is parsed, in UTF-16 units: parsers take time with the square of the length of an IDN. */
const AUTHORITY_LENGTH = 2_048;

/** Longest name of a host in ASCII (RFC 1035), with a dot at its end. */
const HOST_LENGTH = 254;

/** Tells whether `address` is an absolute `http` or `https` URL. */
export function isWebUrl(address: string): boolean {
  const authority = AUTHORITY.exec(address)?.[1];
  if (authority === undefined || authority.length > AUTHORITY_LENGTH) return false;
  if (isPlainUrl(address)) return authority.length <= HOST_LENGTH;
  if (hasControl(address) || !address.isWellFormed()) return false;
  const hostname = URL.parse(address)?.hostname ?? "";
  return /[^.]/.test(hostname) && hostname.length <= HOST_LENGTH;
}

/** Tells whether a text holds control characters. */
export function hasControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f]/.test(text);
}

function parseUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null) throw new InvalidUrlError("not a URL");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new InvalidUrlError("the scheme must be http or https");
  if (bareHost(url) === "") throw new InvalidUrlError("the host is empty");
  return url;
}

function bareHost(url: URL): string {
  const { hostname } = url;
  return trimEnd(hostname, /\./);
}

function canonicalQuery(query: string): string {
  const parts = query.split("&").flatMap((part) => {
    const text = normalizeEncoding(part);
    const name = text.split("=", 1)[0] ?? "";
    const lower = name.toLowerCase();
    return text === "" || TRACKING.has(lower) || TRACKING_PREFIX.test(lower) ? [] : [{ name, text }];
  });
  return parts
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((part) => part.text)
    .join("&");
}

/** RFC 3986, 6.2.2: percent-encodings in upper case, and none of unreserved characters. */
function normalizeEncoding(s: string): string {
  return s.replace(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(char) ? char : encoded.toUpperCase();
  });
}
