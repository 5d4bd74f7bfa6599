import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { RIGHT_MEMBER } from "@isnad/lib/service/http";
import { isObject } from "@isnad/lib/std";
import { pythonClient, syncClient } from "./python.ts";
import { clientOperations, typescriptOperations } from "./typescript.ts";

const tools = fileURLToPath(new URL(".", import.meta.url));

/**
 * Returns the files that are made from the documents, by their paths: the documents themselves, the types and
 * operations of the TypeScript client, those of the Python client, and the page on keys with its table. Without the
 * generator of types, all but them.
 */
export async function generatedFiles(documents: ReadonlyMap<string, unknown>): Promise<Map<string, string>> {
  const merged = mergedDocument(documents);
  const operations = clientOperations(merged);
  const files = new Map<string, string>();
  for (const [service, document] of documents) {
    files.set(`clients/openapi/${service}.json`, `${JSON.stringify(document, null, 1)}\n`);
  }
  const operationsPath = "clients/typescript/src/generated/operations.ts";
  files.set(operationsPath, typescriptOperations(operations));
  const types = typesOf(merged);
  const typesPath = "clients/typescript/src/generated/schema.ts";
  if (types !== undefined) files.set(typesPath, types);
  files.set("docs/keys.md", keysPage(readFileSync(join(tools, "../../docs/keys.md"), "utf8"), documents));
  const python = "clients/python/src/isnad";
  files.set(`${python}/_generated.py`, pythonClient(merged, operations));
  files.set(`${python}/_sync.py`, syncClient(readFileSync(join(tools, "../..", python, "_async.py"), "utf8")));
  return files;
}

/** Returns the types that openapi-typescript makes, which needs a TypeScript of its own. */
function typesOf(document: Record<string, unknown>): string | undefined {
  const generator = join(tools, "node_modules/.bin/openapi-typescript");
  if (!existsSync(generator)) spawnSync(process.execPath, ["install", "--frozen-lockfile"], { cwd: tools });
  if (!existsSync(generator)) return undefined;
  const input = JSON.stringify(document);
  const { status, stdout, stderr } = spawnSync(generator, ["--default-non-nullable=false"], {
    input,
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  if (status !== 0) throw new Error(`openapi-typescript fails: ${stderr}`);
  return stdout;
}

/** Paths under which the api's port answers for the services. */
const PREFIXES: Readonly<Record<string, string>> = {
  api: "",
  scraper: "/scraper",
  retrieval: "/retrieval",
  nlp: "/nlp",
  edge: "/edge",
};

const record = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/**
 * Returns one OpenAPI document of all services, as they answer at the api's port. @throws Error where two documents
 * mean different things by one name
 */
export function mergedDocument(documents: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const api = record(documents.get("api"));
  const paths: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = {};
  for (const [service, document] of documents) {
    const prefix = PREFIXES[service];
    if (prefix === undefined) throw new Error(`there is no way through the door to ${service}`);
    const { paths: own, components } = record(document);
    for (const [path, item] of Object.entries(record(own))) paths[`${prefix}${path}`] = openToAnyKey(item);
    for (const [name, schema] of Object.entries(record(record(components).schemas))) {
      const other = schemas[name];
      if (other !== undefined && JSON.stringify(other) !== JSON.stringify(schema))
        throw new Error(`${service} and another service have different schemas ${name}`);
      schemas[name] = schema;
    }
  }
  const info = { ...record(api.info), title: "Isnad" };
  return { openapi: api.openapi, info, servers: api.servers, paths, components: { schemas } };
}

/** Returns a path's item without the places that its credentials are expected in: a key is taken in either header. */
function openToAnyKey(item: unknown): unknown {
  return Object.fromEntries(
    Object.entries(record(item)).map(([method, operation]) => {
      if (!isObject(operation)) return [method, operation];
      const { security: _, ...rest } = operation;
      return [method, rest];
    }),
  );
}

/** An operation of a service, the right that it needs, null where it is open, and the statuses that it documents. */
export type OperationRight = {
  service: string;
  id: string;
  method: string;
  path: string;
  right: string | null;
  statuses: number[];
};

/** Returns the operations of all documents with what each needs, as the guards of its routes say. */
export function operationRights(documents: ReadonlyMap<string, unknown>): OperationRight[] {
  return [...documents].flatMap(([service, document]) => {
    const paths = isObject(document) && isObject(document.paths) ? document.paths : {};
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
        if (!isObject(operation)) return [];
        const { [RIGHT_MEMBER]: right, operationId: id } = operation;
        const statuses = Object.keys(isObject(operation.responses) ? operation.responses : {}).map(Number);
        const shared = { service, id: String(id), method: method.toUpperCase(), path, statuses };
        return [{ ...shared, right: typeof right === "string" ? right : null }];
      }),
    );
  });
}

