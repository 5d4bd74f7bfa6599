import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "../context.ts";
import { type DocsPage, renderPage } from "./page.ts";

/** Adds `/openapi.json`, generated from the schemas of the routes, and `/docs`, a page over it. */
export function addDocs(
  app: OpenAPIHono<HttpEnv>,
  opts: { name: string; version: string; description?: string },
): void {
  const generate = () =>
    app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: opts.name,
        version: opts.version,
        ...(opts.description !== undefined && { description: opts.description }),
      },
    });
  let json: string | undefined;
  let page: Promise<DocsPage> | undefined;
  app.get("/openapi.json", (c) => {
    json ??= JSON.stringify(generate());
    return c.body(json, 200, { "Content-Type": "application/json" });
  });
  app.get("/docs", async (c) => {
    page ??= renderPage(generate());
    const { body, policy } = await page;
    return c.html(body, 200, { "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff" });
  });
}
