import { EngineError } from "../engines/error.ts";
import type { OpenSearch } from "./client.ts";
import { Done } from "./indices.ts";
import { indexSettings } from "./mapping.ts";
import { REFRESH_INTERVAL } from "./refresher.ts";

/** What a set-up found or made; `lifecycle` is false where the cluster has no plugin for policies. */
export type ClusterSetUp = { template: string; lifecycle: boolean };

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
