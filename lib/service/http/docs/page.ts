import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { html, raw } from "hono/html";
import { type Operation, paragraphs, renderOperation } from "./operation.ts";
import { isNode } from "./schema.ts";

/** A page, and the Content-Security-Policy that allows its own style and script and nothing else. */
export type DocsPage = { body: string; policy: string };

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

/** The value that a `#/a/b` reference names within the document. */
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
