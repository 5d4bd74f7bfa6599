import { isObject } from "@isnad/lib/std";

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
