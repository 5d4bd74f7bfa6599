import { isObject } from "../../../std/mod.ts";
import { html } from "hono/html";

/** Markup that is escaped already. */
export type Html = ReturnType<typeof html>;

/** A JSON Schema node; which members are there is checked where they are read. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Finds the schema that a `$ref` names. */
export type Resolve = (ref: string) => unknown;

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

/** The type in words: `array of string`, `integer or null`, … */
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

/** Whether a value is an object that can be read as a schema. */
export function isNode(value: unknown): value is SchemaNode {
  return isObject(value);
}
