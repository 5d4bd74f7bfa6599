/** A service of the stack, as data. */
export type ServiceEntry = {
  name: string;
  /** Its `main.ts`, from the root of the repository. */
  entry: string;
  /** The option that names its port. */
  portOption: string;
  /** The route that answers 200 once it can serve. */
  healthPath: string;
  /** True when its URL is shown to people: the workers serve nobody but the supervisor. */
  shown: boolean;
  /** Environment variables that the service gets unless they are set. */
  defaults?: Readonly<Record<string, string>>;
};

/**
 * Memory that is free is given back after five seconds, not after ten milliseconds: a search gives back and takes again
 * half a megabyte, and each page that the kernel takes away meanwhile costs more than to fill it. Not never: what the
 * start of a large index takes for a moment, several times what it keeps, is to go back.
 */
const MEMORY_DEFAULTS = { MIMALLOC_PURGE_DELAY: "5000" };

/** Holds what `up` starts, in the order in which URLs are shown. */
export const services: readonly ServiceEntry[] = [
  { name: "api", entry: "api/main.ts", portOption: "API_PORT", healthPath: "/api/v1/health", shown: true },
  { name: "workers", entry: "workers/main.ts", portOption: "WORKERS_PORT", healthPath: "/health", shown: false },
  {
    name: "retrieval",
    entry: "nlp/retrieval/main.ts",
    portOption: "RETRIEVAL_PORT",
    healthPath: "/health",
    shown: true,
    defaults: MEMORY_DEFAULTS,
  },
  { name: "nlp", entry: "nlp/linguistic/main.ts", portOption: "NLP_PORT", healthPath: "/health", shown: true },
  { name: "edge", entry: "edge/main.ts", portOption: "EDGE_PORT", healthPath: "/health", shown: true },
  { name: "scraper", entry: "scraper/main.ts", portOption: "SCRAPER_PORT", healthPath: "/health", shown: true },
];
