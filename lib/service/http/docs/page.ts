import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { html, raw } from "hono/html";
import { isObject } from "../../../std/mod.ts";
import type { HttpEnv } from "../context.ts";
import { operationId } from "../health.ts";
import { withFrame } from "../access.ts";

/** Markup that is escaped already. */
type Html = ReturnType<typeof html>;

/** A JSON Schema node; which members are there is checked where they are read. */
type SchemaNode = Readonly<Record<string, unknown>>;

/** Finds the schema that a `$ref` names. */
type Resolve = (ref: string) => unknown;

/** Renders a schema: its type and rules in one line, and its fields as a nested list. References recur at most once. */
export function renderSchema(node: unknown, resolve: Resolve, seen: readonly string[] = []): Html {
  if (!isNode(node)) return html`<span class="type">any</span>`;
  if (typeof node.$ref === "string") {
    const name = node.$ref.split("/").at(-1);
    if (seen.includes(node.$ref)) return html`<span class="type">${name}</span>`;
    return renderSchema(resolve(node.$ref), resolve, [...seen, node.$ref]);
  }
  const description = typeof node.description === "string" ? node.description : undefined;
  return html`<span class="type">${typeName(node, resolve)}</span>${rules(node)}${
    description === undefined ? undefined : html` <span class="doc" dir="auto">${description}</span>`
  }${children(node, resolve, seen)}`;
}

/** Returns the type in words: `array of string`, `integer or null`, … */
export function typeName(node: unknown, resolve: Resolve): string {
  if (!isNode(node)) return "any";
  if (typeof node.$ref === "string") return node.$ref.split("/").at(-1) ?? "object";
  const choices = node.anyOf ?? node.oneOf;
  if (Array.isArray(choices)) return [...new Set(choices.map((choice) => typeName(choice, resolve)))].join(" or ");
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (Array.isArray(node.enum)) return node.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(node.type)) return node.type.join(" or ");
  if (node.type === "array") return `array of ${typeName(node.items, resolve)}`;
  return typeof node.type === "string" ? node.type : "any";
}

const RULES = ["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "format", "pattern", "default"];

function rules(node: SchemaNode): Html | undefined {
  const ownRules = RULES.filter(
    (rule) => node[rule] !== undefined && Math.abs(Number(node[rule])) !== Number.MAX_SAFE_INTEGER,
  );
  if (ownRules.length === 0) return undefined;
  return html` <span class="rules">${ownRules.map((rule) => `${rule} ${String(node[rule])}`).join(", ")}</span>`;
}

function children(node: SchemaNode, resolve: Resolve, seen: readonly string[]): Html | undefined {
  if (isNode(node.properties)) {
    const required = Array.isArray(node.required) ? node.required : [];
    const rows = Object.entries(node.properties).map(
      ([name, child]) =>
        html`<li><code>${name}</code>${required.includes(name) ? html`<b title="required">*</b>` : undefined} ${renderSchema(child, resolve, seen)}</li>`,
    );
    return html`<ul>${rows}</ul>`;
  }
  if (node.type === "array" && isCompound(node.items))
    return html`<ul><li>${renderSchema(node.items, resolve, seen)}</li></ul>`;
  const choices = node.anyOf ?? node.oneOf;
  if (Array.isArray(choices) && choices.some(isCompound)) {
    return html`<ul>${choices.map((choice) => html`<li>${renderSchema(choice, resolve, seen)}</li>`)}</ul>`;
  }
  return undefined;
}

function isCompound(node: unknown): boolean {
  return isNode(node) && (node.$ref !== undefined || node.properties !== undefined || node.items !== undefined);
}

/** Tells whether a value is an object that can be read as a schema. */
function isNode(value: unknown): value is SchemaNode {
  return isObject(value);
}

/** One operation of an OpenAPI document. */
type Operation = { method: string; path: string; node: SchemaNode };

/** Renders an operation as a folded block: what it takes, what it answers, and a form that sends it. */
function renderOperation({ method, path, node }: Operation, resolve: Resolve): Html {
  const parameters = nodes(node.parameters);
  const body = jsonSchema(node.requestBody);
  return html`<details class="op" id="${method}-${path.replace(/\W+/g, "-")}" data-text="${`${method} ${path} ${text(node.summary)}`.toLowerCase()}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${path}</code> <span dir="auto">${text(node.summary)}</span></summary>
<div class="body">
${paragraphs(text(node.description))}
${parameters.length === 0 ? undefined : html`<h4>Parameters</h4><ul>${parameters.map((parameter) => renderParameter(parameter, resolve))}</ul>`}
${body === undefined ? undefined : html`<h4>Body <code>application/json</code></h4><div class="schema">${renderSchema(body, resolve)}</div>`}
<h4>Answers</h4>
<ul>${isNode(node.responses) ? Object.entries(node.responses).map(([status, response]) => renderResponse(status, response, resolve)) : undefined}</ul>
${renderForm(method, path, parameters, example(node.requestBody))}
</div></details>`;
}

function renderParameter(parameter: SchemaNode, resolve: Resolve): Html {
  const star = parameter.required === true ? html`<b title="required">*</b>` : undefined;
  return html`<li><code>${text(parameter.name)}</code>${star} <span class="in">${text(parameter.in)}</span> ${renderSchema(parameter.schema, resolve)}</li>`;
}

function renderResponse(status: string, response: unknown, resolve: Resolve): Html {
  const node = isNode(response) ? response : {};
  const schema = jsonSchema(node);
  const line = html`<b class="status s${status[0]}">${status}</b> <span dir="auto">${text(node.description)}</span>`;
  if (schema === undefined) return html`<li>${line}</li>`;
  return html`<li><details><summary>${line}</summary><div class="schema">${renderSchema(schema, resolve)}</div></details></li>`;
}

function renderForm(method: string, path: string, parameters: readonly SchemaNode[], body: string | undefined): Html {
  const fields = parameters.map(
    (parameter) =>
      html`<label>${text(parameter.name)}<input dir="auto" name="${text(parameter.name)}" data-in="${text(parameter.in)}"></label>`,
  );
  return html`<form data-method="${method}" data-path="${path}"><h4>Try it</h4>${fields}
<label>Credential<input name="credential" data-in="credential" autocomplete="off" placeholder="token, when one is needed"></label>
${body === undefined ? undefined : html`<label>Body<textarea dir="auto" name="body" rows="8" spellcheck="false">${body}</textarea></label>`}
<button>Send</button><output dir="auto"></output></form>`;
}

function example(requestBody: unknown): string | undefined {
  const media = jsonMedia(requestBody);
  if (media === undefined) return undefined;
  return JSON.stringify(media.example ?? {}, null, 2);
}

function jsonSchema(holder: unknown): unknown {
  return jsonMedia(holder)?.schema;
}

function jsonMedia(holder: unknown): SchemaNode | undefined {
  if (!isNode(holder) || !isNode(holder.content)) return undefined;
  const media = holder.content["application/json"] ?? holder.content["application/problem+json"];
  return isNode(media) ? media : undefined;
}

function nodes(value: unknown): SchemaNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Text with blank lines between paragraphs. */
function paragraphs(value: string): readonly Html[] {
  return value === "" ? [] : value.split(/\n{2,}/).map((part) => html`<p dir="auto">${part}</p>`);
}

/** A page, and the Content-Security-Policy that allows its own style and script and nothing else. */
type DocsPage = { body: string; policy: string };

const METHODS = ["get", "post", "put", "patch", "delete"];

/**
 * Renders an OpenAPI document as one self-contained page: it needs no network beyond the service itself, and reads
 * without scripts. The script only filters and sends requests.
 */
export async function renderPage(document: unknown): Promise<DocsPage> {
  const style = asset("page.css");
  const script = asset("page.js");
  const root = isNode(document) ? document : {};
  const info = isNode(root.info) ? root.info : {};
  const groups = Map.groupBy(operationsOf(root.paths), tagOf);
  const sections = [...groups].map(
    ([tag, operations]) =>
      html`<section><h2>${tag}</h2>${operations.map((operation) => renderOperation(operation, (ref) => at(root, ref)))}</section>`,
  );
  const title = String(info.title ?? "API");
  const page = html`<!doctype html>
<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(style)}</style></head><body>
<header><h1>${title} <small>${String(info.version ?? "")}</small></h1>${paragraphs(String(info.description ?? ""))}
<p><input id="filter" type="search" dir="auto" placeholder="Filter" aria-label="Filter"> <a href="openapi.json">openapi.json</a></p></header>
<main>${sections}</main><script>${raw(script)}</script></body></html>
`;
  return { body: String(await page), policy: policyFor(style, script) };
}

function operationsOf(paths: unknown): Operation[] {
  if (!isNode(paths)) return [];
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const node = isNode(item) ? item[method] : undefined;
      return isNode(node) ? [{ method, path, node }] : [];
    }),
  );
}

