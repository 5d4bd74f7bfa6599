import { createHash, timingSafeEqual } from "node:crypto";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import ipaddr from "ipaddr.js";
import { isObject } from "../../std/mod.ts";
import type { Config } from "../config/mod.ts";
import { type Holder, type HttpContext, type HttpEnv, note, type Right } from "./context.ts";
import { createKeyBook, createRateLimit, createSharedRateLimit, type KeySource, type SharedCount } from "./keys.ts";
import { CLIENT_HEADER, clientAddress, inNetworks, INTERNAL_HEADER, PASSED_HEADER } from "./peer.ts";
import { AppError, type ErrorSlug, problems } from "./problem.ts";

/** Tells whether `given` is one of `tokens`, in a time that tells nothing about them. */
export function tokenMatcher(tokens: readonly string[]): (given: string) => boolean {
  const digests = tokens.map(digest);
  return (given) => {
    const candidate = digest(given);
    let isValid = false;
    for (const token of digests) isValid = timingSafeEqual(token, candidate) || isValid;
    return isValid;
  };
}

/** Returns the token of an `Authorization: Bearer` header, if it is one. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? "")?.[1];
}

/** Lets a request pass that carries one of `tokens` as `Authorization: Bearer`; else 401 with `WWW-Authenticate`. */
export function bearer(tokens: readonly string[]) {
  const matches = tokenMatcher(tokens);
  return createMiddleware<HttpEnv>(async function bearerAuth(c, next) {
    const given = bearerToken(c.req.header("authorization"));
    if (given === undefined || !matches(given)) {
      const challenge = given === undefined ? "Bearer" : 'Bearer error="invalid_token"';
      throw new AppError("unauthorized", "A valid bearer token is required.", {
        headers: { "WWW-Authenticate": challenge },
      });
    }
    await next();
  });
}

/** Lets a request pass whose header `name` is one of `tokens`; else 401. */
export function headerToken(name: string, tokens: readonly string[]) {
  const matches = tokenMatcher(tokens);
  return createMiddleware<HttpEnv>(async function headerAuth(c, next) {
    if (!matches(c.req.header(name) ?? "")) {
      throw new AppError("unauthorized", `A valid ${name} header is required.`);
    }
    await next();
  });
}

