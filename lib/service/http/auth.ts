import { createHash, timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { AppError } from "./app-error.ts";
import type { HttpEnv } from "./context.ts";

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

/** The token of an `Authorization: Bearer` header, if it is one. */
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
