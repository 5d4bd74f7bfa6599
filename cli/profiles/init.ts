import { basename } from "node:path";
import { type CommandContext, CommandError, UsageError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig, loadTaxonomy } from "@isnad/lib/service/config";
import { createMemoryLeaseStore } from "@isnad/lib/web/egress";
import { createClients, productOf } from "../../scraper/crawl/index.ts";
import { InitError, initProfile } from "../../scraper/profiles/init/init-profile.ts";
import type { InitReport } from "../../scraper/profiles/init/init-report.ts";
import { ReaderPool } from "../../lib/extraction/reader/mod.ts";
import { isWebAddress } from "../scraper/source.ts";
import type { ProfileValues } from "./profile-values.ts";
import { profileText, writeNew } from "./write-new.ts";

/** `scraper:profile init URL`: drafts a profile out of what a site shows. */
export async function initCommand(url: string, values: ProfileValues, context: CommandContext): Promise<number> {
  const { out, language, articles, delay } = values;
  if (!isWebAddress(url)) throw new UsageError("init takes an http or https address");
  if (language !== undefined && language !== "ar" && language !== "en")
    throw new UsageError("--language takes ar or en");
  const name = values.name ?? (out === undefined ? undefined : basename(out, ".json"));
  if (name !== undefined && !/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) {
    throw new UsageError("a profile's name consists of a-z, 0-9, _ and -, 64 at most");
  }
  if (out !== undefined && basename(out) !== `${name}.json`) throw new UsageError(`--out must end in ${name}.json`);
  const config = loadConfig(context.env);
  const client = createClients({ config, leases: createMemoryLeaseStore() })();
  const reader = new ReaderPool();
  try {
    const { profile, report } = await initProfile(
      { client, product: productOf(config.scraper.userAgent), reader },
      {
        url,
        name,
        language,
        articles,
        minDelayMs: delay,
        taxonomy: loadTaxonomy(config.taxonomyFile),
        now: Date.now(),
        signal: context.signal,
      },
    );
    if (out !== undefined && !writeNew(out, profileText(profile))) throw new CommandError(`${out} is there already`);
    if (context.json) writeJson(context.stdout, { profile, report, ...(out !== undefined && { file: out }) });
    else {
      context.stderr.write(describe(report));
      context.stdout.write(out === undefined ? profileText(profile) : `${out} written\n`);
    }
    return 0;
  } catch (error) {
    if (error instanceof InitError) throw new CommandError(error.message, { cause: error });
    throw error;
  } finally {
    await reader.close();
  }
}

function describe(report: InitReport): string {
  const { url, name, language, zone, feeds, sitemap, list, articles, proposals, labels, notes, requests } = report;
  const row = (label: string, text: string) => `${label.padEnd(10)}${text}\n`;
  return [
    row("site", `${url} (${requests} addresses asked)`),
    row("name", name),
    row("language", `${language.language}: ${language.why}`),
    row("zone", `${zone.zone}${zone.isSure ? "" : "?"}: ${zone.why}`),
    ...feeds.map((feed) => row("feed", `${feed.url} ${feed.entries} entries`)),
    ...(sitemap === null
      ? []
      : [row("sitemap", `${sitemap.url} ${sitemap.pages} ${sitemap.isNews ? "news" : "pages"}`)]),
    ...(list === null ? [] : [row("list", `${list.url} ${list.links} links of ${JSON.stringify(list.selector)}`)]),
    ...articles.map(({ url, isReadWell, words, quality, publishedAt, why }) => {
      const read = `${words} words, quality ${quality.toFixed(2)}, ${publishedAt ?? "no date"}`;
      return row(isReadWell ? "article" : "unsure", `${url} ${why ?? read}`);
    }),
    ...proposals.map(({ field, selector, pages }) =>
      row("selector", `article.${field} ${JSON.stringify(selector)} helps on ${pages} of ${articles.length} pages`),
    ),
    ...labels.map(({ label, count, category }) =>
      row("label", `${JSON.stringify(label)} ${count} times: ${category ?? "in no map, a line for category_map"}`),
    ),
    ...notes.map((note) => row("note", note)),
  ].join("");
}