/** As {@link headerToken} where there are `tokens`; without any everybody passes. */
export function optionalHeaderToken(name: string, tokens: readonly string[]) {
  if (tokens.length > 0) return headerToken(name, tokens);
  return createMiddleware<HttpEnv>(async function noToken(_c, next) {
    await next();
  });
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Describes where a credential stands: `Authorization: Bearer`, `x-api-key`, or the header of services. */
type Place = "bearer" | "x-api-key" | "internal";

/** Tokens of the environment, where they are taken, and what they are good for. Keys are taken in both places. */
type Role = { tokens: readonly string[]; place: "bearer" | "x-api-key"; rights: readonly Right[] };

/** Describes what decides who may do what in a service. */
export type AccessOptions = {
  config: Pick<Config, "tokens" | "trustedProxies" | "ratePerMinute">;
  roles?: readonly Role[] | undefined;
  /** Says where keys come from; without one there are none. */
  keys?: KeySource | undefined;
  /** Counts requests over all processes. */
  count?: { count: SharedCount; isAway(error: unknown): boolean } | undefined;
};

/**
 * Describes who may do what. Guards are middleware: 401 without a valid credential, 403 where it is not good for that.
 */
export type Access = {
  /** Lets a request pass whose credential has this right; `header` is where it is expected first. */
  require(right: Right, header?: "authorization" | "x-api-key"): ReturnType<typeof createMiddleware<HttpEnv>>;
  /**
   * Lets every request pass while reading is open; else, with `API_PUBLIC_KEYS` or a key with scope `read`, those whose
   * credential has it. `keys`: further tokens of this route, which it needs where there are any.
   */
  read(keys?: readonly string[]): ReturnType<typeof createMiddleware<HttpEnv>>;
  /** Tells whether the request's credential has this right. */
  has(c: HttpContext, right: Right): boolean;
  /** Tells whether a credential that came in no header has this right. */
  grants(credential: string, right: Right): Promise<boolean>;
};

/** Makes the guards of a service, and the middleware that says whose a request is (`c.var.client`). */
export function createAccess({ config, roles = [], keys, count }: AccessOptions) {
  const { apiPublic, internal } = config.tokens;
  const book = keys && createKeyBook(keys);
  const isTrusted = inNetworks(config.trustedProxies);
  const known: { digest: Buffer; place: Place; rights: readonly Right[] }[] = [
    { tokens: internal, place: "internal" as const, rights: ["internal", "read", "edge"] as const },
    { tokens: apiPublic, place: "x-api-key" as const, rights: ["read"] as const },
    // Clients of OpenAI's protocol show theirs so.
    { tokens: apiPublic, place: "bearer" as const, rights: ["read"] as const },
    ...roles,
  ].flatMap(({ tokens, ...role }) => tokens.map((token) => ({ digest: sha256(token), ...role })));
  const limits = new Map<number, (client: string) => Promise<void> | void>();

  const recognise = async (given: string, place: Place): Promise<Holder | undefined> => {
    const digest = sha256(given);
    const rights = new Set<Right>();
    for (const token of known) {
      const isSame = timingSafeEqual(token.digest, digest);
      if (isSame && token.place === place) for (const right of token.rights) rights.add(right);
    }
    const hash = digest.toString("hex");
    if (rights.size > 0) return { client: `token:${hash.slice(0, 16)}`, rights, ratePerMin: null };
    const key = place === "internal" ? undefined : await book?.find(hash);
    if (key === undefined) return undefined;
    return { client: `key:${key.key_id}`, rights: new Set<Right>(key.scopes), ratePerMin: key.rate_per_min };
  };

  /** Returns the credentials that a request carries, recognised once. */
  const holdersOf = async (c: HttpContext): Promise<Holder[]> => {
    const given: [Place, string | undefined][] = [
      ["bearer", bearerToken(c.req.header("authorization"))],
      ["x-api-key", c.req.header("x-api-key")],
      ["internal", c.req.header(INTERNAL_HEADER)],
    ];
    const holders = await Promise.all(
      given.flatMap(([place, text]) => (text === undefined || text === "" ? [] : [recognise(text, place)])),
    );
    return holders.filter((holder) => holder !== undefined);
  };

  const hasRight = (holders: readonly Holder[], right: Right): boolean =>
    holders.some(
      ({ rights }) =>
        rights.has(right) ||
        (rights.has("admin") && right !== "internal") ||
        // Whoever keeps sources, searches and reviews reads them.
        (rights.has("desk") && right === "read"),
    );

  /** Counts the request against its key's rate, else against `rate`; those of the platform do not count. */
  const countRequest = async (c: HttpContext, rate?: number): Promise<void> => {
    const { holders, client } = c.var;
    if (hasRight(holders, "internal")) return;
    const perMinute = holders.find(({ ratePerMin }) => ratePerMin !== null)?.ratePerMin ?? rate;
    if (perMinute === undefined) return;
    const limit =
      limits.get(perMinute) ?? (count ? createSharedRateLimit(perMinute, count) : createRateLimit(perMinute));
    limits.set(perMinute, limit);
    await limit(client);
  };

  const identify = createMiddleware<HttpEnv>(async function identify(c, next) {
    const all = await holdersOf(c);
    const onBehalf = hasRight(all, "internal") ? c.req.header(CLIENT_HEADER)?.slice(0, 200) : undefined;
    const isPassed = c.req.header(PASSED_HEADER) !== undefined;
    const holders = isPassed ? all.filter((holder) => !hasRight([holder], "internal")) : all;
    c.set("holders", holders);
    c.set("client", onBehalf ?? holders[0]?.client ?? networkOf(clientAddress(c, isTrusted)));
    const key = holders.find(({ client }) => client.startsWith("key:"))?.client;
    if (key !== undefined) note(c, { key: key.slice("key:".length) });
    await next();
  });

  /**
   * Lets a request pass that `passes`, or whose credential has the right; a route with tokens of its `own` knows no
   * others.
   */
  const guard = (
    right: Right,
    header: "authorization" | "x-api-key",
    {
      passes,
      rate,
      own = false,
    }: { passes(c: HttpContext): Promise<boolean>; rate?: number | undefined; own?: boolean },
  ) =>
    guarding(
      right,
      createMiddleware<HttpEnv>(async function guard(c, next) {
        const { holders } = c.var;
        if (!hasRight(holders, right) && !(await passes(c))) throw refusal(c, header, holders.length > 0 && !own);
        await countRequest(c, rate);
        await next();
      }),
    );

  const access: Access = {
    require: (right, header = "authorization") => guard(right, header, { passes: async () => false }),
    read(tokens = []) {
      const own = tokenMatcher(tokens);
      const isOpen = async (): Promise<boolean> => apiPublic.length === 0 && (await book?.hasReadKey()) !== true;
      const passes = (c: HttpContext): Promise<boolean> =>
        tokens.length > 0 ? Promise.resolve(own(c.req.header("x-api-key") ?? "")) : isOpen();
      return guard("read", "x-api-key", { passes, rate: config.ratePerMinute, own: tokens.length > 0 });
    },
    has: (c, right) => hasRight(c.var.holders, right),
    async grants(credential, right) {
      const holder = await recognise(credential, "bearer");
      return holder !== undefined && hasRight([holder], right);
    },
  };
  return { access, identify };
}

function refusal(c: HttpContext, header: "authorization" | "x-api-key", isKnown: boolean): AppError {
  if (isKnown) return new AppError("forbidden", "The credential is valid, and not good for this.");
  const given = bearerToken(c.req.header("authorization")) ?? c.req.header("x-api-key");
  const wanted = header === "x-api-key" ? "A valid x-api-key header" : "A valid bearer token";
  return new AppError("unauthorized", `${wanted} is required.`, {
    headers: { "WWW-Authenticate": given === undefined ? "Bearer" : 'Bearer error="invalid_token"' },
  });
}

/** Returns what counts as one client: an address, in IPv6 the network of 64 bits that one line has. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "";
  const ip = ipaddr.process(address);
  if (ip.kind() === "ipv4") return ip.toString();
  return `${ip
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")}/64`;
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Holds which right each guard asks for. */
const GUARDS = new WeakMap<object, Right>();

/** Notes which right a middleware asks for, and returns it. */
export function guarding<M extends object>(right: Right, middleware: M): M {
  GUARDS.set(middleware, right);
  return middleware;
}

/** Names the member of an operation that says which right it needs; an operation without it is open. */
export const RIGHT_MEMBER = "x-right";

const PROBLEM = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };

