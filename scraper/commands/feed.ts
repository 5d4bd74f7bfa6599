import { CommandError, defineCommand, writeJson } from "@isnad/lib/cli";
import { FeedError, readFeed } from "@isnad/lib/feeds";
import { IGNORE_ROBOTS, readSource } from "./source.ts";

/** `scraper:feed`: prints a feed as JSON. */
export const scraperFeed = defineCommand({
  name: "scraper:feed",
  summary: "Reads a feed and prints it as JSON.",
  positionals: { usage: "FILE|URL", min: 1, max: 1 },
  options: {
    url: { kind: "text", value: "ADDRESS", help: "the address that a file came from" },
    "ignore-robots": IGNORE_ROBOTS,
  },
  async run({ values, positionals }, { env, signal, stdout }) {
    const source = await readSource(positionals[0] ?? "", { env, signal, ignoreRobots: values["ignore-robots"] });
    const url = values.url ?? source.url;
    try {
      const feed = readFeed(source.text, url === "" ? {} : { url });
      writeJson(stdout, {
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
      });
      return 0;
    } catch (error) {
      if (error instanceof FeedError) throw new CommandError(error.message, { cause: error });
      throw error;
    }
  },
});
