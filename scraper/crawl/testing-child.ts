/**
 * A process that tests may kill: goes through the run of a profile, or takes it up again, and delivers what is left.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "@isnad/lib/store";
import { createCrawler } from "./create-crawler.ts";
import { optionsFor } from "./testing.ts";
import type { CrawlProfile } from "./types.ts";

const [databaseUrl = "", apiUrl = "", profileJson = "{}"] = process.argv.slice(2);
const profile: CrawlProfile = JSON.parse(profileJson);
const { signal } = new AbortController();
const { store, ...rest } = { store: openStore(databaseUrl, { max: 4 }), ...optionsFor(apiUrl) };
const crawler = createCrawler({ ...rest, patienceMs: 60_000, store: store.scraper });

await store.scraper.runs.create({ profileId: profile.name, provider: profile.provider, trigger: "cli" });
const owner = randomUUID();
const run = await store.scraper.runs.claim(owner, { leaseS: 0, profileIds: [profile.name] });
if (run !== undefined) {
  const outcome = await crawler.crawl(profile, { ...run, owner }, { signal });
  await store.scraper.runs.finish(run.runId, owner, outcome);
}
const isPending = async () =>
  (await store.scraper.items.counts()).some(
    ({ profileId, state }) => profileId === profile.name && state === "pending",
  );
while (await isPending()) {
  await crawler.deliverPending(signal);
  await sleep(20);
}
await crawler.close();
await store.close();
process.exit(0);
