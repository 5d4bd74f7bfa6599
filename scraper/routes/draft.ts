import { addressField, ProfileDraft } from "@isnad/lib/contract";
import {
  AppError,
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
import { type Guard, GUARDED } from "../auth.ts";
import type { ScraperDeps } from "../deps.ts";
import { InitError } from "../profiles/init/init-profile.ts";

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
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z
            .object({
              url: addressField().openapi({ description: "The front page of the site, or one of its feeds." }),
              language: z.enum(["ar", "en"]).optional().openapi({ description: "Where its texts do not tell." }),
              articles: z.int().min(1).max(5).default(3).openapi({ description: "Articles that are tried." }),
            })
            .openapi("DraftRequest"),
          example: { url: "https://alwatan.example/" },
        },
      },
    },
  },
  responses: {
    200: { description: "The draft.", content: { "application/json": { schema: ProfileDraft } } },
    ...problems(
      "malformed-json",
      "unauthorized",
      "payload-too-large",
      "unsupported-media-type",
      "validation-error",
      "overloaded",
      "service-unavailable",
    ),
  },
});
