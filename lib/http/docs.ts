import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "./context.ts";

/** Adds `/openapi.json`, generated from the schemas of the routes, and `/docs`, a page over it. */
export function addDocs(
  app: OpenAPIHono<HttpEnv>,
  opts: { name: string; version: string; description?: string },
): void {
  let document: string | undefined;
  app.get("/openapi.json", (c) => {
    document ??= JSON.stringify(
      app.getOpenAPI31Document({
        openapi: "3.1.0",
        info: {
          title: opts.name,
          version: opts.version,
          ...(opts.description !== undefined && { description: opts.description }),
        },
      }),
    );
    return c.body(document, 200, { "Content-Type": "application/json" });
  });
}