function answers(...slugs: ErrorSlug[]): Record<string, unknown> {
  const described = Object.entries(problems(...slugs));
  return Object.fromEntries(described.map(([status, { description }]) => [status, { description, content: PROBLEM }]));
}

/** Holds what is answered before a route itself is asked: by its guard, for its JSON body, and for its query. */
const OF_GUARD = answers("unauthorized", "forbidden", "rate-limit-exceeded");
const OF_BODY = answers("malformed-json", "payload-too-large", "unsupported-media-type", "validation-error");
const OF_QUERY = answers("validation-error");
const OF_TAG = { 304: { description: "Not changed since the answer whose `ETag` is in `If-None-Match`." } };

/**
 * Returns the OpenAPI document of an app with what its routes need not say: the right that each operation needs, and
 * what is answered before a route is asked, where it does not describe that itself.
 */
export function withFrame(
  document: object,
  app: OpenAPIHono<HttpEnv>,
  { hasTags = false }: { hasTags?: boolean | undefined } = {},
): object {
  const paths = "paths" in document && isObject(document.paths) ? document.paths : {};
  const framed = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(isObject(item) ? item : {}).map(([method, operation]) => {
      if (!isObject(operation)) return [method, operation];
      const right = rightOf(app, method, path);
      const responses = {
        ...(hasTags && method === "get" && right !== undefined && OF_TAG),
        ...(right !== undefined && OF_GUARD),
        ...OF_QUERY,
        ...(takesJson(operation) && OF_BODY),
        ...(isObject(operation.responses) ? operation.responses : {}),
      };
      return [method, { ...operation, ...(right !== undefined && { [RIGHT_MEMBER]: right }), responses }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(framed) };
}

function takesJson({ requestBody }: Record<string, unknown>): boolean {
  return isObject(requestBody) && isObject(requestBody.content) && "application/json" in requestBody.content;
}

/** Returns the right that a route asks for: by a middleware of its own, or by one of all routes that come after it. */
function rightOf(app: OpenAPIHono<HttpEnv>, method: string, path: string): Right | undefined {
  const ownPath = path.replaceAll(/\{([^{}/]{1,64})\}/g, ":$1");
  const isOwn = (route: { method: string; path: string }): boolean =>
    route.path === ownPath && route.method === method.toUpperCase();
  const last = app.routes.findLastIndex(isOwn);
  const guard = app.routes.find(
    (route, i) => i <= last && GUARDS.has(route.handler) && (isOwn(route) || route.path === "/*"),
  );
  return guard && GUARDS.get(guard.handler);
}
