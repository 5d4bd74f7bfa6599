import type { Source, SourceInput } from "@isnad/lib/store";
import type { ListedProfile } from "@isnad/lib/contract";

/** The provider of sources that the scraper pushes. */
const PUSH_PROVIDER = "scraper-push";

/** One field that differs. */
export type Difference = { field: string; from: unknown; to: unknown };

/** What has to be done for the sources to be as the profiles say. */
export type SyncPlan = {
  create: SourceInput[];
  update: { input: SourceInput; differences: Difference[] }[];
  unchanged: string[];
  /** Sources of these profiles that somebody gave another provider: they stay as they are. */
  kept: { key: string; provider: string }[];
  /** Sources of these profiles that somebody removed: they do not come back by themselves. */
  removed: string[];
  /** Sources that came from the scraper and whose profile is gone. */
  gone: string[];
};

/**
 * Compares the scraper's profiles with the sources. A source is keyed by its profile's `source.id`; one that somebody
 * switched off stays off, and one that is among `removed` is left out.
 */
export function planSync(
  profiles: readonly ListedProfile[],
  sources: readonly Source[],
  removed: ReadonlySet<string> = new Set(),
): SyncPlan {
  const byKey = new Map(sources.map((source) => [source.key, source]));
  const plan: SyncPlan = { create: [], update: [], unchanged: [], kept: [], removed: [], gone: [] };
  const inputs = wantedSources(profiles);
  for (const [key, input] of inputs) {
    const source = byKey.get(key);
    if (removed.has(key)) plan.removed.push(key);
    else if (source === undefined) plan.create.push(input);
    else if (source.provider !== null && source.provider !== PUSH_PROVIDER) {
      plan.kept.push({ key, provider: source.provider });
    } else {
      const wanted = source.offSince === null ? input : { ...input, active: false };
      const differences = differencesOf(source, wanted);
      if (differences.length === 0) plan.unchanged.push(key);
      else plan.update.push({ input: wanted, differences });
    }
  }
  plan.gone = sources
    .filter(({ key, provider }) => provider === PUSH_PROVIDER && !inputs.has(key))
    .map(({ key }) => key);
  return plan;
}

/**
 * The sources that the profiles stand for; of several profiles of one source, the source is active when one of them is.
 */
function wantedSources(profiles: readonly ListedProfile[]): Map<string, SourceInput> {
  const inputs = new Map<string, SourceInput>();
  for (const { enabled, language, source } of profiles) {
    const key = source.id;
    const before = inputs.get(key);
    inputs.set(key, {
      key,
      provider: PUSH_PROVIDER,
      name: source.name,
      homepage: source.homepage,
      tier: source.tier,
      language,
      ...before,
      active: enabled || before?.active === true,
    });
  }
  return inputs;
}

function differencesOf(source: Source, input: SourceInput): Difference[] {
  const before: Record<string, unknown> = source;
  return Object.entries(input).flatMap(([field, to]) =>
    before[field] === to ? [] : [{ field, from: before[field], to }],
  );
}
