import { DEFAULT_NOTICE_KINDS, type NoticeKind } from "../../contract/notices.ts";
import { isAbsolute, join, resolve } from "node:path";
import manifest from "../../package.json";
import { ConfigError, type Env, type Option, type Problem, readOption } from "./option.ts";
import { MODEL_OPTIONS, OPTIONS, type OptionValues, SOURCE_CREDENTIAL_PREFIX, sourceCredential } from "./options.ts";
import {
  type Engines,
  engineProblems,
  enginesOf,
  type ModelServers,
  modelServerProblems,
  modelServers,
} from "./servers.ts";

/** The services that listen on a port. */
export type ServiceName = "api" | "scraper" | "retrieval" | "nlp" | "edge";

/** The credentials; each is a list so that an old and a new token are both valid while rotating. */
export type Tokens = {
  ingest: string[];
  metrics: string[];
  scraper: string[];
  edge: string[];
  edgeQuery: string[];
  apiPublic: string[];
  internal: string[];
};

/** Everything that the environment decides, checked. */
export type Config = {
  /** The service that the process is, when it is one; decides whose port PORT is and which tokens must be set. */
  service?: ServiceName;
  appEnv: string;
  /** Absolute path. */
  dataDir: string;
  logLevel: OptionValues["LOG_LEVEL"];
  databaseUrl?: string;
  /** Longest time of a statement that a request waits for. */
  databaseTimeoutMs: number;
  redisUrl?: string;
  publicBaseUrl: string;
  /** Origins of pages that may use the services from a browser. */
  corsOrigins: string[];
  /** Says where traces go; nowhere when missing. `share` of them, from 0 to 1, is kept. */
  tracing?: { endpoint: string; headers: Record<string, string>; share: number };
  host: string;
  /** Tells whether the API serves the desk. */
  desk: boolean;
  /** Says how long a service that is to stop still takes requests. */
  drainMs: number;
  /** Processes of each service that `up` starts, where that is not one: `workers=2,api=2`. */
  upScale?: string;
  ports: Record<ServiceName, number>;
  apiUrl: string;
  retrievalUrl: string;
  nlpUrl: string;
  scraperUrl: string;
  edgeUrl: string;
  demoSitePort: number;
  tokens: Tokens;
  ingest: {
    maxBatch: number;
    maxBodyBytes: number;
    requireKnownSource: boolean;
    idempotencyTtlS: number;
    mayDelete: boolean;
  };
  /** Work done at a time, by kind, and how long more of it waits. */
  limits: { ingest: number; search: number; chat: number; classify: number; maxWaiting: number; maxWaitMs: number };
  search: { index: string; vectorField: string; fusion: "rrf" | "score" };
  /** Says what searches by word and by meaning. */
  engines: Engines;
  outbox: { webhookUrls: string[]; webhookSecret?: string; allowPrivateHosts: string };
  /** Says who is told of which events as text for people; without `smtp` nobody by e-mail. */
  notices: { urls: string[]; events: readonly NoticeKind[]; lang: "en" | "ar"; smtp?: { url: string; from: string } };
  trustedProxies: string[];
  taxonomyFile?: string;
  hub: { url: string; token?: string | undefined };
  models: { -readonly [T in keyof typeof MODEL_OPTIONS]?: string };
  classify: { threads?: number };
  rerank: { timeoutMs?: number; threads?: number };
  /** The servers of the tasks that are not left to models of this machine. */
  llm: ModelServers & { limits: { connectMs: number; firstByteMs: number; betweenMs: number; totalMs: number } };
  summarizePerMinute: number;
  /** Requests of one client in a minute on the routes that read; no limit when missing. */
  ratePerMinute?: number;
  streamHeartbeatMs: number;
  workers: {
    concurrency: number;
    port?: number;
    summarize: boolean;
    retentionDays?: number;
    extractRelations: boolean;
    rerankVectors: boolean;
    findClaims: boolean;
    claimsMinScore?: number;
    /** Longest time of a statement. */
    databaseTimeoutMs: number;
  };
  scraper: {
    profilesDir?: string;
    /** Names, or `all`. */
    enable: string[];
    allowedCidrs: string[];
    /** Runs of one process at a time. */
    concurrency: number;
    runLeaseS: number;
    fetchTimeoutMs: number;
    schedule: boolean;
    /** As `readAllowList` of lib/web/egress takes it. */
    allowPrivateHosts: string;
    userAgent: string;
    maxBodyBytes: number;
    /** Credentials of sources by the names of their variables, `SCRAPER_AUTH_…`. */
    credentials: Readonly<Record<string, string>>;
    /** Absolute path. */
    outputDir: string;
  };
  pull: { intervalS: number; concurrency: number; leaseS: number };
  newsdata: { baseUrl: string; apiKey?: string };
};

