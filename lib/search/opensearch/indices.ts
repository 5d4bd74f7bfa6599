import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { EngineError, EngineSettingError } from "../engines/error.ts";
import { type OpenSearch, type OpenSearchRequest, read } from "./client.ts";
import { indexSettings } from "./mapping.ts";
import { REFRESH_INTERVAL } from "./refresher.ts";

/** An index that an alias names, with what its maker noted in its mapping. */
export type CurrentIndex = { name: string; meta: Readonly<Record<string, unknown>> };

const Mappings = z.record(
  z.string(),
  z.object({ mappings: z.object({ _meta: z.record(z.string(), z.unknown()).optional() }) }),
);

/** Says how long an index that was swapped out stays, for searches that are in flight. */
const LINGER_MS = 1_000;

/** The answer to what is asked for its effect alone. */
export const Done = z.unknown();

/**
 * The index behind an alias; undefined where there is none. Rejects when an index itself has the alias's name. Any node
 * knows, also while there is none that manages the cluster; that there is no index is asked of the manager.
 */
export async function currentIndex(search: OpenSearch, alias: string): Promise<CurrentIndex | undefined> {
  const request = { method: "GET", path: `/${alias}/_mapping` } as const;
  const found = await read(search, Mappings, { ...request, query: { local: true } })
    .catch((error: unknown) => (isMissing(error) ? search.request(Mappings, request) : Promise.reject(error)))
    .catch((error: unknown) => (isMissing(error) ? {} : Promise.reject(error)));
  const [first, ...others] = Object.entries(found);
  if (first === undefined) return undefined;
  if (first[0] === alias || others.length > 0) {
    throw new EngineSettingError(`ENGINE_PREFIX: ${alias} is no alias of one index, as one of this platform's is`);
  }
  return { name: first[0], meta: first[1].mappings._meta ?? {} };
}

function isMissing(error: unknown): boolean {
  return error instanceof EngineError && error.reason === "missing";
}

/** Makes an index that no alias names yet. Returns its name. */
export async function createBeside(search: OpenSearch, alias: string, body: object): Promise<string> {
  for (let number = await nextNumber(search, alias); ; number++) {
    const name = `${alias}-${number}`;
    if (await createIndex(search, name, body)) return name;
  }
}

async function createIndex({ request }: OpenSearch, name: string, body: object): Promise<boolean> {
  try {
    await request(Done, { method: "PUT", path: `/${name}`, body });
    return true;
  } catch (error) {
    if (error instanceof EngineError && /resource_already_exists/.test(error.message)) return false;
    throw error;
  }
}

/** Lets an alias name `to` and nothing else from one moment to the next, and deletes the older indexes of the alias. */
export async function swapTo(search: OpenSearch, alias: string, to: string): Promise<void> {
  const old = (await numbersOf(search, alias)).map((number) => `${alias}-${number}`);
  const before = await currentIndex(search, alias);
  await search.request(Done, {
    method: "POST",
    path: "/_aliases",
    body: {
      actions: [
        ...(before === undefined ? [] : [{ remove: { index: before.name, alias } }]),
        { add: { index: to, alias, is_write_index: true } },
      ],
    },
  });
  await sleep(LINGER_MS);
  for (const name of old.filter((each) => each !== to)) await deleteIndex(search, name);
}

/** Deletes an index, if it is there. */
export async function deleteIndex({ request }: OpenSearch, name: string): Promise<void> {
  await request(Done, { method: "DELETE", path: `/${name}`, query: { ignore_unavailable: true } });
}

/** Notes something in the mapping of an index, beside what is there. */
export async function noteInMapping(search: OpenSearch, name: string, meta: Record<string, unknown>): Promise<void> {
  const current = await currentIndexNamed(search, name);
  await search.request(Done, {
    method: "PUT",
    path: `/${name}/_mapping`,
    body: { _meta: { ...current, ...meta } },
  });
}

/** Makes what was written to an index visible to searches. */
export async function refresh(
  { request }: OpenSearch,
  name: string,
  waits: Pick<OpenSearchRequest, "timeoutMs" | "retries"> = {},
): Promise<void> {
  await request(Done, { method: "POST", path: `/${name}/_refresh`, ...waits });
}

async function currentIndexNamed({ request }: OpenSearch, name: string): Promise<Record<string, unknown>> {
  const found = await request(Mappings, { method: "GET", path: `/${name}/_mapping` });
  return Object.values(found)[0]?.mappings._meta ?? {};
}

async function nextNumber(search: OpenSearch, alias: string): Promise<number> {
  return Math.max(0, ...(await numbersOf(search, alias))) + 1;
}

/** The numbers of all indexes that were made for an alias. */
async function numbersOf({ request }: OpenSearch, alias: string): Promise<number[]> {
  const names = await request(z.record(z.string(), z.unknown()), {
    method: "GET",
    path: `/${alias}-*`,
    query: { expand_wildcards: "all", filter_path: "*.settings.index.uuid" },
  });
  return Object.keys(names).flatMap((name) => {
    const number = /^\d+$/.exec(name.slice(alias.length + 1))?.[0];
    return name.startsWith(`${alias}-`) && number !== undefined ? [Number(number)] : [];
  });
}

/** Holds what a set-up found or made; `lifecycle` is false where the cluster has no plugin for policies. */
type ClusterSetUp = { template: string; lifecycle: boolean };

/** Puts the template of all indexes and, where the cluster knows these, the policy of their lifecycle. */
export async function setUpCluster(search: OpenSearch): Promise<ClusterSetUp> {
  const { prefix, replicas } = search.server;
  const patterns = [`${prefix}-articles-*`, `${prefix}-vectors-*`];
  const template = `${prefix}-indexes`;
  await search.request(Done, {
    ...{ method: "PUT", path: `/_index_template/${template}` },
    body: { index_patterns: patterns, priority: 100, template: { settings: { index: indexSettings(search.server) } } },
  });
  // Indexes made before the template was are given what may change of it.
  await search.request(Done, {
    ...{ method: "PUT", path: `/${patterns.join()}/_settings`, query: { allow_no_indices: true } },
    body: { index: { refresh_interval: REFRESH_INTERVAL } },
  });
  const serving = { name: "serving", actions: [{ replica_count: { number_of_replicas: replicas } }], transitions: [] };
  const policy = {
    ...{ description: "Copies of each index", default_state: "serving", states: [serving] },
    ism_template: [{ index_patterns: patterns, priority: 100 }],
  };
  try {
    await search.request(Done, { method: "PUT", path: `/_plugins/_ism/policies/${template}`, body: { policy } });
    return { template, lifecycle: true };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (/version_conflict/.test(error.message)) return { template, lifecycle: true };
    if (error.reason === "rejected" || error.reason === "missing") return { template, lifecycle: false };
    throw error;
  }
}
