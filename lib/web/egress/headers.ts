import { EgressError } from "./address.ts";

const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that frame a request or belong to the connection: never the caller's to set. */
const OURS = /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/;
/** Headers of the caller that another host may see. */
const COMMON = /^(?:accept|accept-language|content-type|user-agent)$/i;

/**
 * Returns the headers of a request. Throws EgressError `bad-header` for a name or value that would break the request
 * open, or that frames it. A validator that is none is left out: it came from a server.
 */
export function headersFor(
  userAgent: string,
  { etag, lastModified }: { readonly etag?: string | undefined; readonly lastModified?: string | undefined },
  callerHeaders: Readonly<Record<string, string>>,
  address: string,
): Record<string, string> {
  const headers: Record<string, string> = {
    "user-agent": userAgent,
    accept: ACCEPT,
    "accept-language": "ar,en;q=0.9,*;q=0.5",
    "accept-encoding": "br, gzip, deflate",
    ...(etag !== undefined && VALUE.test(etag) && { "if-none-match": etag }),
    ...(lastModified !== undefined && VALUE.test(lastModified) && { "if-modified-since": lastModified }),
  };
  for (const [name, value] of Object.entries(callerHeaders)) headers[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(headers)) {
    if (NAME.test(name) && VALUE.test(value) && !OURS.test(name)) continue;
    throw new EgressError("bad-header", address, `the header ${JSON.stringify(name.slice(0, 80))} cannot be sent`);
  }
  return headers;
}

/**
 * Returns what of the caller's headers goes along with a redirect: all of it on the same host, unless TLS is lost; else
 * nothing of its own.
 */
export function headersAlong(
  callerHeaders: Readonly<Record<string, string>>,
  from: URL,
  to: URL,
): Record<string, string> {
  const upgraded = from.hostname === to.hostname && from.port === "" && to.port === "" && to.protocol === "https:";
  if (from.origin === to.origin || upgraded) return { ...callerHeaders };
  return Object.fromEntries(Object.entries(callerHeaders).filter(([name]) => COMMON.test(name)));
}

/** The cookies of one chain of redirects. */
interface CookieJar {
  /** Takes what an answer sets, `Set-Cookie` by `Set-Cookie`; whether that changed anything. */
  take(url: URL, setCookies: readonly string[] | undefined): boolean;
  /** Returns the value of `Cookie` for a request to an address; undefined for none. */
  headerFor(url: URL): string | undefined;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** The host that set it, or the domain that it named. */
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
}

const MAX_COOKIES = 50;
const MAX_LENGTH = 4096;
const COOKIE_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const COOKIE_VALUE = /^[\x21-\x3a\x3c-\x7e\x80-\xff]*$/;

/** Makes an empty jar that keeps cookies by the rules of RFC 6265, as long as somebody holds it. */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    take(url, setCookies = []) {
      let changed = false;
      for (const line of setCookies) {
        const parsed = readCookie(url, line);
        if (parsed === null) continue;
        const { cookie, expired } = parsed;
        const key = `${cookie.name};${cookie.domain};${cookie.path}`;
        const before = cookies.get(key);
        if (expired) changed = cookies.delete(key) || changed;
        else if (before?.value !== cookie.value && (before !== undefined || cookies.size < MAX_COOKIES)) {
          cookies.set(key, cookie);
          changed = true;
        }
      }
      return changed;
    },
    headerFor(url) {
      const due = [...cookies.values()].filter((cookie) => isFor(cookie, url));
      const pairs = due.toSorted((a, b) => b.path.length - a.path.length).map(({ name, value }) => `${name}=${value}`);
      return pairs.length === 0 ? undefined : pairs.join("; ");
    },
  };
}

function readCookie(url: URL, line: string): { cookie: Cookie; expired: boolean } | null {
  if (line.length > MAX_LENGTH) return null;
  const [pair = "", ...rest] = line.split(";");
  const equals = pair.indexOf("=");
  const name = pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  if (equals < 1 || !COOKIE_NAME.test(name) || !COOKIE_VALUE.test(value)) return null;
  const attributes = new Map(rest.map(readAttribute));
  const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase() ?? "";
  const secure = attributes.has("secure");
  if ((secure && url.protocol !== "https:") || (domain !== "" && !isDomainOf(domain, url.hostname))) return null;
  const path = attributes.get("path") ?? "";
  const cookie = {
    name,
    value,
    domain: domain || url.hostname,
    hostOnly: domain === "",
    path: path.startsWith("/") ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf("/"))),
    secure,
  };
  return { cookie, expired: isExpired(attributes) };
}

function readAttribute(part: string): [name: string, value: string] {
  const [name = "", ...value] = part.split("=");
  return [name.trim().toLowerCase(), value.join("=").trim()];
}

function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  return Date.parse(attributes.get("expires") ?? "") <= Date.now();
}

function isFor({ domain, hostOnly, path, secure }: Cookie, { hostname, pathname, protocol }: URL): boolean {
  if (secure && protocol !== "https:") return false;
  if (hostOnly ? hostname !== domain : !isDomainOf(domain, hostname)) return false;
  return pathname === path || (pathname.startsWith(path) && (path.endsWith("/") || pathname[path.length] === "/"));
}

/** Returns whether a host lies in a domain of at least two labels. */
function isDomainOf(domain: string, hostname: string): boolean {
  return hostname === domain || (domain.includes(".") && hostname.endsWith(`.${domain}`));
}
