import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type CommandContext, CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig, loadTaxonomy } from "@isnad/lib/service/config";
import { createMemoryLeaseStore } from "@isnad/lib/web/egress";
import { writeOpml } from "@isnad/lib/web/feeds";
import { ReaderPool } from "../../lib/extraction/reader/pool.ts";
import { createClients, productOf } from "../../scraper/crawl/create-crawler.ts";
import { InitError, initProfile } from "../../scraper/profiles/init/init-profile.ts";
import type { InitReport } from "../../scraper/profiles/init/try-articles.ts";
import { loadProfiles, SHIPPED_PROFILES, syncSchemaFile } from "../../scraper/profiles/profiles.ts";
import { draftsOf, opmlOf } from "../../scraper/profiles/opml.ts";
import { isWebAddress } from "../scraper/pages.ts";
import { readOpmlFile } from "../sources/list.ts";
import { checkCommand, fixtureCommand, type ProfileValues } from "./check.ts";

/** `scraper:profile export`: writes the feeds of all profiles as OPML. */
async function exportCommand(
  _: string,
  { out }: ProfileValues,
  { env, json, stdout, stderr }: CommandContext,
): Promise<number> {
  const { scraper, taxonomyFile } = loadConfig(env);
  const { profiles, problems } = await loadProfiles(
    scraper.profilesDir ?? SHIPPED_PROFILES,
    loadTaxonomy(taxonomyFile),
  );
  for (const { file, line, reason } of problems) stderr.write(`${file}:${line}: ${reason}\n`);
  const feeds = opmlOf([...profiles.values()]);
  const without = [...profiles.values()].filter((profile) => profile.feeds.length === 0).map(({ name }) => name);
  if (without.length > 0) stderr.write(`left out, as they have no feed: ${without.join(", ")}\n`);
  const opml = writeOpml({ title: "Isnad profiles", createdAt: new Date(), feeds });
  if (out !== undefined) write(out, opml);
  if (json)
    writeJson(stdout, { feeds: feeds.length, left_out: without, ...(out === undefined ? { opml } : { file: out }) });
  else stdout.write(out === undefined ? opml : `${feeds.length} feeds written to ${out}\n`);
  return 0;
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new CommandError(`${path} cannot be written`, { cause });
  }
}

/** Writes a file that is not there yet; false where it is. Throws CommandError for a file that cannot be written. */
function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw new CommandError(`${path} cannot be written`, { cause });
  }
}

/** Returns a profile as the text of its file. */
function profileText(profile: object): string {
  return `${JSON.stringify(profile, null, 2)}\n`;
}

/** `scraper:profile import FILE.opml`: drafts a profile for each site of an OPML file. */
async function importCommand(
  path: string,
  { out }: ProfileValues,
  { env, json, stdout, stderr }: CommandContext,
): Promise<number> {
  if (out === undefined) throw new UsageError("--out names the folder that the drafts go to");
  if (!existsSync(out)) throw new CommandError(`there is no folder ${out}`);
  const { feeds, problems } = readOpmlFile(path);
  const taxonomy = loadTaxonomy(loadConfig(env).taxonomyFile);
  const drafts = draftsOf(feeds, {
    taxonomy,
    isFree: (name) => !existsSync(join(out, `${name}.json`)),
    now: Date.now(),
  });
  const files = drafts.map((draft) => {
    const file = join(out, `${draft.name}.json`);
    if (!writeNew(file, profileText(draft))) throw new CommandError(`${file} is there already`);
    return file;
  });
  for (const { title, reason, address } of problems) stderr.write(`${title || "an outline"}: ${reason} ${address}\n`);
  if (json) writeJson(stdout, { files, feeds: feeds.length, problems });
  else {
    for (const file of files) stdout.write(`+ ${file}\n`);
    stdout.write(`${files.length} drafts of ${feeds.length} feeds, disabled; check each with scraper:profile check\n`);
  }
  return files.length > 0 ? 0 : 1;
}

