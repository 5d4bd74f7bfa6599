import type { ListedProfile } from "@isnad/lib/contract";
import { CommandError, defineCommand, findScraper, type Sink, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import type { Source, SourceInput } from "@isnad/lib/store";
import { openScraper } from "../../workers/pull/puller.ts";
import { openCommandStore } from "../open-store.ts";

/** The provider of sources that the scraper pushes. */
const PUSH_PROVIDER = "scraper-push";

/** One field that differs. */
type Difference = { field: string; from: unknown; to: unknown };

/** Holds what has to be done for the sources to be as the profiles say. */
type SyncPlan = {
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
 * Returns the sources that the profiles stand for; of several profiles of one source, the source is active when one of
 * them is.
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

type Retired = { removed: string[]; deactivated: string[] };

/** `scraper:sync-sources`: makes the sources what the scraper's profiles say. */
export const syncSources = defineCommand({
  name: "scraper:sync-sources",
  summary: "Registers the sources of the scraper's profiles, with name, tier, language and state.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    prune: { kind: "flag", help: "take sources out of use whose profile is gone" },
    again: { kind: "flag", help: "register those as well that somebody removed (sources:remove)" },
    "dry-run": { kind: "flag", help: "only print the differences" },
  },
  details: `
Sources get the provider scraper-push; one that was given another provider is left as it is. --prune touches only sources that
came from the scraper: one without articles is deleted, one that has some is made inactive. A source that was removed does not
come back without --again.`,
  async run({ values }, { env, json, signal, stdout }) {
    const dryRun = values["dry-run"];
    const client = openScraper(await findScraper(env), loadConfig(env).scraper.userAgent);
    const profiles = await client.profiles(signal);
    if (profiles.length === 0 && values.prune) {
      throw new CommandError("the scraper has no profiles: nothing is pruned by an empty list");
    }
    await using opened = await openCommandStore(env, { creates: !dryRun });
    const { store } = opened;
    const off = values.again ? [] : [...(await store.sourceStates.off())];
    const removed = new Set(off.flatMap(([key, state]) => (state === "removed" ? [key] : [])));
    const plan = planSync(profiles, await store.sources.list(), removed);
    let retired: Retired | undefined;
    if (!dryRun) {
      await store.sources.upsert([...plan.create, ...plan.update.map(({ input }) => input)]);
      if (values.prune) retired = await store.sources.retire(plan.gone);
    }
    if (json) writeJson(stdout, planJson(plan, { dryRun, prune: values.prune, retired }));
    else printPlan(plan, { dryRun, prune: values.prune, retired }, stdout);
    return 0;
  },
});

type Told = { dryRun: boolean; prune: boolean; retired: Retired | undefined };

function planJson(plan: SyncPlan, { dryRun, prune, retired }: Told) {
  const { create, update, unchanged, kept, gone } = plan;
  return {
    dry_run: dryRun,
    created: create.map(({ key }) => key),
    updated: update.map(({ input, differences }) => ({ key: input.key, differences })),
    unchanged,
    kept,
    removed_before: plan.removed,
    gone,
    ...(prune && { removed: retired?.removed ?? [], deactivated: retired?.deactivated ?? [] }),
  };
}

function printPlan(plan: SyncPlan, { dryRun, prune, retired }: Told, stdout: Sink): void {
  const { create, update, unchanged, kept, gone } = plan;
  const shown = (value: unknown) => (value === null || value === undefined ? "-" : String(value));
  for (const { key, name } of create) stdout.write(`+ ${key}  ${shown(name)}\n`);
  for (const { input, differences } of update) {
    const changes = differences.map(({ field, from, to }) => `${field} ${shown(from)} -> ${shown(to)}`);
    stdout.write(`~ ${input.key}  ${changes.join(", ")}\n`);
  }
  for (const { key, provider } of kept) stdout.write(`= ${key}  kept: its provider is ${provider}\n`);
  for (const key of plan.removed) stdout.write(`= ${key}  stays away: it was removed (--again brings it back)\n`);
  const removed = retired?.removed ?? (prune ? gone : []);
  const deactivated = retired?.deactivated ?? [];
  for (const key of removed) stdout.write(`- ${key}\n`);
  for (const key of deactivated) stdout.write(`- ${key}  inactive, it has articles\n`);
  const would = dryRun ? "would be " : "";
  stdout.write(
    `${create.length} ${would}created, ${update.length} ${would}updated, ${unchanged.length} unchanged, ` +
      `${prune ? `${removed.length + deactivated.length} ${would}pruned` : `${gone.length} without a profile`}\n`,
  );
}
