import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type CommandContext, CommandError, UsageError, writeJson } from "@isnad/lib/service/cli";
import { type Config, loadConfig, loadTaxonomy } from "@isnad/lib/service/config";
import { trimEnd } from "@isnad/lib/std";
import { createMemoryLeaseStore, EgressError } from "@isnad/lib/web/egress";
import { ReaderError, ReaderPool } from "../../lib/extraction/reader/pool.ts";
import {
  type CheckedPage,
  checkFixture,
  checkProfile,
  fetchPage,
  type FixtureDifference,
  fixtureDir,
  FixtureError,
  PageError,
  type ProfileCheck,
  readFixtures,
  writeFixture,
} from "../../scraper/profiles/check-profile.ts";
import { loadProfiles, readProfile, SHIPPED_PROFILES } from "../../scraper/profiles/profiles.ts";
import { createProfileSchema, type Profile } from "../../scraper/profiles/schema.ts";
import { isWebAddress, readDocument } from "../scraper/pages.ts";
import { createClients } from "../../scraper/crawl/create-crawler.ts";
import type { CrawlParts } from "../../scraper/crawl/types.ts";

/**
 * Returns the profile of that name, out of PROFILES_DIR. Throws CommandError, which says what is wrong with its file
 * where it has one.
 */
export async function profileNamed(
  name: string,
  { scraper, taxonomyFile }: Pick<Config, "scraper" | "taxonomyFile">,
): Promise<Profile> {
  const { profiles, problems } = await loadProfiles(
    scraper.profilesDir ?? SHIPPED_PROFILES,
    loadTaxonomy(taxonomyFile),
  );
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  const problem = problems.find(({ file }) => file === `${name}.json`);
  if (problem === undefined)
    throw new CommandError(`there is no profile ${name}; there are ${[...profiles.keys()].join(", ")}`);
  const { file, line, field, reason } = problem;
  throw new CommandError(`${file}:${line}: ${field === "" ? "" : `${field} `}${reason}`);
}

/** A profile and the folder that it lies in. */
interface ProfileFile {
  readonly profile: Profile;
  readonly dir: string;
}

/**
 * Reads a profile by its file, or by its name in PROFILES_DIR. Throws CommandError, a line for each thing that is wrong
 * with it.
 */
async function profileFile(from: string, config: Pick<Config, "scraper" | "taxonomyFile">): Promise<ProfileFile> {
  if (!from.endsWith(".json")) {
    return { profile: await profileNamed(from, config), dir: resolve(config.scraper.profilesDir ?? SHIPPED_PROFILES) };
  }
  if (!existsSync(from)) throw new CommandError(`there is no ${from}`);
  const schema = createProfileSchema(loadTaxonomy(config.taxonomyFile).categories);
  const read = readProfile(readFileSync(from, "utf8"), basename(from), schema);
  if ("profile" in read) return { profile: read.profile, dir: resolve(dirname(from)) };
  const lines = read.problems.map(
    ({ line, field, reason }) => `${from}:${line}: ${field === "" ? "" : `${field} `}${reason}`,
  );
  throw new CommandError(lines.join("; "));
}

/** `scraper:profile check FILE`: what a profile's selectors match, and whether its fixtures are read as they were. */
export async function checkCommand(from: string, values: ProfileValues, context: CommandContext): Promise<number> {
  const { env, signal, json, stdout } = context;
  const config = loadConfig(env);
  const { profile, dir } = await profileFile(from, config);
  const clientFor = createClients({ config, leases: createMemoryLeaseStore() });
  const { credentials } = config.scraper;
  const reader = new ReaderPool();
  try {
    const parts = { clientFor, credentials, reader };
    const load = (sources: readonly string[]) =>
      Promise.all(sources.map((source) => pageFrom(parts, profile, source, signal)));
    const check = await checkProfile(parts, profile, {
      articles: await load(values.page),
      lists: await load(values.list),
      liveArticles: values.articles,
      signal,
    });
    const fixtures = await checkFixtures(reader, profile, fixtureDir(dir, profile.name));
    if (json) writeJson(stdout, { profile: profile.name, ...check, fixtures });
    else stdout.write(describeCheck(profile, check, fixtures));
    return check.problems.length + fixtures.differences.length === 0 ? 0 : 1;
  } finally {
    await reader.close();
  }
}

