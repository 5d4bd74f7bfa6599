import { MAX_BODY_VALUES } from "@isnad/lib/service/http";

/** One request of a route, and in words what is hostile in it. */
export type HostileRequest = { what: string; path: string; init: RequestInit };

/** A route as a service has it; `operation` is what its document says of it, missing where it says nothing. */
export type Route = { method: string; path: string; operation?: Operation | undefined };

/** Holds what is read of an OpenAPI document. */
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> };
};
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, Content> } };
type Parameter = { name: string; in: string; required?: boolean; example?: unknown; schema: Schema };
type Content = { schema?: Schema; example?: unknown };
type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

/** A value of a schema, hostile in one part. */
type Variant = { what: string; value: unknown };

/** Bytes of a body, a little under the smallest limit of a service. */
const BODY_BYTES = 1_400_000;
/** Bytes of bodies that are hostile in all fields: where all texts together have a limit, one comes close to it. */
const FILLED_BYTES = [BODY_BYTES, 500_000, 100_000];
/** Values of a list without a limit, or names of an object, a little under the limit of a body. */
const BODY_VALUES = MAX_BODY_VALUES - 1_000;
/** Characters of a text without a documented limit: undocumented limits are met from above. */
const LENGTHS = [BODY_BYTES, 199_000, 19_000, 3_900];
/** Characters of a parameter without a limit, and of a header. */
const PARAMETER_LENGTH = 120_000;
const HEADER_LENGTH = 16_000;
/** Levels beyond the limit of a body, and under it. */
const TOO_DEEP = 50_000;
const DEEP = 900;

const repeat = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const around = (piece: string) => (length: number) => `x${repeat(piece, Math.max(0, length - 2))}x`.slice(0, length);

/** Texts that cost backtracking, sorting and tokenizing the most, by the length wanted, in UTF-16 units. */
export const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  "zeros and a letter": (length) => `${repeat("0", length - 1)}x`.slice(-length),
  dots: around("."),
  ellipses: around("…"),
  "question marks": around("?"),
  tabs: around("\t"),
  quotes: around('"'),
  "escaped quotes": around('"\\'),
  brackets: around("(["),
  "opened elements": around("<a "),
  "combining marks": around("\u0301\u0316"),
  "one Arabic word": (length) => repeat("كتاب", length),
  "one Latin word": (length) => repeat("abcdefgh", length),
  "short words": (length) => repeat("a b ", length),
  "different words": (length) => words(length),
  "sentences without spaces": (length) => repeat("قال.و", length),
  "mixed scripts": (length) => repeat("كa1ب中я ", length),
  digits: (length) => repeat("1,", length),
};

function words(length: number): string {
  let text = "";
  for (let i = 0; text.length < length; i++) text += `${i.toString(36)}ك${(i * 7919).toString(36)} `;
  return text.slice(0, length);
}

/** Gives every request of a route that is hostile in one field, and those hostile in all of them. */
export function* hostileRequests(
  { method, path: route, operation = {} }: Route,
  document: Document,
  headers: Record<string, string>,
): Generator<HostileRequest> {
  const read = (schema: Schema) => resolve(schema, document);
  const parameters = operation.parameters ?? [];
  const needed = parameters.filter(({ required, in: place }) => required === true && place !== "header");
  const plain = Object.fromEntries(needed.map((p) => [p.name, valid(p.schema, read, p.example)]));
  const content = operation.requestBody?.content ?? {};
  const body = content["application/json"];
  const example = body === undefined ? undefined : (body.example ?? valid(body.schema ?? {}, read));
  const request = (given: Record<string, unknown>, sent: unknown, further: Record<string, string> = {}) => {
    const has = sent !== undefined;
    const all = { ...headers, ...(has && { "content-type": "application/json" }), ...further };
    const init: RequestInit = {
      method,
      headers: all,
      ...(has && { body: typeof sent === "string" ? sent : JSON.stringify(sent) }),
    };
    return { path: addressOf(route, parameters, given), init };
  };
  yield { what: "as documented", ...request(plain, example) };
  for (const { name, in: place, schema } of parameters) {
    const length = Math.min(read(schema).maxLength ?? Infinity, place === "header" ? HEADER_LENGTH : PARAMETER_LENGTH);
    for (const [what, text] of Object.entries(TEXTS)) {
      const value = text(length);
      if (place === "header") {
        if (isHeader(value)) yield { what: `${name}: ${what}`, ...request(plain, example, { [name]: value }) };
      } else yield { what: `${name}: ${what}`, ...request({ ...plain, [name]: value }, example) };
    }
  }
  for (const { what, value } of body === undefined ? [] : hostileValues(body.schema ?? {}, read)) {
    yield { what, ...request(plain, value) };
  }
  if (body !== undefined) {
    yield { what: "deep JSON", ...request(plain, `${"[".repeat(TOO_DEEP)}${"]".repeat(TOO_DEEP)}`) };
    yield { what: "an open text", ...request(plain, `{"a":"${repeat('\\"', BODY_BYTES)}`) };
  }
  for (const [type, { schema }] of Object.entries(content)) {
    if (type === "application/json") continue;
    for (const [what, bytes] of FILES) {
      const { path } = request(plain, undefined);
      if (type !== "multipart/form-data")
        yield { what, path, init: { method, headers: { ...headers, "content-type": type }, body: bytes } };
      else yield { what, path, init: { method, headers, body: form(read(schema ?? {}), bytes) } };
    }
  }
}

