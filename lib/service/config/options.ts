import ipaddr from "ipaddr.js";
import { NOTICE_KINDS, readHookAddress } from "../../contract/notices.ts";
import {
  choice,
  flag,
  list,
  matching,
  type Option,
  type OptionDoc,
  optional,
  RuleError,
  text,
  url,
  whole,
} from "./option.ts";

const HTTP = ["http:", "https:"];

const port = (fallback: number, doc: string) => whole(fallback, { min: 0, max: 65535, unit: "port", doc });

const tokens = (doc: string) => list(token, { doc, secret: true });

const token: Option<string> = {
  ...text("", { doc: "", secret: true }),
  unit: "token",
  parse(raw) {
    if (!/^[\x21-\x7e]+$/.test(raw)) throw new RuleError("must consist of visible ASCII characters");
    return raw;
  },
};

const keyValue: Option<string> = {
  ...text("", { doc: "" }),
  unit: "name=value",
  parse(raw) {
    if (!/^[\w-]+=[\x21-\x7e]*$/.test(raw)) throw new RuleError("must be name=value, comma-separated");
    return raw;
  },
};

const network: Option<string> = {
  ...text("", { doc: "" }),
  unit: "address or network",
  parse(raw) {
    // Short and octal forms are left out: `10` would be 0.0.0.10, and `010.0.0.1` would be 8.0.0.1.
    const { IPv4, IPv6 } = ipaddr;
    const isV4 = IPv4.isValidFourPartDecimal(raw) || IPv4.isValidCIDRFourPartDecimal(raw);
    if (!isV4 && !IPv6.isValid(raw) && !IPv6.isValidCIDR(raw))
      throw new RuleError("must hold IP addresses or networks (CIDR)");
    return raw;
  },
};

/**
 * Returns the address of a server that the operator names; a key belongs in an option of its own, which no log shows.
 */
const endpoint = (doc: string): Option<string> => {
  const plain = url(HTTP, "", { doc });
  return {
    ...plain,
    parse(raw) {
      const address = new URL(plain.parse(raw));
      if (address.username !== "" || address.password !== "") throw new RuleError("must not hold a user or password");
      if (address.search !== "" || address.hash !== "") throw new RuleError("must not have a query");
      return plain.parse(raw);
    },
  };
};

const apiKey = (doc: string): Option<string> => ({ ...token, doc, default: "", required: true });

const limit = (fallback: number, doc: string) =>
  whole(fallback, { min: 10, max: 3_600_000, unit: "milliseconds", doc });

/** As `readAllowList` of lib/web/egress takes it, which reads more than a list: entries may also be apart by blanks. */
const privateHosts = (doc: string): Option<string> => ({
  ...text("", { doc }),
  unit: "list of host, address or network",
  parse(raw) {
    for (const entry of raw.split(/[\s,]+/)) {
      if (entry === "" || ipaddr.isValidCIDR(entry) || ipaddr.isValid(entry)) continue;
      const host = /^(?:\[(.+)\]|([^:]+))(?::\d{1,5})?$/.exec(entry);
      const name = host?.[1] ?? host?.[2] ?? "";
      if (ipaddr.isValid(name) || (host?.[1] === undefined && /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(name))) continue;
      throw new RuleError("must hold hosts, IP addresses or networks (CIDR), each with a port where one is meant");
    }
    return raw;
  },
});

/** Holds what browsers send as `Origin`: `https://news.example`, no path. */
const origin: Option<string> = {
  ...url(HTTP, "", { doc: "" }),
  parse(raw) {
    if (!URL.canParse(raw) || !HTTP.includes(new URL(raw).protocol) || new URL(raw).origin !== raw) {
      throw new RuleError("must hold origins such as https://news.example, in lower case and without a path");
    }
    return raw;
  },
};

/** Holds the address of a notice: a form's name, `+` and a URL, or `mailto:` and an address. */
const noticeAddress: Option<string> = {
  ...text("", { doc: "" }),
  parse(raw) {
    const hook = readHookAddress(raw);
    if (typeof hook === "string") throw new RuleError(hook);
    if (hook.form === "json")
      throw new RuleError("must name a form, as slack+https://…; OUTBOX_WEBHOOK_URLS gets JSON");
    return raw;
  },
};

