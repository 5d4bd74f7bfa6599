import { type HttpContext, isErrorSlug, Problem, AppError, type z } from "@isnad/lib/service/http";
import { isObject, parseJson } from "@isnad/lib/std";
import type { Child } from "hono/jsx";
import type { Language, Strings } from "./strings/mod.ts";

/** The colours of a page: as the system has them, or as the reader chose. */
export type Theme = "auto" | "light" | "dark";

/** Values of a query; what is undefined or empty is left out, and a list is its values one by one. */
export type QueryValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Describes a request to the API's own routes. */
export type AskOptions = { query?: QueryValues; method?: "GET" | "POST" | "PATCH" | "DELETE"; body?: unknown };

/** Asks a route of the API under the reader's credential, and checks its answer. @throws AppError as the route says */
type Ask = <T extends z.ZodType>(schema: T, path: string, options?: AskOptions) => Promise<z.output<T>>;

/** Holds what a page is made of: the request, its language, and how it gets its data. */
export type View = {
  c: HttpContext;
  lang: Language;
  t: Strings;
  theme: Theme;
  /** IANA name of the reader's time zone; UTC until the browser has told. */
  zone: string;
  /** The address of the page. */
  url: URL;
  /** Says who reads: with a session, or at this machine, where nobody has to sign in. */
  reader: "session" | "local" | "none";
  ask: Ask;
  /** Parts of the page that are still being made (`ui/later.tsx`). */
  later: Promise<string>[];
  /** Tells whether the desk has a section of this name: a page links to no other. */
  has(section: string): boolean;
  /** Sends a request to the API as {@link ask} does, and returns its answer as it is (streams, downloads). */
  send(path: string, options?: AskOptions & { accept?: string }): Promise<Response>;
};

/** Holds what a page shows. */
export type PageBody = {
  /** Plain text; the name of the site follows. */
  title: string;
  body: Child;
  status?: 200 | 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503;
};

/** Holds what a part of a page shows: its data, or why it has none. */
export type Attempt<T> = { value: T; error?: undefined } | { value?: undefined; error: AppError };

/** Returns what a request for a part of a page came to: a page shows the rest where one part cannot be had. */
export async function attempt<T>(asked: Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await asked };
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

/** Returns a path with a query. */
export function withQuery(path: string, query: QueryValues = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "") continue;
    for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each));
  }
  return params.size === 0 ? path : `${path}?${params}`;
}

/** Returns an {@link Ask} over what sends requests to the API. */
export function askBy(send: View["send"]): Ask {
  return async (schema, path, options = {}) => {
    const response = await send(path, options);
    const text = await response.text();
    if (!response.ok) throw problemOf(response.status, parseJson(text));
    return schema.parse(response.status === 204 ? undefined : parseJson(text));
  };
}

/** Returns the error that an answer of the API is. */
export function problemOf(status: number, body: unknown): AppError {
  const { data } = Problem.safeParse(body);
  const slug = data?.type.replace(/^\/errors\//, "") ?? "";
  return new AppError(isErrorSlug(slug) ? slug : "internal-error", data?.detail ?? "", {
    status,
    ...(isObject(body) && data?.errors !== undefined && { errors: data.errors }),
  });
}