/** Gives the requests that are hostile in a header which every route of a service reads. */
export function* hostileHeaders(): Generator<HostileRequest> {
  for (const name of [
    "authorization",
    "x-api-key",
    "x-request-id",
    "traceparent",
    "accept",
    "accept-encoding",
    "origin",
    "if-none-match",
    "content-type",
    "x-forwarded-for",
  ]) {
    for (const [what, text] of Object.entries(TEXTS)) {
      const value = text(HEADER_LENGTH);
      if (isHeader(value)) yield { what: `${name}: ${what}`, path: "/livez", init: { headers: { [name]: value } } };
    }
  }
}

const FILES: [string, Uint8Array<ArrayBuffer>][] = [
  ["zeros", new Uint8Array(BODY_BYTES)],
  ["ones", new Uint8Array(BODY_BYTES).fill(0xff)],
  [
    "frames of MP3 without end",
    Uint8Array.from({ length: BODY_BYTES }, (_, i) => [0xff, 0xfb, 0x90, 0x00][i % 4] ?? 0),
  ],
  ["a WAVE of silence", wave(BODY_BYTES)],
];

function wave(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  for (const [at, name] of [
    [0, "RIFF"],
    [8, "WAVE"],
    [12, "fmt "],
    [36, "data"],
  ] as const)
    bytes.set(new TextEncoder().encode(name), at);
  for (const [at, value] of [
    [4, length - 8],
    [16, 16],
    [24, 16_000],
    [28, 32_000],
    [40, length - 44],
  ] as const)
    view.setUint32(at, value, true);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    view.setUint16(at, value, true);
  return bytes;
}

function form({ properties = {} }: Schema, bytes: Uint8Array<ArrayBuffer>): FormData {
  const data = new FormData();
  for (const name of Object.keys(properties)) data.set(name, new File([bytes], "a.wav", { type: "audio/wav" }));
  return data;
}

const isHeader = (value: string): boolean => /^[\t\x20-\x7e]*$/.test(value) && value.trim() === value;

function addressOf(path: string, parameters: readonly Parameter[], given: Record<string, unknown>): string {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, in: place } of parameters) {
    const value = given[name];
    if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === "query" && value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? address : `${address}?${query}`;
}

type Read = (schema: Schema) => Schema;

/** Follows a reference, and joins what is required together. */
function resolve(schema: Schema, document: Document): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return resolve(document.components?.schemas?.[name] ?? {}, document);
  }
  if (schema.allOf === undefined) return schema;
  const parts = schema.allOf.map((part) => resolve(part, document));
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  return { ...Object.assign({}, ...parts), properties, required: parts.flatMap(({ required = [] }) => required) };
}

const typeOf = ({ type, properties }: Schema) =>
  properties ? "object" : [type].flat().find((name) => name !== "null");

const alternatives = (schema: Schema): Schema[] | undefined =>
  schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined;

/** A short value that the schema takes. */
function valid(unread: Schema, read: Read, given?: unknown): unknown {
  const schema = read(unread);
  const example = given ?? schema.example ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (example !== undefined) return example;
  const [first] = alternatives(schema) ?? [];
  if (first !== undefined && typeOf(schema) !== "string") return valid(first, read);
  switch (typeOf(schema)) {
    case "string":
      return schema.format === undefined ? repeat("كتاب ", Math.max(4, schema.minLength ?? 0)) : textOf(schema.format);
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return false;
    case "array":
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => valid(schema.items ?? {}, read));
    case "object":
      return required(schema, read);
    default:
      return null;
  }
}

function textOf(format: string): string {
  if (format.startsWith("date")) return "2026-01-01T00:00:00Z";
  return format.startsWith("uri") ? "https://news.test/1" : "news.test";
}

