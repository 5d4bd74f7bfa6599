import { isObject } from "@isnad/lib/std";
import type { ClientOperation } from "./typescript.ts";

const HEAD = `# Made by \`bun run clients\` from the OpenAPI documents of the services: do not edit.
"""Shapes of the platform's requests and answers, and a method for each operation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Literal, TypeAlias, TypedDict, cast
from urllib.parse import quote

from typing_extensions import NotRequired


def _part(value: object) -> str:
    return quote(str(value), safe="")


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


`;

const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self".split(
    " ",
  ),
);

/** Longest line of the file. */
const WIDTH = 100;

type Schema = Record<string, unknown>;

/** Returns the generated module of the Python client: a TypedDict a schema, and both classes of operations. */
export function pythonClient(document: Record<string, unknown>, operations: readonly ClientOperation[]): string {
  const shapes = new Shapes(document);
  const methods = operations.map((operation) => methodOf(operation, shapes));
  const classes = [
    ["Operations", "", methods.map((write) => write({ isAsync: false }))],
    ["AsyncOperations", "async ", methods.map((write) => write({ isAsync: true }))],
  ] as const;
  return `${HEAD}${shapes.text()}${classes.map(([name, asynchronous, written]) => classOf(name, asynchronous, written.join("\n"))).join("\n")}`;
}

function classOf(name: string, asynchronous: string, methods: string): string {
  const iterator = asynchronous === "" ? "Iterator" : "AsyncIterator";
  // A generator by what it yields, although it never does.
  const generator = asynchronous === "" ? "" : "\n        yield {}";
  return `
class ${name}:
    """A method for each operation; all raise IsnadError."""

    ${asynchronous}def _call(self, method: str, path: str, query: Mapping[str, Any], body: object = None) -> Any:
        raise NotImplementedError

    ${asynchronous}def _pages(self, method: str, path: str, query: Mapping[str, Any]) -> ${iterator}[Any]:
        raise NotImplementedError${generator}

    ${asynchronous}def _rows(self, method: str, path: str, query: Mapping[str, Any]) -> ${iterator}[dict[str, Any]]:
        raise NotImplementedError${generator}

    ${asynchronous}def _events(self, path: str, body: Mapping[str, Any]) -> ${iterator}[dict[str, Any]]:
        raise NotImplementedError${generator}

${methods}`;
}

/** Writes the shapes that operations name, each once. */
class Shapes {
  readonly #schemas: Record<string, unknown>;
  readonly #written = new Map<string, string>();

