import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CommandContext,
  CommandError,
  createProgress,
  defineCommand,
  findApi,
  writeJson,
} from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { createLogger, performLeased } from "@isnad/lib/service/process";
import type { DetailedRun, Store } from "@isnad/lib/store";
import { detailedRunView } from "../../scraper/routes/profiles.ts";
import { RUN_HEARTBEAT_MS, runWork } from "../../scraper/scheduler.ts";
import { profileNamed } from "../profiles/check.ts";
import { openCommandStore, requireOn } from "../open-store.ts";
import type { CrawlProgress } from "../../scraper/crawl/types.ts";
import { createCrawler } from "../../scraper/crawl/create-crawler.ts";

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
    force: { kind: "flag", help: "run it although its source was switched off or removed" },
  },
  details: `Profiles are read from PROFILES_DIR, enabled or not. The run is kept like any other (GET /runs), with the trigger cli; one
that was cut off is taken up where it stopped, by a scraper that is up or when the command is given again. Exit code 1
unless everything came through.`,
  async run({ values, positionals }, context) {
    const config = loadConfig(context.env);
    const profile = await profileNamed(positionals[0] ?? "", config);
    await using opened = new AsyncDisposableStack();
    const { store } = opened.use(await openCommandStore(context.env, { creates: true }));
    const crawler = createCrawler({
      config,
      store: store.scraper,
      async endpoint() {
        const { url, ingestToken } = await findApi(context.env);
        return { url, token: ingestToken };
      },
    });
    opened.defer(() => crawler.close());

    if (!values.force) requireOn(profile.source.id, (await store.sourceStates.off()).get(profile.source.id));
    const made = await store.scraper.runs.create({
      profileId: profile.name,
      provider: profile.provider,
      sourceKey: profile.source.id,
      trigger: "cli",
      limit: values.limit === 0 ? null : values.limit,
    });
    const owner = `${hostname()}:${process.pid}/${randomUUID()}`;
    const progress = createProgress(context.stderr);
    const progressed = (_profile: string, _before: unknown, { counts: { fetched, discovered } }: CrawlProgress) =>
      progress.update(fetched, discovered === 0 ? undefined : discovered, `${fetched} articles fetched`);
    const logger = createLogger({ service: "scraper:run", level: "error", stream: context.stderr });
    const { runLeaseS: leaseS } = config.scraper;
    const { runs } = store.scraper;
    const profileIds = [profile.name];
    const work = runWork({
      store: {
        ...runs,
        claim: (name, options) => runs.claim(name, { ...options, profileIds }),
        giveUp: () => runs.giveUp({ profileIds }),
      },
      profiles: { get: () => profile },
      crawler,
      logger,
      metrics: { progressed, runEnded: () => undefined },
      leaseS,
    });
    const taken = await work.claim(owner);
    if (taken === undefined && "running" in made) {
      throw new CommandError(`a run of ${profile.name} is under way: ${made.running.runId}`);
    }
    if (taken !== undefined) {
      const options = { logger, leaseS, heartbeatMs: RUN_HEARTBEAT_MS };
      await performLeased(work, { taken, owner }, options, context.signal);
    }
    progress.clear();
    const runId = taken?.run.runId ?? ("run" in made ? made.run.runId : made.running.runId);
    return report(await ended(store, runId, context), context);
  },
});

/** Waits for a run that another process works on. */
async function ended(store: Store, runId: string, { signal }: CommandContext): Promise<DetailedRun> {
  for (;;) {
    const run = await store.scraper.runs.get(runId);
    if (run === undefined) throw new CommandError(`the run ${runId} is gone`);
    if (run.finishedAt !== null) return run;
    if (signal.aborted)
      throw new CommandError("interrupted; a scraper that is up goes on with the run, else give the command again");
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

function report(run: DetailedRun, { json, stdout }: CommandContext): number {
  const { profileId, status, counts, error } = run;
  if (json) {
    const { run_id, profile_id, feeds, errors, selectors, too_old } = detailedRunView(run);
    writeJson(stdout, { run_id, profile_id, status, counts, error, feeds, errors, selectors, too_old });
  } else {
    const said = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    stdout.write(`${profileId}: ${status}; ${said.join(", ")}\n`);
    if (error !== null) stdout.write(`${error}\n`);
    stdout.write(reasonLines(run));
  }
  return status === "succeeded" ? 0 : 1;
}

/** Returns what each feed answered, and why articles did not come, one line each. */
function reasonLines({ feeds, errors, tooOld }: DetailedRun): string {
  const lines = [
    ...feeds.map(({ url, kind, status, entries, tooOld, error }) => {
      const old = tooOld === 0 ? "" : `, ${tooOld} too old`;
      const read = entries === null ? "unchanged" : `${entries} entries${old}`;
      return `${kind} ${url}: ${status ?? "no answer"}, ${error ?? read}`;
    }),
    ...Object.entries(tooOld).map(([origin, count]) => `${count} too old by the date of: ${origin}`),
    ...errors.map(({ url, reason, retried }) => `article ${url}: ${reason}${retried ? ", tried again later" : ""}`),
  ];
  return lines.map((line) => `  ${line}\n`).join("");
}