/** Stands before and behind the table within docs/keys.md. */
const BEGIN = "<!-- made by `bun run clients` from the guards of the routes -->";
const END = "<!-- end of what is made -->";

/** Returns the page on keys with the table of who may do what. @throws Error where it has no place for it */
function keysPage(page: string, documents: ReadonlyMap<string, unknown>): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error("docs/keys.md has no place for its table");
  return `${head}${BEGIN}\n\n${rightsTable(operationRights(documents))}\n\n${END}${tail}`;
}

function rightsTable(rights: readonly OperationRight[]): string {
  const guarded = rights.filter(({ right }) => right !== null);
  const rows = guarded.map(({ service, method, path, right, id }) => [service, `${method} ${path}`, id, right ?? ""]);
  const all = [["Service", "Route", "Operation", "Needs"], ...rows];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join("\n");
}

/** One operation of a document. */
export type Operation = { service: string; place: string; id: unknown; node: Record<string, unknown> };

const METHODS = ["get", "put", "post", "delete", "patch"];

/** Returns the operations of a service's OpenAPI document. */
export function operationsOf(service: string, document: unknown): Operation[] {
  const paths = isObject(document) && isObject(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const node = isObject(item) ? item[method] : undefined;
      return isObject(node) ? [{ service, place: `${method} ${path}`, id: node.operationId, node }] : [];
    }),
  );
}

/** Returns what of the documents generators of clients stumble over, one line each. */
export function documentProblems(documents: ReadonlyMap<string, unknown>): string[] {
  const operations = [...documents].flatMap(([service, document]) => operationsOf(service, document));
  return [
    ...idProblems(operations),
    ...[...documents].flatMap(([service, document]) => [
      ...serverProblems(service, document),
      ...componentProblems(service, document),
      ...nodeProblems(service, document),
    ]),
  ];
}

function idProblems(operations: readonly Operation[]): string[] {
  const places = Map.groupBy(operations, ({ id }) => id);
  return operations.flatMap(({ service, place, id }) => {
    if (typeof id !== "string") return [`${service}: ${place} has no operationId`];
    if (!/^[a-z]+[A-Z][A-Za-z]*$/.test(id))
      return [`${service}: ${place}: ${id} is not a verb and a noun in camelCase`];
    const others = places.get(id) ?? [];
    return others.length > 1 ? [`${service}: ${place}: ${id} is the name of ${others.length} operations`] : [];
  });
}

function serverProblems(service: string, document: unknown): string[] {
  const servers = isObject(document) ? document.servers : undefined;
  return Array.isArray(servers) && servers.length > 0 ? [] : [`${service}: there are no servers`];
}

/** A component that may be null is null wherever it is used, and cannot be extended. */
function componentProblems(service: string, document: unknown): string[] {
  const components = isObject(document) && isObject(document.components) ? document.components.schemas : {};
  return Object.entries(isObject(components) ? components : {}).flatMap(([name, schema]) =>
    isObject(schema) && Array.isArray(schema.type) && schema.type.includes("null")
      ? [`${service}: the component ${name} may be null: register it before its nullable form is used`]
      : [],
  );
}

function nodeProblems(service: string, node: unknown, at = "#"): string[] {
  if (Array.isArray(node)) return node.flatMap((each, i) => nodeProblems(service, each, `${at}/${i}`));
  if (!isObject(node)) return [];
  const types = [node.type].flat();
  const problems: string[] = [];
  if (types.includes("array") && !("items" in node)) problems.push(`${service}: ${at}: an array without items`);
  if (node.in !== undefined && node.name === "article_id" && isObject(node.schema) && node.schema.type !== "integer") {
    problems.push(`${service}: ${at}: article_id is not documented as an integer`);
  }
  return [...problems, ...Object.entries(node).flatMap(([key, each]) => nodeProblems(service, each, `${at}/${key}`))];
}
