import { availableParallelism } from "node:os";
import { defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { pageHints } from "../../scraper/crawl/index.ts";
import { ReaderPool } from "../../lib/extraction/reader/mod.ts";
import { articleLine } from "./article-line.ts";
import { extractBatch } from "./extract-batch.ts";
import { profileNamed } from "../profiles/profile-named.ts";
import { IGNORE_ROBOTS, readSource } from "./source.ts";

/** `scraper:extract`: prints the article of a page, or of many pages from a list. */
export const scraperExtract = defineCommand({
  name: "scraper:extract",
  summary: "Extracts the article of a page and prints it as JSON.",
  positionals: { usage: "[FILE|URL]", min: 0, max: 1 },
  options: {
    url: { kind: "text", value: "ADDRESS", help: "the address that a file came from" },
    profile: { kind: "text", value: "NAME", help: "use the selectors and the time zone of this profile" },
    batch: { kind: "text", value: "IN.jsonl", help: "lines {id, url, html_path}, pages plain or .gz" },
    out: { kind: "text", value: "OUT.jsonl", help: "where the lines of --batch go" },
    jobs: { kind: "number", value: "N", help: "pages of --batch at once; 0: one a core", default: 0, min: 0, max: 256 },
    "ignore-robots": IGNORE_ROBOTS,
  },
  async run({ values, positionals }, { env, signal, stdout }) {
    const hints = values.profile === undefined ? {} : pageHints(await profileNamed(values.profile, loadConfig(env)));
    const jobs = values.batch === undefined ? 1 : values.jobs || availableParallelism();
    const pool = new ReaderPool({ workers: jobs });
    try {
      if (values.batch !== undefined) {
        if (values.out === undefined) throw new UsageError("--batch needs --out");
        const unreadable = await extractBatch(pool, { input: values.batch, out: values.out, hints, jobs, signal });
        return unreadable === 0 ? 0 : 1;
      }
      const [from] = positionals;
      if (from === undefined) throw new UsageError("name a file or an address, or use --batch");
      const source = await readSource(from, { env, signal, ignoreRobots: values["ignore-robots"] });
      const line = await articleLine(pool, from, { html: source.text, url: values.url ?? source.url, ...hints });
      writeJson(stdout, line);
      return line.error === undefined ? 0 : 1;
    } finally {
      await pool.close();
    }
  },
});
