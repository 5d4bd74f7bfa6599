import { addressField, type DetailedRunView, type ListedProfile, ProfileDraft, RunView } from "@isnad/lib/contract";
import {
  answer,
  AppError,
  BODY_PROBLEMS,
  bodyOf,
  createRoute,
  type HttpEnv,
  invalidFields,
  jsonBody,
  keepOpen,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import type { DetailedRun, OffState, Run } from "@isnad/lib/store";
import { type Guard, GUARDED, type ScraperDeps } from "../deps.ts";
import { selectorWarnings } from "../crawl/run-report.ts";
import { InitError } from "../profiles/init/init-profile.ts";
import { categoriesOf, type ProfileProblem } from "../profiles/profiles.ts";
import { createProfileFields, type Profile } from "../profiles/schema.ts";
import { nextSlot } from "../scheduler.ts";

/** GET /profiles, POST /profiles/reload and GET /profiles/{name}/categories. */
export function addProfiles(app: OpenAPIHono<HttpEnv>, deps: ScraperDeps, guard: Guard): void {
  const { profiles, store, taxonomy, config, now = Date.now } = deps;

  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("Run", RunView);
  app.openapi(list(taxonomy.categories), async (c) => {
    const all = profiles.all();
    const names = all.map(({ name }) => name);
    const [latest, errors, selectors, off] = await Promise.all([
      store.scraper.runs.latest(names),
      store.scraper.runs.lastErrors(names),
      store.scraper.runs.recentSelectors(names),
      store.sourceStates.off(),
    ]);
    const shown = all.map((profile) => {
      const last = latest.get(profile.name);
      const failed = errors.get(profile.name);
      return {
        ...profile,
        status: {
          last_run: last === undefined ? null : runView(last),
          next_run: config.scraper.schedule && !off.has(profile.source.id) ? nextRun(profile, now()) : null,
          last_error:
            failed?.error == null
              ? null
              : { run_id: failed.runId, at: failed.finishedAt ?? failed.createdAt, message: failed.error },
          warnings: [...selectorWarnings(selectors.get(profile.name) ?? []), ...rivalsOf(profile, profiles.problems())],
        },
      };
    });
    return c.json(shown satisfies ListedProfile[], 200);
  });

  app.openapi({ ...reload, middleware: [guard] }, async (c) => {
    await profiles.reload();
    note(c, { profiles: profiles.all().length, problems: profiles.problems().length });
    return c.body(null, 204);
  });

  app.openapi(categories, (c) => {
    const { name } = c.req.valid("param");
    const profile = profiles.get(name);
    if (profile === undefined) throw unknownProfile(name);
    return c.json(categoriesOf(profile, taxonomy), 200);
  });
}

/** Returns the 409 problem of a run by hand of a profile whose source somebody switched off or removed. */
export function sourceOff(key: string, state: OffState): AppError {
  return new AppError("conflict", `The source ${key.slice(0, 64)} is ${state}; \`force\` runs it all the same.`);
}

/** There is no profile of this name in force. */
export function unknownProfile(name: string): AppError {
  return new AppError("not-found", `There is no profile ${JSON.stringify(name.slice(0, 64))}.`);
}

function nextRun(profile: Profile, now: number): string | null {
  const slot = profile.enabled ? nextSlot(profile, now) : undefined;
  return slot === undefined ? null : new Date(slot).toISOString();
}

/** Files that were passed over because they name the source of this profile. */
function rivalsOf({ name, source }: Profile, problems: readonly ProfileProblem[]): string[] {
  return problems.flatMap(({ file, sourceOf }) =>
    sourceOf === name ? [`${file} is passed over: it names the same source.id, ${JSON.stringify(source.id)}`] : [],
  );
}

const Status = z
  .object({
    last_run: RunView.nullable(),
    next_run: z.string().nullable().openapi({
      format: "date-time",
      description:
        "The next slot of its schedule; null when it has none: it is not enabled, its source is off, or this scraper follows no schedules.",
    }),
    last_error: z
      .object({ run_id: z.string(), at: z.string().openapi({ format: "date-time" }), message: z.string() })
      .nullable()
      .openapi({ description: "Of the newest run that ended with one, even if later ones did not." }),
    warnings: z.array(z.string()).openapi({
      description:
        "What somebody should see to: selectors that matched nothing on the last five pages or more (the source has probably been redesigned), files that claim the same source.",
    }),
  })
  .openapi("ProfileStatus");

const list = (known: readonly string[]) => {
  const Shown = createProfileFields(known).omit({ $schema: true }).extend({ status: Status }).openapi("Profile");
  return createRoute({
    method: "get",
    path: "/profiles",
    operationId: "listProfiles",
    tags: ["profiles"],
    summary: "The profiles in force, with configuration and status",
    responses: {
      200: answer(
        "In the order of their names; files that are not valid are missing, and named in the log.",
        z.array(Shown),
      ),
      ...problems("service-unavailable"),
    },
  });
};

const reload = createRoute({
  method: "post",
  path: "/profiles/reload",
  operationId: "reloadProfiles",
  tags: ["profiles"],
  summary: "Read the profile files again",
  description:
    "A file that is not valid is logged, with line and reason, and skipped. The folder is watched as well: a change is usually in force before this is called.",
  security: GUARDED,
  responses: { 204: { description: "The files were read." }, ...problems("unauthorized") },
});

const categories = createRoute({
  method: "get",
  path: "/profiles/{name}/categories",
  operationId: "listProfileCategories",
  tags: ["profiles"],
  summary: "The canonical categories that a profile can yield",
  request: { params: z.object({ name: z.string().openapi({ example: "demo" }) }) },
  responses: {
    200: answer(
      "Those of its category_map and of its feeds and pages, in the order of the taxonomy.",
      z.array(z.string()),
    ),
    ...problems("not-found"),
  },
});

/** Time that a site has to show what it has, in milliseconds. */
const DRAFT_MS = 60_000;

/** Sites that are looked at at a time. */
const AT_ONCE = 2;

/** POST /profiles/draft: looks at a site, and says what a profile of it would be. Nothing is kept. */
export function addDraft(app: OpenAPIHono<HttpEnv>, { crawler }: Pick<ScraperDeps, "crawler">, guard: Guard): void {
  let running = 0;
  app.openapi({ ...definition, middleware: [guard, jsonBody()] }, async (c) => {
    const { url, language, articles } = c.req.valid("json");
    if (running >= AT_ONCE) throw new AppError("overloaded", "Other sites are being looked at; try again in a minute.");
    running++;
    keepOpen(c);
    const limit = AbortSignal.timeout(DRAFT_MS);
    try {
      const signal = AbortSignal.any([c.req.raw.signal, limit]);
      const { profile, report } = await crawler.draft({ url, language, articles }, signal);
      note(c, { site: report.url, feeds: report.feeds.length });
      const tried = report.articles.map(({ url, title, words, publishedAt, isReadWell, why }) => {
        return { url, title, words, published_at: publishedAt, read_well: isReadWell, why };
      });
      const { name, feeds, notes, requests } = report;
      return c.json(
        {
          ...{ profile: { ...profile }, url: report.url, name, language: report.language.language },
          ...{ timezone: report.zone.zone, feeds: [...feeds], articles: tried, notes: [...notes], requests },
        },
        200,
      );
    } catch (error) {
      if (limit.aborted) throw invalidFields({ url: [`did not show its articles within ${DRAFT_MS / 1000} s`] });
      if (error instanceof InitError) throw invalidFields({ url: [error.message] });
      throw error;
    } finally {
      running--;
    }
  });
}

const definition = createRoute({
  method: "post",
  path: "/profiles/draft",
  operationId: "draftProfile",
  tags: ["profiles"],
  summary: "Look at a site, and draft its profile",
  description:
    "Finds feeds, news sitemap, language and time zone, and tries some articles, as `scraper:profile init` does; robots.txt is obeyed, private addresses are refused. Nothing is kept.",
  security: GUARDED,
  request: {
    body: bodyOf(
      z
        .object({
          url: addressField().openapi({ description: "The front page of the site, or one of its feeds." }),
          language: z.enum(["ar", "en"]).optional().openapi({ description: "Where its texts do not tell." }),
          articles: z.int().min(1).max(5).default(3).openapi({ description: "Articles that are tried." }),
        })
        .openapi("DraftRequest"),
      { url: "https://alwatan.example/" },
    ),
  },
  responses: {
    200: answer("The draft.", ProfileDraft),
    ...problems(...BODY_PROBLEMS, "unauthorized", "overloaded", "service-unavailable"),
  },
});

/** Shows a run. */
export function runView(run: Run): RunView {
  const {
    runId,
    profileId,
    provider,
    status,
    trigger,
    attempts,
    limit,
    createdAt,
    startedAt,
    finishedAt,
    counts,
    selectors,
    error,
  } = run;
  return {
    run_id: runId,
    profile_id: profileId,
    provider,
    status,
    trigger,
    attempts,
    limit,
    created_at: createdAt,
    started_at: startedAt,
    finished_at: finishedAt,
    counts,
    selectors: { ...selectors },
    error,
  };
}

/** Shows a run with the reasons. */
export function detailedRunView(run: DetailedRun): DetailedRunView {
  return {
    ...runView(run),
    errors: run.errors.toReversed().map(({ url, reason, at, retried }) => ({ url, reason, at, retried })),
    feeds: run.feeds.map(({ url, kind, status, entries, tooOld, error }) => ({
      ...{ url, kind, status, entries },
      too_old: tooOld,
      error,
    })),
    too_old: { ...run.tooOld },
  };
}