  constructor(document: Record<string, unknown>) {
    const components = isObject(document.components) ? document.components.schemas : {};
    this.#schemas = isObject(components) ? components : {};
    for (const [name, schema] of Object.entries(this.#schemas)) if (isObject(schema)) this.#define(name, schema);
  }

  text(): string {
    return [...this.#written.values()].join("\n\n");
  }

  /** Returns a schema without the reference that leads to it. */
  resolved(schema: Schema): Schema {
    const name = refName(schema);
    const target = name === undefined ? undefined : this.#schemas[name];
    return isObject(target) ? target : schema;
  }

  /** Returns the fields of an object; undefined for anything else. */
  fieldsOf(schema: Schema): { name: string; schema: Schema; required: boolean }[] | undefined {
    const { properties, required, type } = this.resolved(schema);
    if (type !== "object" || !isObject(properties)) return undefined;
    const needed = Array.isArray(required) ? required : [];
    return Object.entries(properties).map(([name, each]) => ({
      name,
      schema: isObject(each) ? each : {},
      required: needed.includes(name),
    }));
  }

  /** Returns the type of a schema; an object that has no name is called \`name\`. */
  typeOf(schema: Schema, name: string): string {
    const ref = refName(schema);
    if (ref !== undefined) return pascal(ref);
    const options = [schema.anyOf, schema.oneOf].find(Array.isArray);
    if (options !== undefined) {
      const types = options.filter(isObject).map((option, i) => this.typeOf(option, `${name}${i + 1}`));
      return [...new Set(types)].join(" | ");
    }
    if (Array.isArray(schema.allOf)) {
      const [only, ...more] = schema.allOf.filter(isObject);
      return only !== undefined && more.length === 0 ? this.typeOf(only, name) : "dict[str, Any]";
    }
    if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    const kinds = [schema.type].flat().map(String);
    return kinds.map((kind) => this.#kind(kind, schema, name)).join(" | ");
  }

  #kind(kind: string, schema: Schema, name: string): string {
    if (kind === "object") return this.#object(schema, name);
    if (kind === "array") return `list[${isObject(schema.items) ? this.typeOf(schema.items, `${name}Item`) : "Any"}]`;
    const simple: Record<string, string> = {
      string: "str",
      integer: "int",
      number: "float",
      boolean: "bool",
      null: "None",
    };
    return simple[kind] ?? "Any";
  }

  #object(schema: Schema, name: string): string {
    if (isObject(schema.properties) && Object.keys(schema.properties).length > 0) {
      this.#define(name, { ...schema, type: "object" });
      return pascal(name);
    }
    const values = isObject(schema.additionalProperties)
      ? this.typeOf(schema.additionalProperties, `${name}Value`)
      : "Any";
    return `dict[str, ${values}]`;
  }

  #define(name: string, schema: Schema): void {
    const title = pascal(name);
    if (this.#written.has(title)) return;
    this.#written.set(title, "");
    const fields = this.fieldsOf(schema);
    if (fields === undefined || fields.length === 0) {
      const { type } = schema;
      this.#written.set(
        title,
        `${title}: TypeAlias = ${quoted(type === "object" ? "dict[str, Any]" : this.typeOf(schema, `${title}Value`))}\n`,
      );
      return;
    }
    const lines = fields.map((field) => {
      const type = this.typeOf(field.schema, `${title}${pascal(field.name)}`);
      return [field.name, field.required ? type : `NotRequired[${type}]`] as const;
    });
    const isPlain = lines.every(([field]) => /^[A-Za-z_]\w*$/.test(field) && !KEYWORDS.has(field));
    this.#written.set(
      title,
      isPlain
        ? `class ${title}(TypedDict):\n${lines.map(([field, type]) => `    ${field}: ${type}`).join("\n")}\n`
        : `${title} = TypedDict(\n    "${title}",\n    {\n${lines.map(([field, type]) => `        "${field}": ${quoted(type)},`).join("\n")}\n    },\n)\n`,
    );
  }
}

/** A type that may not be defined yet where it stands. */
const quoted = (type: string): string => JSON.stringify(type).replaceAll('\\"', "'");

type MethodWriter = (form: { isAsync: boolean }) => string;

