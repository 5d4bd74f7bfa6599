import type { OptionValues } from "./options.ts";
import type { Problem } from "./values.ts";

/** An OpenSearch cluster, and how indexes are made in it. */
export type OpenSearchServer = {
  /** Addresses of nodes. */
  urls: readonly string[];
  user?: string | undefined;
  password?: string | undefined;
  caFile?: string | undefined;
  /** What the names of all indexes begin with. */
  prefix: string;
  shards: number;
  replicas: number;
};

/** A Meilisearch server. */
export type MeiliServer = { url: string; key?: string | undefined; caFile?: string | undefined; prefix: string };

/** What searches, and where; an engine that is chosen has its server. */
export type Engines = {
  keyword: { engine: "embedded" } | { engine: "opensearch"; server: OpenSearchServer } | MeiliKeyword;
  vectors: { engine: "usearch" } | { engine: "opensearch"; server: OpenSearchServer };
};
type MeiliKeyword = { engine: "meilisearch"; server: MeiliServer };

/** The engines that options choose; {@link engineProblems} has found nothing wrong with them. */
export function enginesOf(values: OptionValues): Engines {
  const cluster: OpenSearchServer = {
    urls: values.OPENSEARCH_URL,
    user: values.OPENSEARCH_USER,
    password: values.OPENSEARCH_PASSWORD,
    caFile: values.OPENSEARCH_CA_FILE,
    prefix: values.ENGINE_PREFIX,
    shards: values.OPENSEARCH_SHARDS,
    replicas: values.OPENSEARCH_REPLICAS,
  };
  const hasCluster = cluster.urls.length > 0;
  const byUrl = hasCluster ? "opensearch" : values.MEILI_URL === undefined ? "embedded" : "meilisearch";
  const keyword = values.KEYWORD_ENGINE ?? byUrl;
  const vectors = values.VECTOR_ENGINE ?? (hasCluster ? "opensearch" : "usearch");
  return {
    keyword:
      keyword === "opensearch"
        ? { engine: keyword, server: cluster }
        : keyword === "meilisearch"
          ? {
              engine: keyword,
              server: {
                url: values.MEILI_URL ?? "",
                key: values.MEILI_API_KEY,
                caFile: values.MEILI_CA_FILE,
                prefix: values.ENGINE_PREFIX,
              },
            }
          : { engine: "embedded" },
    vectors: vectors === "opensearch" ? { engine: vectors, server: cluster } : { engine: vectors },
  };
}

/** What is wrong among the options of engines: one without its address, an address of two, half a credential. */
export function engineProblems(values: Partial<Record<string, unknown>>): Problem[] {
  const isSet = (name: string): boolean => {
    const value = values[name];
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  };
  const problems: Problem[] = [];
  const needs = (name: string, because: string) => {
    if (!isSet(name)) problems.push({ name, rule: `must be set when ${because}` });
  };
  if (isSet("OPENSEARCH_URL") && isSet("MEILI_URL")) needs("KEYWORD_ENGINE", "OPENSEARCH_URL and MEILI_URL both are");
  for (const name of ["KEYWORD_ENGINE", "VECTOR_ENGINE"]) {
    if (values[name] === "opensearch") needs("OPENSEARCH_URL", `${name} is opensearch`);
  }
  if (values.KEYWORD_ENGINE === "meilisearch") needs("MEILI_URL", "KEYWORD_ENGINE is meilisearch");
  if (isSet("OPENSEARCH_USER")) needs("OPENSEARCH_PASSWORD", "OPENSEARCH_USER is");
  if (isSet("OPENSEARCH_PASSWORD")) needs("OPENSEARCH_USER", "OPENSEARCH_PASSWORD is");
  if (isSet("OPENSEARCH_USER") || isSet("OPENSEARCH_CA_FILE")) needs("OPENSEARCH_URL", "its user or certificates are");
  for (const name of ["MEILI_API_KEY", "MEILI_CA_FILE"]) {
    if (isSet(name)) needs("MEILI_URL", `${name} is`);
  }
  return problems;
}