function tagOf({ node }: Operation): string {
  return Array.isArray(node.tags) ? String(node.tags[0] ?? "other") : "other";
}

/** Returns the value that a `#/a/b` reference names within the document. */
function at(root: unknown, ref: string): unknown {
  let value: unknown = root;
  for (const key of ref.split("/").slice(1)) value = isNode(value) ? value[key] : undefined;
  return value;
}

function asset(name: string): string {
  return readFileSync(fileURLToPath(import.meta.resolve(`./${name}`)), "utf8");
}

function policyFor(style: string, script: string): string {
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/**
 * Returns schemas as JSON Schema has them: a named schema or null is a choice of both (`allOf` with a type admits no
 * null), and a pattern has no flags; what only a flag says is left out.
 */
function correctSchemas(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(correctSchemas);
  if (!isNode(node)) return node;
  const { allOf, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, correctSchemas(value)]),
  );
  const pattern = typeof rest.pattern === "string" ? /^(.{0,2000}\$)\/([a-z]{1,8})$/s.exec(rest.pattern) : null;
  if (pattern?.[2]?.includes("i")) delete rest.pattern;
  else if (pattern) rest.pattern = pattern[1];
  if (!Array.isArray(allOf)) return rest;
  const [named, more] = allOf;
  if (!isNode(more) || !Array.isArray(more.type) || !more.type.includes("null")) return { ...rest, allOf };
  const { type: _, ...said } = more;
  return { ...rest, ...said, anyOf: [named, { type: "null" }] };
}

/**
 * Adds `/openapi.json`, generated from the schemas of the routes, and `/docs`, a page over it. `url`: the server's;
 * `entityTags`: its answers to GET have tags.
 */
export function addDocs(
  app: OpenAPIHono<HttpEnv>,
  opts: { name: string; version: string; description?: string; url: string; entityTags?: boolean },
): void {
  const generate = () => {
    const document = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: opts.name,
        version: opts.version,
        ...(opts.description !== undefined && { description: opts.description }),
      },
      servers: [{ url: opts.url }],
    });
    return withFrame(Object(correctSchemas(document)), app, { hasTags: opts.entityTags });
  };
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