function methodOf(operation: ClientOperation, shapes: Shapes): MethodWriter {
  const { id, method, path, summary, inPath, inQuery, body, answer, streams } = operation;
  const title = pascal(id);
  const fields = body?.kind === "json" ? shapes.fieldsOf(body.schema) : undefined;
  const bodyParams = [
    ...(fields ?? []),
    ...(body !== undefined && fields === undefined
      ? [{ name: "body", required: true, schema: body.kind === "json" ? body.schema : {} }]
      : []),
  ];
  const given = [...inPath, ...inQuery, ...bodyParams];
  const params = given.map(({ name, schema, required }) => {
    const type = body?.kind === "bytes" && name === "body" ? "bytes" : shapes.typeOf(schema, `${title}${pascal(name)}`);
    return { name, variable: variable(name), type, required };
  });
  const result = answer === undefined ? (method === "get" ? "str" : "None") : shapes.typeOf(answer, `${title}Answer`);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{_part(${variable(name)})}`);
  const dict = (names: readonly { name: string }[]) =>
    `{${names.map(({ name }) => `"${name}": ${variable(name)}`).join(", ")}}`;
  const sentBody = fields === undefined ? (body === undefined ? undefined : "body") : `_given(${dict(fields)})`;
  const pathText = filled === path ? `"${path}"` : `f"${filled}"`;
  const signature = signatureOf(params);
  return ({ isAsync }) => {
    const [prefix, wait, iterator] = isAsync ? ["async ", "await ", "AsyncIterator"] : ["", "", "Iterator"];
    const name = snake(id);
    const sent = [`"${method.toUpperCase()}"`, pathText, dict(inQuery), ...(sentBody === undefined ? [] : [sentBody])];
    const call = `${wait}self._call(\n${sent.map((each) => `                ${each},`).join("\n")}\n            )`;
    const one =
      result === "None"
        ? `        ${wait}self._call(${sent.join(", ")})`
        : `        return cast(\n            ${result.length < WIDTH - 14 ? result : `"${title}Answer"`},\n            ${call},\n        )`;
    const parts = [`    ${prefix}def ${name}(${signature}) -> ${result}:\n        """${summary}."""\n${one}\n`];
    const takes = (parameter: string) => inQuery.some((each) => each.name === parameter);
    const list = `"${method.toUpperCase()}", ${pathText}, ${dict(inQuery)}`;
    const more = (suffix: string, type: string, source: string, about: string) => {
      const body = isAsync ? `async for each in ${source}:\n            yield each` : `yield from ${source}`;
      return `    ${prefix}def ${name}_${suffix}(${signature}) -> ${iterator}[${type}]:\n        """${about}"""\n        ${body}\n`;
    };
    if (takes("cursor")) parts.push(more("pages", result, `self._pages(${list})`, "Pages to the end."));
    if (takes("format"))
      parts.push(more("rows", "dict[str, Any]", `self._rows(${list})`, "All rows, as they are found."));
    if (streams && path !== "/mcp" && sentBody !== undefined) {
      parts.push(
        more(
          "events",
          "dict[str, Any]",
          `self._events(${pathText}, ${sentBody})`,
          "Events of the answer, as they come.",
        ),
      );
    }
    return parts.join("\n");
  };
}

function signatureOf(params: readonly { variable: string; type: string; required: boolean }[]): string {
  if (params.length === 0) return "self";
  const each = params
    .toSorted((a, b) => Number(b.required) - Number(a.required))
    .map(({ variable: name, type, required }) =>
      required ? `${name}: ${type}` : `${name}: ${/\bNone\b/.test(type) ? type : `${type} | None`} = None`,
    );
  return `\n        self,\n        *,\n${each.map((line) => `        ${line},`).join("\n")}\n    `;
}

function refName({ $ref }: Schema): string | undefined {
  return typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
}

const literal = (value: unknown): string => {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
};

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const variable = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name.replaceAll(/\W/g, "_"));

/** Holds what of the asynchronous client is otherwise where a program waits. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\basync (?=def |for |with )/g, ""],
  [/\bawait /g, ""],
  [/\basyncio\b/g, "time"],
  [/\bAsync(?=Isnad|Operations|Iterator|Client|BaseTransport)/g, ""],
  [/\b__a(?=enter__|exit__)/g, "__"],
  [/\.a(?=read\(|close\(|iter_lines\()/g, "."],
];

const DOCSTRING = /^"""[^"]{1,300}"""\n/;

/** Returns the client that waits, made from the asynchronous one. @throws Error where something of it is left */
export function syncClient(source: string): string {
  const made = WORDS.reduce((text, [word, instead]) => text.replaceAll(word, instead), source.replace(DOCSTRING, ""));
  const text = made
    .replace("An asynchronous client.", "A client that waits.")
    .replace("import time\nimport json\n", "import json\nimport time\n");
  const [left] = /\b(?:async|await|Async)\w*/.exec(text) ?? [];
  if (left !== undefined) throw new Error(`the client that waits would have ${left}`);
  return `# Made by \`bun run clients\` from \`_async.py\`: do not edit.\n"""The client that waits."""\n${text}`;
}
