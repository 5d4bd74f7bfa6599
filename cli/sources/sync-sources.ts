import { CommandError, defineCommand, findScraper, type Sink, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { openScraper } from "../../workers/pull/open.ts";
import { openCommandStore } from "./open-store.ts";
import { planSync, type SyncPlan } from "./sync-plan.ts";

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
    await using opened = await openCommandStore(env);
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
