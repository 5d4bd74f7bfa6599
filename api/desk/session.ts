import type { Config } from "@isnad/lib/service/config";
import { type Access, AppError, type HttpContext, isLoopback } from "@isnad/lib/service/http";
import { DESK_SESSION_DAYS, type Store } from "@isnad/lib/store";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

/** Names the cookie of a session; under https with the prefix that keeps other hosts from setting it. */
const COOKIE = "isnad_desk";

/** Characters of a cookie that may be a token. */
const TOKEN = /^[\w-]{43}$/;

/** Names who reads, and the credential under which the API is asked for them. */
export type Reader = { kind: "session" | "local"; credential: string };

/** Signs readers in and out, and tells who reads. */
type Sessions = {
  /** Returns who reads; undefined for somebody who has to sign in. */
  readerOf(c: HttpContext): Promise<Reader | undefined>;
  /** Begins a session with a key and ends the one before; false where the key is not good for the desk. */
  signIn(c: HttpContext, key: string): Promise<boolean>;
  signOut(c: HttpContext): Promise<void>;
};

/** Describes what sessions stand on. */
export type SessionDeps = {
  config: Pick<Config, "appEnv" | "host" | "tokens" | "publicBaseUrl">;
  access: Access;
  store: Pick<Store, "deskSessions">;
};

/** Makes the sessions of the desk. */
export function createSessions({ config, access, store }: SessionDeps): Sessions {
  const isSecure = config.publicBaseUrl.startsWith("https:");
  const name = isSecure ? `__Host-${COOKIE}` : COOKIE;
  const cookie = { httpOnly: true, sameSite: "Strict", secure: isSecure, path: "/" } as const;
  const tokenOf = (c: HttpContext): string | undefined => {
    const token = getCookie(c, name);
    return token !== undefined && TOKEN.test(token) ? token : undefined;
  };
  return {
    async readerOf(c) {
      const token = tokenOf(c);
      const key = token && (await store.deskSessions.read(token));
      if (key !== undefined && (await access.grants(key, "desk"))) return { kind: "session", credential: key };
      // The scraper's token is good for the desk here, and for runs of the scraper there.
      const [own] = [...config.tokens.scraper, ...config.tokens.ingest];
      return own !== undefined && isOpenHere(c, config) ? { kind: "local", credential: own } : undefined;
    },
    async signIn(c, key) {
      if (!/^[\x21-\x7e]{1,512}$/.test(key) || !(await access.grants(key, "desk"))) return false;
      const before = tokenOf(c);
      if (before !== undefined) await store.deskSessions.end(before);
      setCookie(c, name, await store.deskSessions.begin(key), { ...cookie, maxAge: DESK_SESSION_DAYS * 86_400 });
      return true;
    },
    async signOut(c) {
      const token = tokenOf(c);
      if (token !== undefined) await store.deskSessions.end(token);
      deleteCookie(c, name, cookie);
    },
  };
}

/** Tells whether the desk is open without a key: in the local environment, served to this machine by a name of it. */
function isOpenHere(c: HttpContext, { appEnv, host }: Pick<Config, "appEnv" | "host">): boolean {
  return appEnv === "local" && isLoopback(host) && isLoopback(new URL(c.req.url).hostname);
}

/**
 * Refuses (403) a form that a page of another origin sends. Browsers say whose page it is (`Sec-Fetch-Site`, or
 * `Origin`); what says neither is no browser's form.
 */
export function requireOwnForm(c: HttpContext): void {
  if (c.req.method === "GET" || c.req.method === "HEAD") return;
  const site = c.req.header("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = c.req.header("origin") ?? "";
  const isOwn = URL.canParse(origin) && new URL(origin).host === (c.req.header("host") ?? new URL(c.req.url).host);
  if (site !== undefined || !isOwn) throw new AppError("forbidden", "The form comes from another origin.");
}
