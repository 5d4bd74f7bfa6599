import { SEARCH_MODES } from "@isnad/lib/contract";
import { classifyMetrics, type Counter, instruments, queueLatency, type Registry } from "@isnad/lib/service/process";
import { paced } from "@isnad/lib/std";
import type { Store } from "@isnad/lib/store";

/** Describes how an ingest request ended. */
export type IngestOutcome = (typeof INGEST_OUTCOMES)[number];

const INGEST_OUTCOMES = [
  "accepted",
  "replayed",
  "conflict",
  "unauthorized",
  "malformed",
  "invalid",
  "too_large",
  "overloaded",
  "error",
] as const;

/** Describes what the API counts. */
export type ApiMetrics = {
  ingestRequests: Counter<"outcome">;
  ingestBodyBytes: Counter;
  revisionReports: Counter<"status">;
  searchRequests: Counter<"mode" | "outcome">;
  /** Tells which fusion the last hybrid search met. */
  setRrfMode(mode: RrfMode): void;
};

/** Both branches fused, the keyword branch alone, or no answer. */
type RrfMode = "rrf" | "bm25" | "none";

const RRF_MODES: readonly RrfMode[] = ["rrf", "bm25", "none"];

/** Registers the metrics of the central API. */
export function apiMetrics(
  registry: Registry,
  store: {
    articles: Pick<Store["articles"], "countPending">;
    sourceStates: Pick<Store["sourceStates"], "countUnusual">;
  },
): ApiMetrics {
  const { counter, gauge } = instruments(registry);
  const rrf = gauge("inference_rrf_mode", "Active rank-fusion mode of the inference service.", ["mode"]);
  const setRrfMode = (active: RrfMode): void => {
    for (const mode of RRF_MODES) rrf.set({ mode }, mode === active ? 1 : 0);
  };
  setRrfMode("rrf");
  // Many take long to count. That none is left is what others wait for: it is never said of a moment ago.
  const countPending = paced(() => store.articles.countPending(), { keep: (pending) => pending > 0 });
  gauge("articles_pending", "Articles that are accepted and not yet indexed.", [], {
    async collect() {
      // The metrics are served even while the database is away: then this one is not a number.
      this.set(await countPending().catch(() => Number.NaN));
    },
  });
  const countUnusual = paced(() => store.sourceStates.countUnusual());
  gauge(
    "sources_unusual",
    "Sources whose last 24 hours brought far fewer articles than usual (quiet), or twice as many (doubled).",
    ["state"],
    {
      async collect() {
        const counts = await countUnusual().catch(() => undefined);
        for (const state of ["quiet", "doubled"] as const) this.set({ state }, counts?.[state] ?? Number.NaN);
      },
    },
  );
  queueLatency(registry);
  classifyMetrics(registry);
  const ingestRequests = counter("ingest_requests_total", "Ingest requests by outcome.", ["outcome"]);
  const ingestBodyBytes = counter(
    "ingest_body_bytes_total",
    "Sum of request body sizes in bytes, after decompression.",
  );
  const revisionReports = counter(
    "revision_reports_total",
    "Reports of what sources say of known articles now, by what became of them.",
    ["status"],
  );
  const searchRequests = counter("search_requests_total", "Search requests by retrieval mode.", ["mode", "outcome"]);
  // A series that is there from the start shows its first increase as one.
  for (const outcome of INGEST_OUTCOMES) ingestRequests.inc({ outcome }, 0);
  for (const status of ["recorded", "known", "failed"]) revisionReports.inc({ status }, 0);
  for (const mode of SEARCH_MODES) searchRequests.inc({ mode, outcome: "ok" }, 0);
  return { ingestRequests, ingestBodyBytes, revisionReports, searchRequests, setRrfMode };
}