function required(schema: Schema, read: Read): Record<string, unknown> {
  const names: string[] = schema.required ?? [];
  return Object.fromEntries(names.map((name) => [name, valid(schema.properties?.[name] ?? {}, read)]));
}

/** Values of a schema, hostile in each of its parts in turn, and in all. */
function* hostileValues(unread: Schema, read: Read, depth = 0): Generator<Variant> {
  const schema = read(unread);
  for (const bytes of depth === 0 ? FILLED_BYTES : []) {
    for (const [what, text] of Object.entries(TEXTS)) {
      yield { what: `all fields: ${what} × ${bytes}`, value: filled(schema, read, text, bytes) };
    }
  }
  const several = alternatives(schema);
  if (several !== undefined && typeOf(schema) !== "string") {
    for (const part of several) yield* hostileValues(part, read, depth + 1);
    return;
  }
  const type = typeOf(schema);
  if (type === "string" || type === undefined) yield* hostileTexts(schema);
  if (type === undefined) yield { what: "deep JSON", value: deep() };
  if (type === "array") {
    const entry = valid(schema.items ?? {}, read);
    const text = JSON.stringify(entry) ?? "";
    const values = 1 + (text.match(/[[{,]/g)?.length ?? 0);
    const fits = Math.floor(Math.min(BODY_BYTES / text.length, BODY_VALUES / values));
    yield { what: "many entries", value: new Array(Math.min(schema.maxItems ?? fits, fits)).fill(entry) };
    for (const { what, value } of hostileValues(schema.items ?? {}, read, depth + 1)) yield { what, value: [value] };
  }
  if (type !== "object") return;
  const base = Object(schema.example ?? required(schema, read));
  for (const [name, property] of Object.entries<Schema>(schema.properties ?? {})) {
    for (const { what, value } of hostileValues(property, read, depth + 1))
      yield { what: `${name}: ${what}`.replace(/: (?=.*: )/, "."), value: { ...base, [name]: value } };
  }
  if (schema.additionalProperties === false) return;
  const names = Array.from({ length: BODY_VALUES }, (_, i) => [`k${i}`, 1]);
  yield { what: "many names", value: { ...base, ...Object.fromEntries(names) } };
  yield { what: "deep JSON", value: { ...base, x: deep() } };
}

function* hostileTexts({ maxLength, enum: closed, const: one, format }: Schema): Generator<Variant> {
  if (closed !== undefined || one !== undefined) return;
  for (const length of maxLength === undefined ? LENGTHS : [maxLength]) {
    for (const [what, text] of Object.entries(TEXTS)) {
      const hostile = fitting(text, length);
      yield {
        what: `${what} × ${hostile.length}`,
        value: format?.startsWith("uri") ? `https://news.test/${hostile}`.slice(0, length) : hostile,
      };
    }
  }
}

/** The text at the length, or as much of it as a body holds. */
function fitting(text: (length: number) => string, length: number): string {
  const bytesEach = JSON.stringify(text(200)).length === 202 ? Buffer.byteLength(text(200)) / 200 : 2;
  return text(Math.max(1, Math.min(length, Math.floor((BODY_BYTES * 0.9) / Math.max(1, bytesEach)))));
}

function deep(): unknown {
  let value: unknown = 1;
  for (let i = 0; i < DEEP; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A value as large as the schema allows within `bytes`, all its free texts hostile. */
function filled(unread: Schema, read: Read, text: (length: number) => string, bytes: number): unknown {
  const schema = read(unread);
  const several = alternatives(schema);
  if (several?.[0] !== undefined && typeOf(schema) !== "string") return filled(several[0], read, text, bytes);
  const type = typeOf(schema);
  if (type === "string" && isFree(schema)) {
    return text(Math.max(schema.minLength ?? 1, Math.min(schema.maxLength ?? Infinity, Math.floor(bytes / 3))));
  }
  if (type === "array") {
    const count = Math.max(1, Math.min(schema.maxItems ?? 1_000, Math.floor(bytes / 100)));
    const entry = filled(schema.items ?? {}, read, text, Math.floor(bytes / count));
    return new Array(count).fill(entry);
  }
  if (type !== "object") return valid(schema, read);
  const properties = Object.entries<Schema>(schema.properties ?? {}).filter(
    ([name, of]) => schema.required?.includes(name) || ["string", "array"].includes(typeOf(read(of)) ?? ""),
  );
  const free = properties.filter(([, of]) => typeOf(read(of)) !== "boolean").length;
  return Object.fromEntries(
    properties.map(([name, of]) => [name, filled(of, read, text, Math.floor(bytes / Math.max(1, free)))]),
  );
}

const isFree = (schema: Schema) =>
  schema.enum === undefined && schema.const === undefined && schema.format === undefined;
