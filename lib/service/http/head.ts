import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./context.ts";

/**
 * Gives the answer to HEAD the `Content-Length` that GET has; its body is not sent. A stream has no length in either.
 */
export const headLength = createMiddleware<HttpEnv>(async function headLength(c, next) {
  await next();
  if (c.req.method !== "HEAD" || c.res.body === null || c.res.headers.has("Content-Length")) return;
  if (c.res.headers.get("Content-Type")?.startsWith("text/event-stream")) return await c.res.body.cancel();
  const { byteLength } = await c.res.clone().arrayBuffer();
  c.res.headers.set("Content-Length", String(byteLength));
});
