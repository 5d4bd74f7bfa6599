import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./context.ts";

/** Keeps browsers from guessing the type of an answer: what an article says must never become a page or a script. */
export const noSniff = createMiddleware<HttpEnv>(async function noSniff(c, next) {
  await next();
  c.res.headers.set("X-Content-Type-Options", "nosniff");
});
