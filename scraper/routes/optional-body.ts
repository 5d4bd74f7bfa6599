import { createMiddleware, type HttpEnv, jsonBody } from "@isnad/lib/service/http";

/** Reads a JSON body as {@link jsonBody} does; a request without any body is read as `{}`. */
export function optionalJsonBody() {
  const read = jsonBody();
  return createMiddleware<HttpEnv>(async function readOptionalBody(c, next) {
    const { headers, body } = c.req.raw;
    if (body === null && !headers.has("content-type")) return await next();
    return await read(c, next);
  });
}
