import type { Config } from "@isnad/lib/service/config";
import {
  type Access,
  AppError,
  CLIENT_HEADER,
  type HttpContext,
  type HttpEnv,
  INTERNAL_HEADER,
  isLoopback,
  keepOpen,
  note,
  notFoundHandler,
  type OpenAPIHono,
  PASSED_HEADER,
  readBytes,
  toAppError,
} from "@isnad/lib/service/http";
import { DESK_SESSION_DAYS, type Store } from "@isnad/lib/store";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { type DeskAssets, serveAssets } from "./assets.ts";
import { ErrorPage } from "./pages/error.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { Frame, type SectionName } from "./layout.tsx";
import { isLanguage, type Language, STRINGS } from "./strings/mod.ts";
import { bodyOf, htmlOf, inOrder } from "./ui/later.tsx";
import { plain } from "./ui/text.tsx";
import { askBy, type AskOptions, type PageBody, type Theme, type View, withQuery } from "./view.ts";

/** Names the cookie of a session; under https with the prefix that keeps other hosts from setting it. */
const COOKIE = "isnad_desk";

/** Characters of a cookie that may be a token. */
const TOKEN = /^[\w-]{43}$/;

/** Names who reads, and the credential under which the API is asked for them. */
type Reader = { kind: "session" | "local"; credential: string };

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
function requireOwnForm(c: HttpContext): void {
  if (c.req.method === "GET" || c.req.method === "HEAD") return;
  const site = c.req.header("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = c.req.header("origin") ?? "";
  const isOwn = URL.canParse(origin) && new URL(origin).host === (c.req.header("host") ?? new URL(c.req.url).host);
  if (site !== undefined || !isOwn) throw new AppError("forbidden", "The form comes from another origin.");
}

/** Characters of a path that is gone to after signing in. */
const MAX_PATH = 2_000;

/** Returns a path of this site that may be gone to after signing in; `/` for anything else. */
function pathWithin(given: string | undefined): string {
  if (given === undefined || given.length > MAX_PATH || !given.startsWith("/")) return "/";
  const url = new URL(given, "http://localhost");
  return url.host === "localhost" ? `${url.pathname}${url.search}` : "/";
}

/** Describes what the desk stands on: the API that it is part of, its files, and where sessions are kept. */
type DeskDeps = {
  config: Config;
  access: Access;
  store: Pick<Store, "deskSessions">;
  assets: DeskAssets;
};

/** Adds pages to the desk. */
export type Desk = {
  /** Adds a page; what it throws becomes a page, too. `section`: the entry of the navigation that leads to it. */
  page(path: string, render: (view: View) => Promise<PageBody | Response>, options?: { section?: SectionName }): void;
  /**
   * Adds what a form sends; it answers with a page, or leads to another one by {@link seeOther}. A page of the same
   * path is added before it.
   */
  form(path: string, act: (view: View, fields: URLSearchParams) => Promise<PageBody | Response>): void;
};

/** Largest form that is read, in bytes. */
const MAX_FORM_BYTES = 1_000_000;

/** Sets how long a browser remembers language, colours and zone, in seconds. */
const SETTINGS_MAX_AGE_S = 400 * 86_400;

/** Headers of every page: no script, style, font or picture of another origin, no frame, no guess of types. */
const HEADERS = {
  "Cache-Control": "private, no-cache",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
};

/** Leads the browser to another page of the desk (303). */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path } });
}

/**
 * Adds the desk to the API: pages for readers and editors at `/`, which get their data by the API's own routes, under
 * the credential of the reader. `add` adds the pages.
 */
