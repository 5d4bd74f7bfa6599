import { isObject } from "@isnad/lib/std";

const HEAD = "// Made by `bun run clients` from the OpenAPI documents of the services: do not edit.\n";

/** Returns `operations.ts` of the TypeScript client: how each operation is sent, and a method for each. */
export function typescriptOperations(operations: readonly ClientOperation[]): string {
  const entries = operations.map(({ id, method, path, inPath, inQuery, body }) => {
    const fields = [
      `method: "${method.toUpperCase()}"`,
      `path: "${path}"`,
      `inPath: ${JSON.stringify(inPath.map(({ name }) => name))}`,
      `inQuery: ${JSON.stringify(inQuery.map(({ name }) => name))}`,
      ...(body === undefined ? [] : [`body: "${body.kind}"`]),
    ];
    return `  ${id}: { ${fields.join(", ")} },`;
  });
  const takes = (name: string) => operations.filter(({ inQuery }) => inQuery.some((each) => each.name === name));
  const group = (maker: string, some: readonly ClientOperation[]): string[] =>
    some.map(({ id, summary }) => `/** ${summary}. */\n${id}: ${maker}("${id}"),`);
  return `${HEAD}
import type { Makers } from "../client.ts";

/** Says how each operation is sent. */
export const OPERATIONS = {
${entries.join("\n")}
} as const;

/** Makes the methods of a client, one an operation. */
export const methodsOf = ({ call, pages, rows, stream }: Makers) => ({
${group("call", operations).join("\n")}
/** The pages of what comes in pages, to the end. */
pages: {
${group("pages", takes("cursor")).join("\n")}
},
/** All rows of a list, one by one as they are found, without a bound. */
rows: {
${group("rows", takes("format")).join("\n")}
},
/** The events of an answer that comes bit by bit. */
stream: {
${group(
  "stream",
  operations.filter(({ streams, path }) => streams && path !== "/mcp"),
).join("\n")}
},
});
`;
}

/** An operation as a client sends it. */
export type ClientOperation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** Parameters by their place. */
  inPath: Parameter[];
  inQuery: Parameter[];
  /** The body: JSON with its fields, bytes, or none. */
  body: { kind: "json"; schema: Record<string, unknown> } | { kind: "bytes" } | undefined;
  /** Schema of the JSON of a success; undefined where there is none. */
  answer: Record<string, unknown> | undefined;
  /** Tells that the answer may be a stream of events. */
  streams: boolean;
};

type Parameter = { name: string; required: boolean; schema: Record<string, unknown> };

const METHODS = ["get", "put", "post", "delete", "patch"];

const record = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** Operations of the services themselves, which no client needs. */
const SERVICE_PAGES = /^\/(?:\w+\/)?(?:docs|openapi\.json)$/;

/** Returns the operations of a document, by their ids. */
export function clientOperations(document: Record<string, unknown>): ClientOperation[] {
  const operations = Object.entries(record(document.paths)).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const node = record(item)[method];
      return isObject(node) && !SERVICE_PAGES.test(path) ? [operationOf(method, path, node)] : [];
    }),
  );
  return operations.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function operationOf(method: string, path: string, node: Record<string, unknown>): ClientOperation {
  const parameters = Array.isArray(node.parameters) ? node.parameters.map(record) : [];
  const at = (place: string): Parameter[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema }) => ({
        name: String(name),
        required: required === true,
        schema: record(schema),
      }));
  const successes = Object.entries(record(node.responses)).filter(([status]) => status.startsWith("2"));
  const contents = successes.map(([, response]) => record(record(response).content));
  const json = contents.map((content) => content["application/json"]).find((content) => content !== undefined);
  return {
    id: String(node.operationId),
    ...{ method, path, summary: String(node.summary ?? "") },
    ...{ inPath: at("path"), inQuery: at("query"), body: bodyOf(record(node.requestBody)) },
    answer: json === undefined ? undefined : record(record(json).schema),
    streams: contents.some((content) => "text/event-stream" in content),
  };
}

function bodyOf({ content }: Record<string, unknown>): ClientOperation["body"] {
  const { "application/json": json, ...others } = record(content);
  if (json !== undefined) return { kind: "json", schema: record(record(json).schema) };
  return Object.keys(others).length === 0 ? undefined : { kind: "bytes" };
}
