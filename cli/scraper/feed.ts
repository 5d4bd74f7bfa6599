import { CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import type { Feed } from "@isnad/lib/web/feeds";
import { TimeZone } from "../../scraper/profiles/fields.ts";
import { ReaderError, ReaderPool } from "../../lib/extraction/reader/pool.ts";
import { IGNORE_ROBOTS, readSource } from "./pages.ts";

/** `scraper:feed`: prints a feed as JSON. */
export const scraperFeed = defineCommand({
  name: "scraper:feed",
  summary: "Reads a feed and prints it as JSON.",
  positionals: { usage: "FILE|URL", min: 1, max: 1 },
  options: {
    url: { kind: "text", value: "ADDRESS", help: "the address that a file came from" },
    zone: { kind: "text", value: "ZONE", help: "the time zone of times that name none", default: "UTC" },
    "ignore-robots": IGNORE_ROBOTS,
  },
  async run({ values, positionals }, { env, signal, stdout }) {
    const { zone } = values;
    if (!TimeZone.safeParse(zone).success) throw new UsageError(`${zone} is no IANA time zone such as Asia/Amman`);
    const source = await readSource(positionals[0] ?? "", { env, signal, ignoreRobots: values["ignore-robots"] });
    const pool = new ReaderPool();
    try {
      writeJson(stdout, printed(await pool.feed({ text: source.text, url: values.url ?? source.url, zone })));
      return 0;
    } catch (error) {
      if (error instanceof ReaderError) throw new CommandError(error.message, { cause: error });
      throw error;
    } finally {
      await pool.close();
    }
  },
});

function printed(feed: Feed) {
  return {
    feed: { title: feed.title, link: feed.link, language: feed.language },
    entries: feed.entries.map((entry) => ({
      id: entry.id,
      title: entry.title,
      link: entry.link,
      published_at: entry.publishedAt,
      updated_at: entry.updatedAt,
      author: entry.author,
      content_text: entry.contentText,
      summary_text: entry.summaryText,
      categories: entry.categories,
      enclosures: entry.enclosures,
    })),
  };
}