/** Every environment variable that a service reads, in the order of the documentation. */
export const OPTIONS = {
  APP_ENV: matching(/^[a-z][a-z0-9_-]*$/, "must be one lower-case word", "local", {
    doc: "Environment. `local` generates missing tokens and opens /metrics; any other refuses to start without tokens.",
  }),
  DATA_DIR: text(".data", { doc: "Folder of all state: database, indexes, models, tokens." }),
  LOG_LEVEL: choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "info", {
    doc: "Least severe log level that is written.",
  }),
  HOST: text("127.0.0.1", { doc: "Address that services listen on; 0.0.0.0 for all." }),
  PORT: optional(port(0, "Port of a service that is started alone, unless its own variable below is set.")),
  API_PORT: port(8080, "Port of the central API."),
  SCRAPER_PORT: port(8081, "Port of the scraper."),
  DEMO_SITE_PORT: port(8790, "Port of the site that `bun run demo` serves on loopback; 0: any free one."),
  RETRIEVAL_PORT: port(8082, "Port of the retrieval service."),
  NLP_PORT: port(8083, "Port of the linguistic analysis service."),
  EDGE_PORT: port(8787, "Port of the edge worker."),
  DESK: flag(true, { doc: "Whether the API serves the desk, pages for readers and editors, at `/`." }),
  DRAIN_MS: whole(0, {
    min: 0,
    max: 60_000,
    unit: "milliseconds",
    doc: "How long a stopping service still takes requests, while /readyz tells load balancers that it stops.",
  }),
  UP_SCALE: optional(
    matching(/^[a-z]+=\d{1,3}(,[a-z]+=\d{1,3})*$/, "must be like workers=2,api=2", "", {
      doc: "Processes of each service that `up` starts, each kind behind one port; unset: one of each.",
    }),
  ),
  PUBLIC_BASE_URL: optional(
    url(HTTP, "", { doc: "Address under which clients reach the API; unset: its host and port." }),
  ),
  CORS_ORIGINS: list(origin, {
    doc: "Origins of pages that may read from every service in a browser, and with a key use the other routes, too.",
    unit: "list of origin",
  }),
  API_URL: optional(
    url(HTTP, "", { doc: "Where operator commands find the central API; unset: the one that runs here." }),
  ),
  RETRIEVAL_URL: optional(
    url(HTTP, "", { doc: "Where the API finds the retrieval service; unset: its port on this machine." }),
  ),
  NLP_URL: optional(
    url(HTTP, "", { doc: "Where workers find the linguistic analysis service; unset: its port on this machine." }),
  ),
  SCRAPER_URL: optional(
    url(HTTP, "", { doc: "Where workers and commands find the scraper; unset: its port on this machine." }),
  ),
  EDGE_URL: optional(
    url(HTTP, "", {
      doc: "Where the API finds the edge worker, which answers chats; unset: its port on this machine.",
    }),
  ),
  DATABASE_URL: optional(
    url(["postgres:", "postgresql:"], "", {
      doc: "PostgreSQL to use; unset: an embedded one under DATA_DIR.",
      secret: true,
    }),
  ),
  DATABASE_TIMEOUT_MS: whole(3_000, {
    min: 100,
    max: 600_000,
    unit: "milliseconds",
    doc: "Longest time of a statement of API, scraper and retrieval; a database that is silent for one second more counts as away.",
  }),
  REDIS_URL: optional(
    url(["redis:", "rediss:"], "", { doc: "Redis for the queues; unset: they live in PostgreSQL.", secret: true }),
  ),
  INGEST_TOKEN: tokens("Bearer tokens of the ingest routes, comma-separated (old and new while rotating)."),
  METRICS_TOKEN: tokens("Values accepted in X-Metrics-Token."),
  SCRAPER_TOKEN: tokens("Bearer tokens of the scraper's write routes."),
  EDGE_API_KEY: tokens("Values accepted in x-api-key by the edge worker."),
  EDGE_QUERY_KEYS: tokens("Values required in x-api-key by the edge worker's /rag/query; unset: it is open."),
  API_PUBLIC_KEYS: tokens(
    "Values required in x-api-key by the routes that read, of all services; unset, and without a key of scope read: these are open.",
  ),
  INTERNAL_TOKEN: tokens("What the services of the platform show each other, so that they are not asked for a key."),
  INGEST_MAX_BATCH: whole(100, { min: 1, max: 10_000, unit: "articles", doc: "Most articles in one ingest request." }),
  INGEST_MAX_BODY_BYTES: whole(1_500_000, {
    min: 1_000,
    max: 1_000_000_000,
    unit: "bytes",
    doc: "Largest ingest body, as sent and after gunzip.",
  }),
  INGEST_REQUIRE_KNOWN_SOURCE: flag(false, {
    doc: "Refuse items of unknown sources; otherwise an unknown source is registered inactive.",
  }),
  INGEST_MAY_DELETE: flag(true, {
    doc: "Whether INGEST_TOKEN may delete articles; otherwise only a key of scope admin may.",
  }),
  INGEST_CONCURRENCY: whole(64, {
    min: 1,
    max: 10_000,
    unit: "requests",
    doc: "Ingest requests that the API works on at a time; more wait for their turn.",
  }),
  SEARCH_CONCURRENCY: whole(16, {
    min: 1,
    max: 10_000,
    unit: "requests",
    doc: "Searches and retrievals that the API and the retrieval service each work on at a time; more wait for their turn.",
  }),
  CHAT_CONCURRENCY: whole(32, {
    min: 1,
    max: 10_000,
    unit: "requests",
    doc: "Chats, built-in summaries and translations that the edge worker works on at a time; more wait for their turn.",
  }),
  CLASSIFY_CONCURRENCY: whole(256, {
    min: 1,
    max: 100_000,
    unit: "sentences",
    doc: "Sentences whose check-worthiness is worked on at a time; more wait for their turn.",
  }),
  REQUEST_MAX_WAITING: whole(2_000, {
    min: 0,
    max: 1_000_000,
    unit: "requests",
    doc: "Most requests of one kind that wait for their turn; more are refused at once: 503 with Retry-After.",
  }),
  REQUEST_MAX_WAIT_MS: whole(8_000, {
    min: 1,
    max: 600_000,
    unit: "milliseconds",
    doc: "Longest time that a request waits for its turn; one that is expected to wait longer is refused at once.",
  }),
  IDEMPOTENCY_TTL_S: whole(86_400, {
    min: 1,
    max: 31_536_000,
    unit: "seconds",
    doc: "How long an Idempotency-Key is remembered.",
  }),
  TAXONOMY_FILE: optional(text("", { doc: "Categories and label map to use in place of the shipped ones." })),
  SEARCH_INDEX: matching(/^[a-z][a-z0-9_-]*$/, "must be one lower-case word", "articles", {
    doc: "Name of the index that searches use when they name none.",
  }),
  VECTOR_FIELD: matching(/^[a-z][a-z0-9_]*$/, "must be one lower-case word", "embedding", {
    doc: "Name of the vector field that searches use when they name none.",
  }),
  SEARCH_FUSION: choice(["rrf", "score"], "rrf", {
    doc: "How hybrid searches merge both branches by default: by ranks, or by scores.",
  }),
  KEYWORD_ENGINE: optional(
    choice(["embedded", "fts5", "meilisearch", "opensearch"], "embedded", {
      doc: "Engine of keyword search (fts5: another name of embedded); unset: the engine whose URL is set, else embedded.",
    }),
  ),
  VECTOR_ENGINE: optional(
    choice(["usearch", "opensearch"], "usearch", {
      doc: "Engine of vector search; unset: opensearch where OPENSEARCH_URL is set, else usearch, which is embedded.",
    }),
  ),
  OPENSEARCH_URL: list(endpoint(""), {
    doc: "Addresses of nodes of an OpenSearch cluster (2 or 3), all of one cluster.",
  }),
  OPENSEARCH_USER: optional(text("", { doc: "User of OPENSEARCH_URL." })),
  OPENSEARCH_PASSWORD: optional(text("", { doc: "Password of OPENSEARCH_USER.", secret: true })),
  OPENSEARCH_CA_FILE: optional(
    text("", {
      doc: "File with the certificates (PEM) that OPENSEARCH_URL's is checked against; unset: the system's.",
    }),
  ),
  OPENSEARCH_SHARDS: whole(1, {
    min: 1,
    max: 1_024,
    unit: "shards",
    doc: "Shards of an index in OpenSearch; takes effect when an index is made (search:reindex).",
  }),
  OPENSEARCH_REPLICAS: whole(1, {
    min: 0,
    max: 100,
    unit: "replicas",
    doc: "Replicas of each shard in OpenSearch; takes effect when an index is made (search:reindex).",
  }),
  MEILI_URL: optional(endpoint("Address of a Meilisearch server (1.x).")),
  MEILI_API_KEY: optional(apiKey("Key of MEILI_URL.")),
  MEILI_CA_FILE: optional(
    text("", { doc: "File with the certificates (PEM) that MEILI_URL's is checked against; unset: the system's." }),
  ),
  ENGINE_PREFIX: matching(/^[a-z][a-z0-9-]*$/, "must be one lower-case word", "isnad", {
    doc: "Prefix of the names of all indexes in OpenSearch or Meilisearch.",
  }),
  EMBED_MODEL: optional(text("", { doc: "Name of the embedding model; unset: the registry's default." })),
  TAG_MODEL: optional(text("", { doc: "Name of the model that finds entities; unset: the registry's default." })),
  CLASSIFY_MODEL: optional(text("", { doc: "Name of the check-worthiness model; unset: the registry's default." })),
  CLASSIFY_THREADS: optional(
    whole(0, {
      min: 1,
      max: 256,
      unit: "threads",
      doc: "Threads of a run of the check-worthiness model; unset: 2, on one processor 1.",
    }),
  ),
  RERANK_MODEL: optional(text("", { doc: "Name of the reranking model; unset: the registry's default." })),
  RERANK_TIMEOUT_MS: optional(
    whole(0, {
      min: 1,
      max: 600_000,
      unit: "ms",
      doc: "Longest time of reranking, after which the fused order is returned; unset: 3,000, cross-encoder 30,000; edge: 30,000 or more.",
    }),
  ),
  RERANK_THREADS: optional(
    whole(0, {
      min: 1,
      max: 256,
      unit: "threads",
      doc: "Threads of reranking; unset: 1, of a cross-encoder half of all.",
    }),
  ),
  RERANK_VECTORS: flag(true, {
    doc: "Whether the reranking model reads articles once they are indexed; otherwise each search reads its passages.",
  }),
  LLM_URL: optional(
    endpoint("Base address (…/v1) of an OpenAI-compatible server; unset: the built-in extractive models answer."),
  ),
  LLM_API_KEY: optional(apiKey("Key of LLM_URL.")),
  LLM_MODEL: optional(text("", { doc: "Model of LLM_URL that chats; unset: the built-in one." })),
  LLM_TRANSLATE_MODEL: optional(text("", { doc: "Model of LLM_URL that translates; unset: LLM_MODEL." })),
  LLM_ASR_MODEL: optional(text("", { doc: "Model that transcribes, at LLM_ASR_URL." })),
  LLM_ASR_URL: optional(endpoint("Base address of the server that transcribes; unset: LLM_URL.")),
  LLM_ASR_API_KEY: optional(apiKey("Key of LLM_ASR_URL.")),
  LLM_EMBED_MODEL: optional(text("", { doc: "Model that compares sentences for built-in answers, at LLM_EMBED_URL." })),
  LLM_EMBED_URL: optional(endpoint("Base address of the server that embeds; unset: LLM_URL.")),
  LLM_EMBED_API_KEY: optional(apiKey("Key of LLM_EMBED_URL.")),
  LLM_RERANK_MODEL: optional(
    text("", { doc: "Model that reranks for the edge worker, at LLM_RERANK_URL (POST …/rerank)." }),
  ),
  LLM_RERANK_URL: optional(endpoint("Base address of the server that reranks; unset: LLM_URL.")),
  LLM_RERANK_API_KEY: optional(apiKey("Key of LLM_RERANK_URL.")),
  LLM_CONNECT_TIMEOUT_MS: limit(5_000, "Longest time to connect to a model's server."),
  LLM_FIRST_BYTE_TIMEOUT_MS: limit(
    60_000,
    "Longest time until a model's answer begins; it may have to be loaded first.",
  ),
  LLM_IDLE_TIMEOUT_MS: limit(30_000, "Longest silence within a model's answer."),
  LLM_TIMEOUT_MS: limit(600_000, "Longest time of a model's whole answer."),
  AI_GATEWAY_URL: optional(
    endpoint("Base address of an OpenAI-compatible gateway that is asked for summaries first; unset: LLM_URL is."),
  ),
  AI_GATEWAY_API_KEY: optional(apiKey("Key of AI_GATEWAY_URL.")),
  AI_GATEWAY_MODEL: optional(text("", { doc: "Alias of the gateway's model that summarises." })),
  AI_GATEWAY_VENDOR_MODEL: optional(
    text("", { doc: "Vendor's name of a model that is asked through the gateway where the alias is unknown to it." }),
  ),
  AI_GATEWAY_VENDOR_URL: optional(
    endpoint("The gateway's base address for vendors' names, where it is another path; unset: AI_GATEWAY_URL."),
  ),
  STREAM_HEARTBEAT_MS: whole(15_000, {
    min: 10,
    max: 50_000,
    unit: "milliseconds",
    doc: "Silence of an event stream after which a comment line keeps the connection.",
  }),
  MODELS_HUB_URL: url(HTTP, "https://huggingface.co", { doc: "The hub that `models pull` brings models from." }),
  MODELS_HUB_TOKEN: optional(apiKey("Token of the hub, for models that are not public.")),
  OUTBOX_WEBHOOK_URLS: list(url(HTTP, "", { doc: "" }), {
    doc: "Addresses that receive every outbox event by POST; they often hold a token, and are never shown.",
    secret: true,
  }),
  OUTBOX_WEBHOOK_SECRET: optional(
    text("", { doc: "Key of the X-Signature (HMAC-SHA-256) of webhook bodies.", secret: true }),
  ),
  OUTBOX_ALLOW_PRIVATE_HOSTS: privateHosts(
    "Private networks or hosts that webhooks may go to by a name with a dot; localhost and bare addresses always may.",
  ),
  NOTICE_URLS: list(noticeAddress, {
    doc: "Addresses that people are told of NOTICE_EVENTS at: slack+, telegram+, matrix+ or ntfy+ and a URL, or mailto:.",
    unit: "list of address",
    secret: true,
  }),
  NOTICE_EVENTS: list(choice(NOTICE_KINDS, "story.created", { doc: "" }), {
    doc: "Kinds of events that NOTICE_URLS are told of; unset: claim.repeated, source.quiet, source.doubled, source.usual.",
    unit: "list of kind",
  }),
  NOTICE_LANG: choice(["en", "ar"], "en", { doc: "Language of what notices say beside the texts of articles." }),
  SMTP_URL: optional(
    url(["smtp:", "smtps:"], "", {
      doc: "Server that notices by e-mail are sent through, with user and password; smtps:// is TLS from the start.",
      secret: true,
    }),
  ),
  SMTP_FROM: optional(
    matching(/^[^\p{Cc}@]{1,200}@[^\p{Cc}\s@]{1,200}$/u, "must be an address, or a name and <address>", "", {
      doc: "Sender of notices by e-mail.",
    }),
  ),
  PROFILES_DIR: optional(text("", { doc: "Folder of the scraper's profiles; unset: `profiles` of this repository." })),
  SCRAPER_ENABLE: list(text("", { doc: "" }), {
    doc: "Profiles that are enabled whatever their files say; `all` for every one.",
    unit: "list of profile names",
  }),
  SCRAPER_ALLOWED_CIDRS: list(network, {
    doc: "Client addresses that may call the scraper's write routes without a token.",
  }),
  SCRAPER_CONCURRENCY: whole(2, { min: 1, max: 64, unit: "runs", doc: "Runs of one scraper process at a time." }),
  SCRAPER_RUN_LEASE_S: whole(60, {
    min: 3,
    max: 3_600,
    unit: "seconds",
    doc: "A run whose process has been silent for this long is taken up by another.",
  }),
  SCRAPER_FETCH_TIMEOUT_MS: whole(20_000, {
    min: 500,
    max: 300_000,
    unit: "milliseconds",
    doc: "Time for one page or feed, redirects and body included; a killed process holds its place at a host about as long.",
  }),
  SCRAPER_SCHEDULE: flag(true, { doc: "Whether the scraper starts runs by the schedules of its profiles." }),
  SCRAPER_ALLOW_PRIVATE_HOSTS: privateHosts(
    "Private hosts (also host:port), addresses or networks that may be fetched all the same.",
  ),
  SCRAPER_USER_AGENT: matching(
    /^[A-Za-z_-]+(?:\/[\x21-\x7e]+)?(?: [\x20-\x7e]+)?$/,
    "must begin with a product token (IsnadBot/0.1) and be visible ASCII",
    "IsnadBot/0.1",
    { doc: "User agent of everything that is fetched from sites: product (as robots.txt names it), then a contact." },
  ),
  SCRAPER_MAX_BODY_BYTES: whole(5_000_000, {
    min: 10_000,
    max: 100_000_000,
    unit: "bytes",
    doc: "Largest page or feed that is read, as sent and after inflating.",
  }),
  SCRAPER_OUTPUT_DIR: optional(
    text("", { doc: "Folder of the files that scrapes write; unset: `scraper` in the data folder." }),
  ),
  PULL_INTERVAL_S: whole(900, {
    min: 0,
    max: 31_536_000,
    unit: "seconds",
    doc: "How often the workers pull each active source of a pull provider; 0: only when asked to.",
  }),
  PULL_CONCURRENCY: whole(2, { min: 1, max: 64, unit: "pulls", doc: "Pulls of one worker process at a time." }),
  PULL_LEASE_S: whole(60, {
    min: 3,
    max: 3_600,
    unit: "seconds",
    doc: "A pull whose process has been silent for this long is taken up by another.",
  }),
  NEWSDATA_API_KEY: optional(apiKey("Key of newsdata.io, for sources of that provider.")),
  NEWSDATA_BASE_URL: url(HTTP, "https://newsdata.io", { doc: "Address of newsdata.io or of what stands in for it." }),
  SUMMARIZE_RATE_PER_MIN: whole(60, {
    min: 1,
    max: 1_000_000,
    unit: "requests per minute",
    doc: "Summaries that one client may ask for.",
  }),
  CLIENT_RATE_PER_MIN: optional(
    whole(0, {
      min: 1,
      max: 1_000_000,
      unit: "requests per minute",
      doc: "Requests that one client (its key, else its address) may make of the routes that read; unset: its share alone.",
    }),
  ),
  RELATIONS_EXTRACT: flag(false, {
    doc: "Whether events and their arguments are found in Arabic articles once they are indexed, by the linguistic service.",
  }),
  CLAIMS_FIND: flag(true, {
    doc: "Whether sentences of articles that are worth a check are kept as claims, once the entities of the article are found.",
  }),
  CLAIMS_MIN_SCORE: optional(
    matching(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, "must be a number from 0 to 1", "", {
      doc: "Score from which a sentence of an article is kept as a claim; unset: the one of the model for claims that are kept, by language.",
    }),
  ),
  SUMMARIZE_ON_INGEST: flag(false, {
    doc: "Whether articles get a summary of their own sentences as they are indexed.",
  }),
  RETENTION_DAYS: optional(
    whole(0, {
      min: 1,
      max: 100_000,
      unit: "days",
      doc: "Articles published longer ago than this (taken in, where no date is known) are deleted; unset: none are.",
    }),
  ),
  TRUSTED_PROXIES: list(network, { doc: "Proxies whose X-Forwarded-For is believed." }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    url(HTTP, "", {
      doc: "Collector that traces are sent to by OTLP/HTTP (it adds /v1/traces); unset: no traces are sent.",
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: list(keyValue, {
    doc: "Headers of requests to the collector, for instance a key: name=value, comma-separated.",
    secret: true,
  }),
  OTEL_TRACES_SAMPLER_ARG: matching(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, "must be a number from 0 to 1", "1", {
    doc: "Share of traces that are kept, 0 to 1, of requests that bring no trace of their own.",
  }),
  WORKERS_PORT: optional(port(0, "Port of the workers' health and metrics; unset: they listen on none.")),
  WORKERS_CONCURRENCY: whole(2, { min: 1, max: 64, unit: "jobs", doc: "Jobs of one queue that run at a time." }),
  WORKERS_DATABASE_TIMEOUT_MS: whole(60_000, {
    min: 100,
    max: 3_600_000,
    unit: "milliseconds",
    doc: "Longest time of a statement of the workers, for which no request waits.",
  }),
};

/** Holds what the names of the variables that hold credentials of sources begin with. */
export const SOURCE_CREDENTIAL_PREFIX = "SCRAPER_AUTH_";

/** A credential of a source, which its profile names; there is any number of them. */
export const sourceCredential: Option<string | undefined> = optional({
  ...text("", {
    doc: "A source's credential: a profile's `auth` names the variable, and its value is sent to that source as a header.",
    secret: true,
  }),
  unit: "value of a header",
  parse(raw) {
    if (!/^[\x20-\x7e]+$/.test(raw)) throw new RuleError("must consist of visible ASCII characters");
    return raw;
  },
});

/** The options that name the model of a task, by task. */
export const MODEL_OPTIONS = {
  embed: "EMBED_MODEL",
  tag: "TAG_MODEL",
  classify: "CLASSIFY_MODEL",
  rerank: "RERANK_MODEL",
} as const;

/** The parsed value of every option. */
export type OptionValues = { [K in keyof typeof OPTIONS]: ReturnType<(typeof OPTIONS)[K]["parse"]> };

/** The documentation of every option. */
export const options: readonly OptionDoc[] = Object.entries<Option<unknown>>({
  ...OPTIONS,
  [`${SOURCE_CREDENTIAL_PREFIX}NAME`]: sourceCredential,
}).map(([name, option]) => ({
  name,
  default: option.default,
  unit: option.unit,
  doc: option.doc,
  secret: option.secret,
}));