/** `scraper:profile init URL`: drafts a profile out of what a site shows. */
async function initCommand(url: string, values: ProfileValues, context: CommandContext): Promise<number> {
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
      context.stderr.write(describeProposal(report));
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

function describeProposal(report: InitReport): string {
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

type Action = (
  argument: string,
  values: ProfileValues,
  context: CommandContext,
  rest: readonly string[],
) => Promise<number>;

const ACTIONS: Readonly<
  Record<string, { readonly run: Action; readonly min: number; readonly max: number; readonly usage: string }>
> = {
  init: { run: initCommand, min: 1, max: 1, usage: "init takes the address of a site" },
  check: { run: checkCommand, min: 1, max: 1, usage: "check takes the file or the name of one profile" },
  fixture: { run: fixtureCommand, min: 2, max: 2, usage: "fixture takes a profile, and the file or address of a page" },
  import: { run: importCommand, min: 1, max: 1, usage: "import takes one OPML file" },
  export: { run: exportCommand, min: 0, max: 0, usage: "export takes no arguments" },
};

/** `scraper:profile init|check|fixture|import|export`. */
export const scraperProfile = defineCommand({
  name: "scraper:profile",
  summary: "Drafts a profile from a site, checks one on pages, keeps its fixtures, reads and writes OPML.",
  positionals: {
    usage: "init URL | check FILE | fixture FILE PAGE | import FILE.opml | export",
    min: 1,
    max: 3,
  },
  options: {
    out: { kind: "text", value: "PATH", help: "where init and export write their file, import its files" },
    name: { kind: "text", value: "NAME", help: "init: name of the profile; fixture: name of the fixture" },
    language: { kind: "text", value: "ar|en", help: "init: language of the site, where its texts do not tell" },
    articles: { kind: "number", value: "N", help: "articles that init and check fetch", default: 5, min: 1, max: 50 },
    delay: {
      kind: "number",
      value: "MS",
      help: "init: milliseconds between two requests",
      default: 500,
      min: 0,
      max: 60_000,
    },
    page: { kind: "list", value: "FILE|URL", help: "check: article pages to check on, in place of the live listings" },
    list: { kind: "list", value: "FILE|URL", help: "check: list pages to check link selectors on" },
    url: { kind: "text", value: "ADDRESS", help: "fixture: the address that a saved page came from" },
  },
  details: `init finds feeds, a news sitemap, language, time zone and name of a site, tries some of its articles, and prints a profile to
standard output and what it saw to standard error. check says what each selector matches, on the pages given or on live ones, and
runs the fixtures beside the profile; it exits 1 where a listing fails or a selector for title, content or time matches nowhere. A profile
is named by its file, or by its name in PROFILES_DIR. fixture keeps a page, and what is read from it today, under fixtures/ beside the
profile. import drafts a disabled profile for each site of an OPML file, export writes the feeds of all profiles as OPML. Everything is
fetched as the crawler does it: robots.txt is obeyed, private addresses are refused.`,
  async run({ values, positionals: [action = "", ...rest] }, context) {
    const chosenAction = ACTIONS[action];
    if (chosenAction === undefined) throw new UsageError(`${action}: not one of ${Object.keys(ACTIONS).join(", ")}`);
    if (rest.length < chosenAction.min || rest.length > chosenAction.max) throw new UsageError(chosenAction.usage);
    return chosenAction.run(rest[0] ?? "", values, context, rest.slice(1));
  },
});

/** `scraper:schema`: writes profiles/profile.schema.json, or says whether it is up to date. */
export const scraperSchema = defineCommand({
  name: "scraper:schema",
  summary: "Writes profiles/profile.schema.json from the schema that validates profiles.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    check: { kind: "flag", help: "write nothing; fail when the file is not what the schema says" },
    dir: { kind: "text", value: "FOLDER", help: "the folder of profiles", default: SHIPPED_PROFILES },
  },
  async run({ values }, { stderr }) {
    if (syncSchemaFile(values.dir, { write: !values.check })) return 0;
    stderr.write("scraper:schema: profile.schema.json is not what the schema says; run: bun run scraper:schema\n");
    return 1;
  },
});
