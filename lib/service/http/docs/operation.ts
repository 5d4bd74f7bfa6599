import { html } from "hono/html";
import { type Html, isNode, type Resolve, renderSchema, type SchemaNode } from "./schema.ts";

/** One operation of an OpenAPI document. */
export type Operation = { method: string; path: string; node: SchemaNode };

/** Renders an operation as a folded block: what it takes, what it answers, and a form that sends it. */
export function renderOperation({ method, path, node }: Operation, resolve: Resolve): Html {
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
export function paragraphs(value: string): readonly Html[] {
  return value === "" ? [] : value.split(/\n{2,}/).map((part) => html`<p dir="auto">${part}</p>`);
}
