import { instruments, type Registry } from "@isnad/lib/service/process";
import type { RunCounts, Store } from "@isnad/lib/store";
import type { Profiles } from "./profiles/profiles.ts";
import type { ScraperMetrics } from "./deps.ts";

/** The stage and outcome that each count of a run stands for. */
const STAGES: readonly { count: keyof RunCounts; stage: string; outcome: string }[] = [
  { count: "discovered", stage: "discover", outcome: "found" },
  { count: "fetched", stage: "fetch", outcome: "ok" },
  { count: "extracted", stage: "extract", outcome: "ok" },
  { count: "skipped", stage: "extract", outcome: "skipped" },
  { count: "failed", stage: "extract", outcome: "failed" },
  { count: "sent", stage: "deliver", outcome: "sent" },
  { count: "duplicate", stage: "deliver", outcome: "duplicate" },
  { count: "conflict", stage: "deliver", outcome: "conflict" },
];

const OUTCOMES = ["succeeded", "partial", "failed"] as const;

/** Registers the scraper's metrics. Series of the profiles in force are there from the start. */
export function scraperMetrics(
  registry: Registry,
  { store, profiles }: { store: { items: Pick<Store["scraper"]["items"], "counts"> }; profiles: Profiles },
): ScraperMetrics {
  const { counter, gauge, histogram } = instruments(registry);
  const runs = counter("scraper_runs_total", "Runs that ended, by profile and outcome.", ["profile", "outcome"]);
  const duration = histogram(
    "scraper_run_duration_seconds",
    "Time from the taking up of a run to its end, in seconds.",
    ["profile"],
    { buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800] },
  );
  const items = counter("scraper_items_total", "Articles by the stage of a run and what became of them there.", [
    "stage",
    "outcome",
  ]);
  const selectorPages = counter(
    "scraper_selector_pages_total",
    "Pages by selector of a profile and whether it found something: one that never does is of an older design.",
    ["profile", "selector", "outcome"],
  );
  const providers = counter(
    "scraper_provider_requests_total",
    "Runs and scrapes of a provider; failure: the run failed, or the scrape met an error.",
    ["provider", "outcome"],
  );
  gauge("scraper_profiles", "Profiles in force; those that are not enabled run only when asked for.", ["enabled"], {
    collect() {
      const enabled = profiles.all().filter((profile) => profile.enabled).length;
      this.set({ enabled: "true" }, enabled);
      this.set({ enabled: "false" }, profiles.all().length - enabled);
    },
  });
  gauge("scraper_profile_files_skipped", "Files among the profiles that are not valid.", [], {
    collect() {
      this.set(new Set(profiles.problems().map(({ file }) => file)).size);
    },
  });
  gauge(
    "scraper_items_stored",
    "Articles that the scraper keeps, by state; pending ones are still to be sent.",
    ["state"],
    {
      async collect() {
        // The metrics are served even while the database is away.
        const rows = await store.items.counts().catch(() => []);
        const counts = new Map<string, number>([["pending", 0]]);
        for (const { state, count } of rows) counts.set(state, (counts.get(state) ?? 0) + count);
        this.reset();
        for (const [state, count] of counts) this.set({ state }, count);
      },
    },
  );
  for (const { stage, outcome } of STAGES) items.inc({ stage, outcome }, 0);
  const showProfiles = (): void => {
    for (const { name, provider } of profiles.all()) {
      for (const outcome of OUTCOMES) runs.inc({ profile: name, outcome }, 0);
      for (const outcome of ["success", "failure"]) providers.inc({ provider, outcome }, 0);
    }
  };
  showProfiles();
  profiles.onReload(showProfiles);

  return {
    runEnded({ profileId, provider }, { status }, seconds) {
      runs.inc({ profile: profileId, outcome: status });
      duration.observe({ profile: profileId }, seconds);
      providers.inc({ provider, outcome: status === "failed" ? "failure" : "success" });
    },
    progressed(profileId, before, now) {
      for (const { count, stage, outcome } of STAGES) {
        const more = now.counts[count] - before.counts[count];
        if (more > 0) items.inc({ stage, outcome }, more);
      }
      for (const [selector, pages] of Object.entries(now.details.selectors)) {
        const earlier = before.details.selectors[selector];
        for (const outcome of ["matched", "unmatched"] as const) {
          const more = pages[outcome] - (earlier?.[outcome] ?? 0);
          if (more > 0) selectorPages.inc({ profile: profileId, selector, outcome }, more);
        }
      }
    },
    scraped(gone, failed, count) {
      for (const { name, provider } of gone) {
        providers.inc({ provider, outcome: failed.has(name) ? "failure" : "success" });
      }
      items.inc({ stage: "scrape", outcome: "returned" }, count);
    },
  };
}