/**
 * Checks the environment and returns it as one object. `service` is the service that this process is.
 * Throws {@link ConfigError}, which lists every wrong variable.
 */
export function loadConfig(env: Env, { service }: { service?: ServiceName } = {}): Config {
  const { values, credentials } = readValues(env);
  const ports = portsOf(values, env, service);
  const apiUrl = values.API_URL ?? localUrl(values.HOST, ports.api);
  return {
    ...(service !== undefined && { service }),
    appEnv: values.APP_ENV,
    dataDir: isAbsolute(values.DATA_DIR) ? values.DATA_DIR : resolve(values.DATA_DIR),
    logLevel: values.LOG_LEVEL,
    ...(values.DATABASE_URL !== undefined && { databaseUrl: values.DATABASE_URL }),
    databaseTimeoutMs: values.DATABASE_TIMEOUT_MS,
    ...(values.REDIS_URL !== undefined && { redisUrl: values.REDIS_URL }),
    publicBaseUrl: values.PUBLIC_BASE_URL ?? apiUrl,
    corsOrigins: values.CORS_ORIGINS,
    host: values.HOST,
    desk: values.DESK,
    ...(values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && {
      tracing: {
        endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: Object.fromEntries(values.OTEL_EXPORTER_OTLP_HEADERS.map(nameAndValue)),
        share: Number(values.OTEL_TRACES_SAMPLER_ARG),
      },
    }),
    drainMs: values.DRAIN_MS,
    ...(values.UP_SCALE !== undefined && { upScale: values.UP_SCALE }),
    ports,
    apiUrl,
    retrievalUrl: values.RETRIEVAL_URL ?? localUrl(values.HOST, ports.retrieval),
    nlpUrl: values.NLP_URL ?? localUrl(values.HOST, ports.nlp),
    scraperUrl: values.SCRAPER_URL ?? localUrl(values.HOST, ports.scraper),
    edgeUrl: values.EDGE_URL ?? localUrl(values.HOST, ports.edge),
    demoSitePort: values.DEMO_SITE_PORT,
    tokens: {
      ingest: values.INGEST_TOKEN,
      metrics: values.METRICS_TOKEN,
      scraper: values.SCRAPER_TOKEN,
      edge: values.EDGE_API_KEY,
      edgeQuery: values.EDGE_QUERY_KEYS,
      apiPublic: values.API_PUBLIC_KEYS,
      internal: values.INTERNAL_TOKEN,
    },
    ingest: {
      maxBatch: values.INGEST_MAX_BATCH,
      maxBodyBytes: values.INGEST_MAX_BODY_BYTES,
      requireKnownSource: values.INGEST_REQUIRE_KNOWN_SOURCE,
      idempotencyTtlS: values.IDEMPOTENCY_TTL_S,
      mayDelete: values.INGEST_MAY_DELETE,
    },
    limits: {
      ingest: values.INGEST_CONCURRENCY,
      search: values.SEARCH_CONCURRENCY,
      chat: values.CHAT_CONCURRENCY,
      classify: values.CLASSIFY_CONCURRENCY,
      maxWaiting: values.REQUEST_MAX_WAITING,
      maxWaitMs: values.REQUEST_MAX_WAIT_MS,
    },
    search: { index: values.SEARCH_INDEX, vectorField: values.VECTOR_FIELD, fusion: values.SEARCH_FUSION },
    engines: enginesOf(values),
    outbox: {
      webhookUrls: values.OUTBOX_WEBHOOK_URLS,
      ...(values.OUTBOX_WEBHOOK_SECRET !== undefined && { webhookSecret: values.OUTBOX_WEBHOOK_SECRET }),
      allowPrivateHosts: values.OUTBOX_ALLOW_PRIVATE_HOSTS,
    },
    notices: {
      urls: values.NOTICE_URLS,
      events: values.NOTICE_EVENTS.length > 0 ? values.NOTICE_EVENTS : DEFAULT_NOTICE_KINDS,
      lang: values.NOTICE_LANG,
      ...(values.SMTP_URL !== undefined && { smtp: { url: values.SMTP_URL, from: values.SMTP_FROM ?? "" } }),
    },
    trustedProxies: values.TRUSTED_PROXIES,
    ...(values.TAXONOMY_FILE !== undefined && { taxonomyFile: values.TAXONOMY_FILE }),
    hub: { url: values.MODELS_HUB_URL, token: values.MODELS_HUB_TOKEN },
    models: modelsOf(values),
    classify: { ...(values.CLASSIFY_THREADS !== undefined && { threads: values.CLASSIFY_THREADS }) },
    rerank: {
      ...(values.RERANK_TIMEOUT_MS !== undefined && { timeoutMs: values.RERANK_TIMEOUT_MS }),
      ...(values.RERANK_THREADS !== undefined && { threads: values.RERANK_THREADS }),
    },
    llm: {
      ...modelServers(values),
      limits: {
        connectMs: values.LLM_CONNECT_TIMEOUT_MS,
        firstByteMs: values.LLM_FIRST_BYTE_TIMEOUT_MS,
        betweenMs: values.LLM_IDLE_TIMEOUT_MS,
        totalMs: values.LLM_TIMEOUT_MS,
      },
    },
    summarizePerMinute: values.SUMMARIZE_RATE_PER_MIN,
    ...(values.CLIENT_RATE_PER_MIN !== undefined && { ratePerMinute: values.CLIENT_RATE_PER_MIN }),
    streamHeartbeatMs: values.STREAM_HEARTBEAT_MS,
    workers: {
      concurrency: values.WORKERS_CONCURRENCY,
      summarize: values.SUMMARIZE_ON_INGEST,
      ...(values.RETENTION_DAYS !== undefined && { retentionDays: values.RETENTION_DAYS }),
      extractRelations: values.RELATIONS_EXTRACT,
      rerankVectors: values.RERANK_VECTORS,
      findClaims: values.CLAIMS_FIND,
      ...(values.CLAIMS_MIN_SCORE !== undefined && { claimsMinScore: Number(values.CLAIMS_MIN_SCORE) }),
      databaseTimeoutMs: values.WORKERS_DATABASE_TIMEOUT_MS,
      ...(values.WORKERS_PORT !== undefined && { port: values.WORKERS_PORT }),
    },
    scraper: {
      ...(values.PROFILES_DIR !== undefined && { profilesDir: values.PROFILES_DIR }),
      enable: values.SCRAPER_ENABLE,
      allowedCidrs: values.SCRAPER_ALLOWED_CIDRS,
      concurrency: values.SCRAPER_CONCURRENCY,
      runLeaseS: values.SCRAPER_RUN_LEASE_S,
      fetchTimeoutMs: values.SCRAPER_FETCH_TIMEOUT_MS,
      schedule: values.SCRAPER_SCHEDULE,
      allowPrivateHosts: values.SCRAPER_ALLOW_PRIVATE_HOSTS,
      userAgent: values.SCRAPER_USER_AGENT,
      maxBodyBytes: values.SCRAPER_MAX_BODY_BYTES,
      credentials,
      outputDir: resolve(values.SCRAPER_OUTPUT_DIR ?? join(values.DATA_DIR, "scraper")),
    },
    pull: {
      intervalS: values.PULL_INTERVAL_S,
      concurrency: values.PULL_CONCURRENCY,
      leaseS: values.PULL_LEASE_S,
    },
    newsdata: {
      baseUrl: values.NEWSDATA_BASE_URL,
      ...(values.NEWSDATA_API_KEY !== undefined && { apiKey: values.NEWSDATA_API_KEY }),
    },
  };
}

