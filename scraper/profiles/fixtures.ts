import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "@isnad/lib/service/http";
import { decodeText } from "@isnad/lib/web/egress";
import type { ReaderPool } from "../../lib/extraction/reader/pool.ts";
import type { Profile } from "./schema.ts";
import { pageHints } from "../crawl/visit.ts";

const Expected = z.strictObject({
  title: z.string(),
  published_at: z.string().nullable(),
  authors: z.array(z.string()),
  content: z.string(),
});

const Case = z.strictObject({
  /** The address that the page came from. */
  url: z.string(),
  /** Says when its feed says that it was published; picks the design whose selectors come first. */
  listed_at: z.string().optional(),
  expected: Expected,
});

/** Holds what has to come out of a saved page. */
type ExpectedArticle = z.output<typeof Expected>;

/** A saved page of a source and what has to come out of it, so that a change of its profile cannot break it unseen. */
interface Fixture extends z.output<typeof Case> {
  readonly name: string;
  readonly html: string;
}

/** A field of a fixture that came out otherwise. */
export interface FixtureDifference {
  readonly fixture: string;
  readonly field: keyof ExpectedArticle;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** A fixture's files cannot be read; the message names the file. */
export class FixtureError extends Error {
  override name = "FixtureError";
}

const MAX_PAGE_BYTES = 20_000_000;

/** Returns the folder of a profile's fixtures, beside the folder of profiles. */
export function fixtureDir(profilesDir: string, profile: string): string {
  return join(profilesDir, "fixtures", profile);
}

/**
 * Reads the fixtures of a folder, `NAME.html.gz` and `NAME.json` each, in the order of their names. Throws {@link
 * FixtureError}.
 */
export function readFixtures(dir: string): Fixture[] {
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.replace(/\.json$/, ""));
  return names.toSorted().map((name) => {
    try {
      const parsed = Case.parse(JSON.parse(readFileSync(join(dir, `${name}.json`), "utf8")));
      const bytes = gunzipSync(readFileSync(join(dir, `${name}.html.gz`)), { maxOutputLength: MAX_PAGE_BYTES });
      return { ...parsed, name, html: decodeText(bytes).text };
    } catch (cause) {
      throw new FixtureError(`${join(dir, name)} cannot be read as a fixture`, { cause });
    }
  });
}

/** Extracts a fixture's page with a profile, and says what came out otherwise. Throws ReaderError. */
export async function checkFixture(
  reader: Pick<ReaderPool, "extract">,
  profile: Profile,
  { name, html, url, listed_at, expected }: Fixture,
): Promise<FixtureDifference[]> {
  const actual = await extractExpected(reader, profile, { html, url, listed_at });
  const fields = ["title", "published_at", "authors", "content"] as const;
  return fields
    .filter((field) => JSON.stringify(actual[field]) !== JSON.stringify(expected[field]))
    .map((field) => ({ fixture: name, field, expected: expected[field], actual: actual[field] }));
}

/** Keeps a page, and what comes out of it today, as a fixture: to be read over before it counts. Throws ReaderError. */
export async function writeFixture(
  reader: Pick<ReaderPool, "extract">,
  profile: Profile,
  { dir, name, ...page }: { dir: string; name: string; html: string; url: string; listed_at?: string | undefined },
): Promise<ExpectedArticle> {
  const expected = await extractExpected(reader, profile, page);
  const { html, url, listed_at } = page;
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `${name}.html.gz`), gzipSync(html, { level: 9 }));
  const file = { url, ...(listed_at !== undefined && { listed_at }), expected };
  writeFileSync(join(dir, `${name}.json`), `${JSON.stringify(file, null, 2)}\n`);
  return expected;
}

async function extractExpected(
  reader: Pick<ReaderPool, "extract">,
  profile: Profile,
  { html, url, listed_at = null }: { html: string; url: string; listed_at?: string | null | undefined },
): Promise<ExpectedArticle> {
  const { title, publishedAt, authors, content } = await reader.extract({
    html,
    url,
    ...pageHints(profile, listed_at),
  });
  return { title, published_at: publishedAt, authors: [...authors], content };
}
