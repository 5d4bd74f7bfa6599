import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type CommandContext, CommandError, createProgress, defineCommand, findApi, writeJson } from "@isnad/lib/cli";
import { loadConfig } from "@isnad/lib/config";
import { createLogger } from "@isnad/lib/process";
import { ensurePostgres, migrate, openStore, type Run, type Store } from "@isnad/lib/store";
import { createCrawler } from "../../scraper/crawl/index.ts";
import { executeRun } from "../../scraper/runs/execute.ts";
import { profileNamed } from "../profiles/profile-named.ts";

const POLL_MS = 500;

/** `scraper:run`: goes through one run of a profile, here or in the scraper that runs on the same database. */
export const scraperRun = defineCommand({
  name: "scraper:run",
  summary: "Runs a profile once and prints what it came to.",
  positionals: { usage: "PROFILE", min: 1, max: 1 },
  options: {
    limit: {
      kind: "number",
      value: "N",
      help: "articles at most; 0: as the profile says",
      default: 0,
      min: 0,
      max: 1e6,
    },
  },
  details: `Profiles are read from PROFILES_DIR, enabled or not. The run is kept like any other (GET /runs), with the trigger cli; one
that was cut off is taken up where it stopped when the command is given again. Exit code 1 unless everything came through.`,
  async run({ values, positionals }, context) {
    const config = loadConfig(context.env);
    const profile = await profileNamed(positionals[0] ?? "", config);
    await using opened = new AsyncDisposableStack();
    const postgres = await ensurePostgres({ dataDir: config.dataDir, databaseUrl: config.databaseUrl });
    opened.defer(() => postgres.release());
    await migrate(postgres.url);
    const store = openStore(postgres.url, { max: 4, name: "isnad-scraper-run" });
    opened.defer(() => store.close());
    const crawler = createCrawler({
      config,
      store: store.scraper,
      async endpoint() {
        const { url, ingestToken } = await findApi(context.env);
        return { url, token: ingestToken };
      },
    });
    opened.defer(() => crawler.close());

    const made = await store.scraper.runs.create({
      profileId: profile.name,
      provider: profile.provider,
      trigger: "cli",
      limit: values.limit === 0 ? null : values.limit,
    });
    const owner = `${hostname()}:${process.pid}/${randomUUID()}`;
    const { runLeaseS } = config.scraper;
    await store.scraper.runs.giveUp({ profileIds: [profile.name] });
    const claimed = await store.scraper.runs.claim(owner, { leaseS: runLeaseS, profileIds: [profile.name] });
    if (claimed === undefined && "running" in made) {
      throw new CommandError(`a run of ${profile.name} is under way: ${made.running.runId}`);
    }
    const progress = createProgress(context.stderr);
    const itemsMoved = (_before: unknown, { fetched, discovered }: Run["counts"]) =>
      progress.update(fetched, discovered === 0 ? undefined : discovered, `${fetched} articles fetched`);
    if (claimed !== undefined) {
      const logger = createLogger({ service: "scraper:run", stream: context.stderr });
      const deps = { store: store.scraper.runs, crawler, logger, metrics: { itemsMoved }, leaseS: runLeaseS };
      await executeRun(deps, { run: claimed, owner, profile }, context.signal);
    }
    progress.clear();
    const runId = claimed?.runId ?? ("run" in made ? made.run.runId : made.running.runId);
    return report(await ended(store, runId, context), context);
  },
});

/** Waits for a run that another process works on. */
async function ended(store: Store, runId: string, { signal }: CommandContext): Promise<Run> {
  for (;;) {
    const run = await store.scraper.runs.get(runId);
    if (run === undefined) throw new CommandError(`the run ${runId} is gone`);
    if (run.finishedAt !== null) return run;
    if (signal.aborted) throw new CommandError("interrupted; give the command again to go on where it stopped");
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

function report(run: Run, { json, stdout }: CommandContext): number {
  const { runId, profileId, status, counts, error } = run;
  if (json) writeJson(stdout, { run_id: runId, profile_id: profileId, status, counts, error });
  else {
    const said = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    stdout.write(`${profileId}: ${status}; ${said.join(", ")}\n`);
    if (error !== null) stdout.write(`${error}\n`);
  }
  return status === "succeeded" ? 0 : 1;
}
