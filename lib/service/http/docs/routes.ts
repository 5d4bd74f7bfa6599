import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { HttpEnv } from "../context.ts";
import { operationId } from "../operation-id.ts";
import { type DocsPage, renderPage } from "./page.ts";

/** Adds `/openapi.json`, generated from the schemas of the routes, and `/docs`, a page over it. `url`: the server's. */
export function addDocs(
  app: OpenAPIHono<HttpEnv>,
  opts: { name: string; version: string; description?: string; url: string },
): void {
  const generate = () =>
    app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: opts.name,
        version: opts.version,
        ...(opts.description !== undefined && { description: opts.description }),
      },
      servers: [{ url: opts.url }],
    });
  let json: string | undefined;
  let page: Promise<DocsPage> | undefined;
  app.openAPIRegistry.registerPath(documentRoute(opts.name));
  app.get("/openapi.json", (c) => {
    json ??= JSON.stringify(generate());
    return c.body(json, 200, { "Content-Type": "application/json" });
  });
  app.openapi(pageRoute(opts.name), async (c) => {
    page ??= renderPage(generate());
    const { body, policy } = await page;
    return c.html(body, 200, { "Content-Security-Policy": policy });
  });
}

const documentRoute = (service: string) =>
  createRoute({
    method: "get",
    path: "/openapi.json",
    operationId: operationId("get", service, "document"),
    tags: ["operations"],
    summary: "This document",
    responses: {
      200: {
        description: "OpenAPI 3.1.",
        content: { "application/json": { schema: z.looseObject({ openapi: z.string() }) } },
      },
    },
  });

const pageRoute = (service: string) =>
  createRoute({
    method: "get",
    path: "/docs",
    operationId: operationId("show", service, "docs"),
    tags: ["operations"],
    summary: "This document as a page",
    responses: { 200: { description: "The page.", content: { "text/html": { schema: z.string() } } } },
  });