/** Returns a page out of a file, or fetched as a run of the profile does. Throws CommandError. */
async function pageFrom(
  parts: Pick<CrawlParts, "clientFor" | "credentials">,
  profile: Profile,
  source: string,
  signal: AbortSignal,
): Promise<CheckedPage> {
  if (!isWebAddress(source)) return { from: source, html: readDocument(source).text, url: "" };
  try {
    return await fetchPage(parts, profile, source, signal);
  } catch (error) {
    if (error instanceof PageError) throw new CommandError(`${source} ${error.message}`, { cause: error });
    if (error instanceof EgressError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

interface Fixtures {
  readonly count: number;
  readonly differences: readonly FixtureDifference[];
}

async function checkFixtures(reader: ReaderPool, profile: Profile, dir: string): Promise<Fixtures> {
  try {
    const fixtures = readFixtures(dir);
    const differences = await Promise.all(fixtures.map((fixture) => checkFixture(reader, profile, fixture)));
    return { count: fixtures.length, differences: differences.flat() };
  } catch (error) {
    if (error instanceof FixtureError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

const MAX_SHOWN = 60;

function describeCheck(
  { name }: Profile,
  { listings, pages, selectors, problems }: ProfileCheck,
  fixtures: Fixtures,
): string {
  const shown = (value: unknown) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  };
  const width = Math.max(0, ...selectors.map(({ field }) => field.length));
  return [
    ...listings.map(({ kind, url, entries, kept, latest }) => {
      const passed = kept === entries ? "" : `, ${kept} let through`;
      return `${kind.padEnd(8)}${url}: ${entries} articles${passed}, latest ${latest ?? "undated"}`;
    }),
    ...pages.map(({ from, kind, title, words, quality, publishedAt, authors }) => {
      const by = authors.length === 0 ? "no author" : `by ${authors.join(", ")}`;
      return `${kind.padEnd(8)}${from}: "${shown(title)}", ${words} words, quality ${quality.toFixed(2)}, ${publishedAt ?? "no date"}, ${by}`;
    }),
    ...selectors.map(({ field, selector, counts, first, required }) => {
      const matched =
        counts.length === 0 ? "no page to try it on" : `${counts.join(" ")} ${first === "" ? "" : `"${shown(first)}"`}`;
      const nothing = counts.length > 0 && counts.every((count) => count === 0);
      const verdict = nothing ? (required ? "MATCHES NOTHING" : "matches nothing") : matched.trimEnd();
      return `${field.padEnd(width)}  ${selector}  ${verdict}`;
    }),
    ...fixtures.differences.map(
      ({ fixture, field, expected, actual }) =>
        `fixture ${fixture}: ${field} was ${shown(expected)} and is ${shown(actual)}`,
    ),
    ...problems.map((problem) => `problem ${problem}`),
    `${name}: ${problems.length} problems, ${fixtures.count} fixtures, ${new Set(fixtures.differences.map(({ fixture }) => fixture)).size} of them read otherwise`,
    "",
  ].join("\n");
}

/** `scraper:profile fixture FILE PAGE`: keeps a page and what is read from it today. */
export async function fixtureCommand(
  from: string,
  values: ProfileValues,
  { env, signal, json, stdout }: CommandContext,
  [source = ""]: readonly string[],
): Promise<number> {
  const config = loadConfig(env);
  const { profile, dir } = await profileFile(from, config);
  const clientFor = createClients({ config, leases: createMemoryLeaseStore() });
  const page = await pageFrom({ clientFor, credentials: config.scraper.credentials }, profile, source, signal);
  const url = values.url ?? page.url;
  if (url === "") throw new UsageError("--url says where a saved page came from");
  const name = values.name ?? nameOf(url);
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) throw new UsageError("--name takes a-z, 0-9, _ and -, 64 at most");
  const folder = fixtureDir(dir, profile.name);
  const reader = new ReaderPool();
  try {
    const expected = await writeFixture(reader, profile, { dir: folder, name, html: page.html, url });
    if (json) writeJson(stdout, { folder, name, expected });
    else {
      const { title, published_at, authors, content } = expected;
      stdout.write(`${folder}/${name}.html.gz and .json written; read over what must come out of it:\n`);
      stdout.write(`${title}\n${published_at ?? "no date"} ${authors.join(", ") || "no author"}\n\n${content}\n`);
    }
    return 0;
  } catch (error) {
    if (error instanceof ReaderError) throw new CommandError(error.message, { cause: error });
    throw error;
  } finally {
    await reader.close();
  }
}

/** Returns the last part of an address, as far as a file may be called so. */
function nameOf(url: string): string {
  const last =
    trimEnd(URL.parse(url)?.pathname ?? "", /\//)
      .split("/")
      .at(-1) ?? "";
  return (
    last
      .toLowerCase()
      .replace(/\.html?$/, "")
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 64) || "page"
  );
}

/** Holds what `scraper:profile` was given; each action takes what it needs. */
export interface ProfileValues {
  readonly out: string | undefined;
  readonly name: string | undefined;
  readonly language: string | undefined;
  readonly articles: number;
  readonly delay: number;
  readonly page: readonly string[];
  readonly list: readonly string[];
  readonly url: string | undefined;
}
