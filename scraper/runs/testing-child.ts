/**
 * A process that tests may kill: takes up runs as the scraper does, until it is ended. Arguments: database, API,
 * profile.
 */
import { createLogger, createRunner } from "@isnad/lib/service/process";
import { openStore } from "@isnad/lib/store";
import { createCrawler } from "../crawl/create-crawler.ts";
import { optionsFor } from "../crawl/testing.ts";
import { testProfile, testProfiles } from "../testing/profiles.ts";
import { runWork } from "../scheduler.ts";

const [databaseUrl = "", apiUrl = "", profileJson = "{}"] = process.argv.slice(2);
const store = openStore(databaseUrl, { max: 4 });
const crawler = createCrawler({ ...optionsFor(apiUrl), store: store.scraper });
const ignore = () => undefined;
const logger = createLogger({ service: "child", stream: { write: ignore } });
const leaseS = 60;
const work = runWork({
  store: store.scraper.runs,
  profiles: testProfiles(testProfile(JSON.parse(profileJson))),
  crawler,
  logger,
  metrics: { runEnded: ignore, progressed: ignore },
  leaseS,
});
const runner = createRunner(work, { logger, instance: `child-${process.pid}`, leaseS, pollMs: 20 });
await runner.run(new AbortController().signal);
