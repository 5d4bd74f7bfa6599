import { type CommandContext, defineCommand, UsageError } from "@isnad/lib/service/cli";
import { checkCommand } from "./check.ts";
import { exportCommand } from "./export.ts";
import { fixtureCommand } from "./fixture.ts";
import { importCommand } from "./import.ts";
import { initCommand } from "./init.ts";
import type { ProfileValues } from "./profile-values.ts";

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
