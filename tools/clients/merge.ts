import { isObject } from "@isnad/lib/std";

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