export function addDesk(app: OpenAPIHono<HttpEnv>, deps: DeskDeps, add: readonly ((desk: Desk) => void)[]): void {
  const { config, assets } = deps;
  const sessions = createSessions(deps);
  const pages = new Hono<HttpEnv>();
  const sections: SectionName[] = [];

  const viewOf = async (c: HttpContext): Promise<View> => {
    const reader = await sessions.readerOf(c);
    const send = senderOf(app, config, c, reader);
    const lang = languageOf(c);
    return {
      ...{ c, lang, t: STRINGS[lang], theme: themeOf(c), zone: zoneOf(c), url: new URL(c.req.url) },
      ...{
        reader: reader?.kind ?? "none",
        send,
        ask: askBy(send),
        later: [],
        has: (name) => sections.some((each) => each === name),
      },
    };
  };

  const show = async (view: View, { title, body, status = 200 }: PageBody): Promise<Response> => {
    const frame = (
      <Frame view={view} assets={assets} title={plain(title)} sections={sections}>
        {body}
      </Frame>
    );
    const html = `<!DOCTYPE html>${await htmlOf(frame)}`;
    const headers = { ...HEADERS, "Content-Type": "text/html; charset=UTF-8", Vary: "Cookie, Accept-Language" };
    if (view.later.length === 0) return view.c.body(html, status, headers);
    keepOpen(view.c);
    return view.c.body(bodyOf(inOrder(html, view)), status, { ...headers, "X-Accel-Buffering": "no" });
  };

  const showError = async (c: HttpContext, error: AppError): Promise<Response> => {
    note(c, { error: error.slug, ...(error.status >= 500 && { err: error.cause ?? error }) });
    const view = await viewOf(c).catch(() => undefined);
    return await show(view ?? blankView(c), ErrorPage({ view: view ?? blankView(c), error }));
  };

  /** Runs what makes a page once it is known who asks; whoever has to sign in is led there. */
  const serve = async (c: HttpContext, render: (view: View) => Promise<PageBody | Response>): Promise<Response> => {
    const settings = keepSettings(c);
    if (settings !== undefined) return c.redirect(settings, 303);
    const view = await viewOf(c);
    if (view.reader === "none") return signInFirst(c);
    const answer = await render(view);
    return answer instanceof Response ? answer : await show(view, answer);
  };

  const desk: Desk = {
    page(path, render, { section } = {}) {
      if (section !== undefined) sections.push(section);
      pages.get(path, (c) => serve(c, render));
    },
    form(path, act) {
      pages.post(path, async (c) => {
        requireOwnForm(c);
        return await serve(c, async (view) => act(view, await readForm(c)));
      });
      // What a form answered is no page to come back to: it leads to where the form stands.
      pages.get(path, (c) => {
        keepSettings(c);
        return c.redirect(c.req.path.slice(0, c.req.path.lastIndexOf("/")) || "/", 303);
      });
    },
  };

  pages.onError((error, c) =>
    showError(
      c,
      toAppError(error, () => undefined),
    ),
  );
  for (const addPage of add) addPage(desk);
  pages.get("/sign-in", async (c) => {
    const settings = keepSettings(c);
    if (settings !== undefined) return c.redirect(settings, 303);
    const view = await viewOf(c);
    const next = pathWithin(c.req.query("next"));
    return view.reader === "session" ? c.redirect(next, 303) : show(view, SignInPage({ view, next }));
  });
  pages.post("/sign-in", async (c) => {
    requireOwnForm(c);
    const fields = await readForm(c);
    const next = pathWithin(fields.get("next") ?? undefined);
    const key = (fields.get("key") ?? "").trim();
    if (key !== "" && (await sessions.signIn(c, key))) return c.redirect(next, 303);
    const view = await viewOf(c);
    const { keyMissing, keyWrong } = view.t.common;
    return show(view, SignInPage({ view, next, problem: key === "" ? keyMissing : keyWrong }));
  });
  pages.post("/sign-out", async (c) => {
    requireOwnForm(c);
    await sessions.signOut(c);
    return c.redirect("/sign-in", 303);
  });
  const files = serveAssets(assets);
  pages.get("/assets/:file", (c) => files(c) ?? showError(c, new AppError("not-found", "There is no such file.")));
  app.route("/", pages);

  const others = notFoundHandler(app);
  app.notFound(async (c) => {
    const answer = await others(c);
    const isPage = c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");
    return isPage && answer.status === 404 ? showError(c, new AppError("not-found", "")) : answer;
  });
}

/**
 * Sends a request to the API within this process, for the reader of a page: with the reader's credential, and counted
 * as the reader's.
 */
