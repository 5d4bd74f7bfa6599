import type { Problem } from "./option.ts";
import type { OptionValues } from "./options.ts";

/** An OpenSearch cluster, and how indexes are made in it. */
export type OpenSearchServer = {
  /** Addresses of nodes. */
  urls: readonly string[];
  user?: string | undefined;
  password?: string | undefined;
  caFile?: string | undefined;
  /** Says what the names of all indexes begin with. */
  prefix: string;
  shards: number;
  replicas: number;
};

/** A Meilisearch server. */
export type MeiliServer = { url: string; key?: string | undefined; caFile?: string | undefined; prefix: string };

/** Describes what searches, and where; an engine that is chosen has its server. */
export type Engines = {
  keyword: { engine: "embedded" } | { engine: "opensearch"; server: OpenSearchServer } | MeiliKeyword;
  vectors: { engine: "usearch" } | { engine: "opensearch"; server: OpenSearchServer };
};
type MeiliKeyword = { engine: "meilisearch"; server: MeiliServer };

/** Returns the engines that options choose; {@link engineProblems} has found nothing wrong with them. */
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

/**
 * Returns what is wrong among the options of engines: one without its address, an address of two, half a credential.
 */
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

/** A model on a server with an OpenAI-compatible interface. */
type ModelServer = { url: string; key?: string; model: string };

/** A gateway: it knows a model by an alias of its own, and may pass requests on to a vendor where it does not. */
type ModelGateway = ModelServer & { vendor?: ModelServer };

/** The tasks that a server of models can have. */
export type ModelServers = {
  /** Summaries are asked for here first. */
  gateway?: ModelGateway;
  chat?: ModelServer;
  translate?: ModelServer;
  asr?: ModelServer;
  embed?: ModelServer;
  rerank?: ModelServer;
};

/**
 * Returns the server of each task that has one: its own, else that of LLM_URL. A key is sent to no address but its own.
 */
export function modelServers(values: OptionValues): ModelServers {
  const main = { url: values.LLM_URL, key: values.LLM_API_KEY };
  const own = (task: "ASR" | "EMBED" | "RERANK") => {
    const url = values[`LLM_${task}_URL`];
    return url === undefined ? main : { url, key: values[`LLM_${task}_API_KEY`] };
  };
  const gateway = { url: values.AI_GATEWAY_URL, key: values.AI_GATEWAY_API_KEY };
  const alias = serverOf(gateway, values.AI_GATEWAY_MODEL);
  const vendor = serverOf(
    { ...gateway, url: values.AI_GATEWAY_VENDOR_URL ?? values.AI_GATEWAY_URL },
    values.AI_GATEWAY_VENDOR_MODEL,
  );
  const servers = {
    gateway: alias && { ...alias, ...(vendor && { vendor }) },
    chat: serverOf(main, values.LLM_MODEL),
    translate: serverOf(main, values.LLM_TRANSLATE_MODEL ?? values.LLM_MODEL),
    asr: serverOf(own("ASR"), values.LLM_ASR_MODEL),
    embed: serverOf(own("EMBED"), values.LLM_EMBED_MODEL),
    rerank: serverOf(own("RERANK"), values.LLM_RERANK_MODEL),
  };
  return Object.fromEntries(Object.entries(servers).filter(([, server]) => server !== undefined));
}

/**
 * Returns what is wrong among the options of servers: an address without a model, or a model or key without an address.
 */
export function modelServerProblems(values: Partial<Record<string, unknown>>): Problem[] {
  const problems: Problem[] = [];
  const isSet = (name: string): boolean => values[name] !== undefined;
  const tasks = ["ASR", "EMBED", "RERANK"] as const;
  const models = ["LLM_MODEL", "LLM_TRANSLATE_MODEL", ...tasks.map((task) => `LLM_${task}_MODEL`)];
  if (isSet("LLM_URL") && !models.some(isSet))
    problems.push({ name: "LLM_MODEL", rule: "must be set when LLM_URL is" });
  for (const name of ["LLM_MODEL", "LLM_TRANSLATE_MODEL", "LLM_API_KEY"])
    if (isSet(name) && !isSet("LLM_URL")) problems.push({ name: "LLM_URL", rule: `must be set when ${name} is` });
  for (const task of tasks) {
    const [url, key, model] = [`LLM_${task}_URL`, `LLM_${task}_API_KEY`, `LLM_${task}_MODEL`];
    if (isSet(url) && !isSet(model)) problems.push({ name: model, rule: `must be set when ${url} is` });
    if (isSet(key) && !isSet(url)) problems.push({ name: url, rule: `must be set when ${key} is` });
    if (isSet(model) && !isSet(url) && !isSet("LLM_URL"))
      problems.push({ name: url, rule: `or LLM_URL must be set when ${model} is` });
  }
  return [...problems, ...gatewayProblems(values)];
}

function gatewayProblems(values: Partial<Record<string, unknown>>): Problem[] {
  const isSet = (name: string): boolean => values[name] !== undefined;
  const needs = (name: string, other: string): Problem[] =>
    isSet(name) && !isSet(other) ? [{ name: other, rule: `must be set when ${name} is` }] : [];
  const [own, vendor] = [values.AI_GATEWAY_URL, values.AI_GATEWAY_VENDOR_URL];
  return [
    ...needs("AI_GATEWAY_URL", "AI_GATEWAY_MODEL"),
    ...["MODEL", "API_KEY", "VENDOR_MODEL"].flatMap((name) => needs(`AI_GATEWAY_${name}`, "AI_GATEWAY_URL")),
    ...needs("AI_GATEWAY_VENDOR_URL", "AI_GATEWAY_VENDOR_MODEL"),
    ...(typeof own === "string" && typeof vendor === "string" && new URL(own).origin !== new URL(vendor).origin
      ? [{ name: "AI_GATEWAY_VENDOR_URL", rule: "must be at the host of AI_GATEWAY_URL, whose key it is sent" }]
      : []),
  ];
}

function serverOf(
  { url, key }: { url: string | undefined; key: string | undefined },
  model: string | undefined,
): ModelServer | undefined {
  if (url === undefined || model === undefined) return undefined;
  return { url, model, ...(key !== undefined && { key }) };
}