function readValues(env: Env): { values: OptionValues; credentials: Record<string, string> } {
  const problems: Problem[] = [];
  const entries = Object.entries<Option<unknown>>(OPTIONS).map(
    ([name, option]) => [name, readOption(name, option, env, problems)] as const,
  );
  const values: Record<string, unknown> = Object.fromEntries(entries);
  if (Array.isArray(values.OUTBOX_WEBHOOK_URLS) && values.OUTBOX_WEBHOOK_URLS.length > 0) {
    if (values.OUTBOX_WEBHOOK_SECRET === undefined) {
      problems.push({ name: "OUTBOX_WEBHOOK_SECRET", rule: "must be set when OUTBOX_WEBHOOK_URLS is" });
    }
  }
  if (values.SMTP_URL !== undefined && values.SMTP_FROM === undefined) {
    problems.push({ name: "SMTP_FROM", rule: "must be set when SMTP_URL is" });
  }
  if (Array.isArray(values.NOTICE_URLS) && values.SMTP_URL === undefined) {
    if (values.NOTICE_URLS.some((url) => /^mailto:/i.test(url))) {
      problems.push({ name: "SMTP_URL", rule: "must be set when NOTICE_URLS has an e-mail address" });
    }
  }
  // An option that is wrong is missing from the values: what would be said of that is not the point.
  if (problems.length === 0) problems.push(...modelServerProblems(values), ...engineProblems(values));
  const credentials = readCredentials(env, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return { values: values as OptionValues, credentials };
}

function readCredentials(env: Env, problems: Problem[]): Record<string, string> {
  const names = Object.keys(env)
    .filter((name) => name.startsWith(SOURCE_CREDENTIAL_PREFIX))
    .map((name) => name.replace(/_FILE$/, ""));
  const entries = [...new Set(names)].map((name) => [name, readOption(name, sourceCredential, env, problems)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function portsOf(values: OptionValues, env: Env, service: ServiceName | undefined): Record<ServiceName, number> {
  const ports = {
    api: values.API_PORT,
    scraper: values.SCRAPER_PORT,
    retrieval: values.RETRIEVAL_PORT,
    nlp: values.NLP_PORT,
    edge: values.EDGE_PORT,
  };
  const own = service && (env[`${service.toUpperCase()}_PORT`]?.trim() ?? "");
  if (service !== undefined && own === "" && values.PORT !== undefined) ports[service] = values.PORT;
  return ports;
}

function nameAndValue(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** Returns the address of a service of this machine; a wildcard host is reached over loopback. */
function localUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Returns the models that options name, by task. */
function modelsOf(values: OptionValues): Config["models"] {
  const models: Config["models"] = {};
  for (const task of Object.keys(MODEL_OPTIONS).filter(isModelTask)) {
    const name = values[MODEL_OPTIONS[task]];
    if (name !== undefined) models[task] = name;
  }
  return models;
}

function isModelTask(name: string): name is keyof typeof MODEL_OPTIONS {
  return name in MODEL_OPTIONS;
}

/** The version of the platform's services. */
export const VERSION: string = manifest.version;