function senderOf(
  app: OpenAPIHono<HttpEnv>,
  { tokens }: Config,
  c: HttpContext,
  reader: Reader | undefined,
): View["send"] {
  const [internal] = tokens.internal;
  return async (path, { query, method, body, accept = "application/json" }: AskOptions & { accept?: string } = {}) => {
    const request = new Request(`http://localhost${withQuery(path, query)}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      body: body === undefined ? null : JSON.stringify(body),
      signal: c.req.raw.signal,
    });
    const { headers } = request;
    headers.set("accept", accept);
    headers.set("x-request-id", c.var.requestId);
    if (body !== undefined) headers.set("content-type", "application/json");
    if (reader !== undefined) headers.set("authorization", `Bearer ${reader.credential}`);
    if (internal !== undefined) headers.set(INTERNAL_HEADER, internal);
    headers.set(CLIENT_HEADER, encodeURI(c.var.client));
    headers.set(PASSED_HEADER, "1");
    return await app.fetch(request, c.env);
  };
}

/** Returns the fields of a form. */
async function readForm(c: Context<HttpEnv>): Promise<URLSearchParams> {
  const type = c.req.header("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded"))
    throw new AppError("unsupported-media-type", "A form must be sent as application/x-www-form-urlencoded.");
  return new URLSearchParams(new TextDecoder().decode(await readBytes(c.req.raw, MAX_FORM_BYTES)));
}

/** A page for an error that happened before it was known who asks. */
function blankView(c: HttpContext): View {
  const lang = languageOf(c);
  const send = () => Promise.reject(new AppError("service-unavailable", ""));
  return {
    ...{ c, lang, t: STRINGS[lang], theme: themeOf(c), zone: zoneOf(c), url: new URL(c.req.url), reader: "none", send },
    ask: askBy(send),
    later: [],
    has: () => false,
  };
}

/**
 * Leads to the page of signing in. A link on another site's page brings no cookie of `SameSite=Strict`: such a visit
 * comes again from here, with the cookie.
 */
function signInFirst(c: HttpContext): Response {
  const { pathname, search } = new URL(c.req.url);
  const isVisit = c.req.method === "GET";
  if (isVisit && c.req.header("sec-fetch-site") === "cross-site" && c.req.header("sec-fetch-mode") === "navigate") {
    return new Response(null, { status: 200, headers: { Refresh: `0;url=${pathname}${search}`, ...HEADERS } });
  }
  return seeOther(withQuery("/sign-in", { next: isVisit && pathname !== "/" ? `${pathname}${search}` : undefined }));
}

/**
 * Keeps the language (`hl`) and the colours (`theme`) that an address asks for, and returns the address without them;
 * undefined where it asks for neither.
 */
function keepSettings(c: HttpContext): string | undefined {
  const url = new URL(c.req.url);
  const { hl, theme } = Object.fromEntries(url.searchParams);
  if (hl === undefined && theme === undefined) return undefined;
  const cookie = { sameSite: "Lax", path: "/", maxAge: SETTINGS_MAX_AGE_S } as const;
  if (isLanguage(hl)) setCookie(c, "isnad_lang", hl, cookie);
  if (theme !== undefined && isTheme(theme)) setCookie(c, "isnad_theme", theme, cookie);
  url.searchParams.delete("hl");
  url.searchParams.delete("theme");
  return pathWithin(`${url.pathname}${url.search}`);
}

/** Returns the language that was chosen, else the one that the browser likes best, else Arabic. */
function languageOf(c: HttpContext): Language {
  const chosen = getCookie(c, "isnad_lang");
  if (isLanguage(chosen)) return chosen;
  const accepted = (c.req.header("accept-language") ?? "").slice(0, 500).split(",");
  const tags = accepted.map((part) => part.trim().slice(0, 2).toLowerCase());
  return tags.find(isLanguage) ?? "ar";
}

function isTheme(text: string): text is Theme {
  return text === "auto" || text === "light" || text === "dark";
}

function themeOf(c: HttpContext): Theme {
  const chosen = getCookie(c, "isnad_theme");
  return chosen !== undefined && isTheme(chosen) ? chosen : "auto";
}

/** Returns the zone that the browser has told (`islands/main.ts`); UTC where it is none. */
function zoneOf(c: HttpContext): string {
  const zone = getCookie(c, "isnad_zone") ?? "UTC";
  if (zone.length > 64 || !/^[A-Za-z]/.test(zone)) return "UTC";
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
