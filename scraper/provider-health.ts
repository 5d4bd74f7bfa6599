import type { Run } from "@isnad/lib/store";
import type { ScraperDeps } from "./deps.ts";

/**
 * Each provider by its latest run that has ended, whichever of its profiles that was of: it fails when the run did. A
 * provider that was never run is well.
 */
export async function providerHealth({
  profiles,
  store,
}: Pick<ScraperDeps, "profiles" | "store">): Promise<Record<string, { ok: boolean; reason?: string }>> {
  const all = profiles.all();
  const ended = await latestEnded(
    store,
    all.map(({ name }) => name),
  );
  const states: Record<string, { ok: boolean; reason?: string }> = {};
  for (const [provider, members] of Map.groupBy(all, (profile) => profile.provider)) {
    const [latest] = members
      .flatMap(({ name }) => ended.get(name) ?? [])
      .sort((a, b) => (b.finishedAt ?? "").localeCompare(a.finishedAt ?? ""));
    const ok = latest?.status !== "failed";
    states[provider] = ok ? { ok } : { ok, reason: latest?.error ?? "its latest run failed" };
  }
  return states;
}

async function latestEnded(store: ScraperDeps["store"], names: readonly string[]): Promise<Map<string, Run>> {
  const { runs } = store.scraper;
  const latest = await runs.latest(names);
  await Promise.all(
    [...latest].map(async ([profileId, run]) => {
      if (run.finishedAt !== null) return;
      // One run of a profile is active at most: the one before it has ended.
      const [, before] = (await runs.list({ profileId, limit: 2 })).runs;
      if (before === undefined) latest.delete(profileId);
      else latest.set(profileId, before);
    }),
  );
  return latest;
}
