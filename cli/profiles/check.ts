import { type CommandContext, CommandError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { createMemoryLeaseStore, EgressError } from "@isnad/lib/web/egress";
import { type CrawlParts, createClients } from "../../scraper/crawl/index.ts";
import {
  type CheckedPage,
  checkProfile,
  fetchPage,
  PageError,
  type ProfileCheck,
} from "../../scraper/profiles/check-profile.ts";
import {
  checkFixture,
  type FixtureDifference,
  fixtureDir,
  FixtureError,
  readFixtures,
} from "../../scraper/profiles/fixtures.ts";
import type { Profile } from "../../scraper/profiles/schema.ts";
import { ReaderPool } from "../../lib/extraction/reader/mod.ts";
import { readDocument } from "../scraper/pages.ts";
import { isWebAddress } from "../scraper/source.ts";
import type { ProfileValues } from "./profile-values.ts";
import { profileFile } from "./profile-file.ts";

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
    else stdout.write(describe(profile, check, fixtures));
    return check.problems.length + fixtures.differences.length === 0 ? 0 : 1;
  } finally {
    await reader.close();
  }
}

/** A page out of a file, or fetched as a run of the profile does. Throws CommandError. */
export async function pageFrom(
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

function describe(
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
