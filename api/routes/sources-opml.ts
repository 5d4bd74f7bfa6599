import { NewSource } from "@isnad/lib/contract";
import { opmlOfSources, sourcesOfOpml } from "@isnad/lib/ingest";
import {
  type Access,
  answer,
  BODY_PROBLEMS,
  bodyOf,
  createRoute,
  type HttpEnv,
  invalidFields,
  jsonBody,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import type { SourceInput } from "@isnad/lib/store";
import { type OpmlDocument, OpmlError, readOpml } from "@isnad/lib/web/feeds";
import { refusedAddress } from "@isnad/lib/web/egress";
import type { ApiDeps } from "../deps.ts";

/** GET and POST /v1/sources.opml: the sources as a list of feeds that other readers know. */
export function addSourcesOpml(
  app: OpenAPIHono<HttpEnv>,
  { access, store, config }: Pick<ApiDeps, "config" | "store"> & { access: Access },
): void {
  const desk = access.require("desk");

  app.openapi({ ...exported, middleware: [desk] }, async (c) => {
    const { opml, feeds } = opmlOfSources(await store.sources.list());
    note(c, { feeds });
    return c.body(opml, 200, {
      "Content-Type": "text/x-opml; charset=utf-8",
      "Content-Disposition": 'attachment; filename="isnad.opml"',
    });
  });

  app.openapi({ ...imported, middleware: [desk, jsonBody()] }, async (c) => {
    const { opml, active } = c.req.valid("json");
    const { feeds, problems: passedOver } = read(opml);
    const known = await store.sources.list();
    const keys = new Set(known.map(({ key }) => key));
    const inputs: SourceInput[] = [];
    const refused: { title: string; address: string; reason: string }[] = [...passedOver];
    for (const input of sourcesOfOpml(feeds, known, active)) {
      const { key, provider, name, feedUrl, homepage, language } = input;
      const checked = NewSource.safeParse({ key, provider, name, feed_url: feedUrl, homepage, language });
      const [issue] = checked.error?.issues ?? [];
      const rule = checked.success
        ? feedUrl && refusedAddress(feedUrl, config.scraper.allowPrivateHosts, "SCRAPER_ALLOW_PRIVATE_HOSTS")
        : (issue?.message ?? "is not valid");
      if (rule === undefined || rule === "" || rule === null) inputs.push(input);
      else {
        const field = checked.success ? "feed_url" : (issue?.path.join(".") ?? "");
        refused.push({ title: name ?? "", address: feedUrl ?? "", reason: `${field} ${rule}` });
      }
    }
    await store.sources.upsert(inputs);
    const created = inputs.filter(({ key }) => !keys.has(key)).map(({ key }) => key);
    const updated = inputs.filter(({ key }) => keys.has(key)).map(({ key }) => key);
    note(c, { created: created.length, updated: updated.length });
    return c.json({ created, updated, refused }, 200);
  });
}

function read(opml: string): OpmlDocument {
  try {
    return readOpml(opml);
  } catch (error) {
    if (error instanceof OpmlError) throw invalidFields({ opml: [`is no OPML: ${error.message}`] });
    throw error;
  }
}

const SECURITY = [{ ingestToken: [] }];

const exported = createRoute({
  method: "get",
  path: "/v1/sources.opml",
  operationId: "exportSources",
  tags: ["sources"],
  summary: "The sources that have a feed, as OPML",
  description: "Addresses of feeds may hold credentials.",
  security: SECURITY,
  responses: {
    200: { description: "OPML 2.0.", content: { "text/x-opml": { schema: z.string() } } },
    ...problems("unauthorized", "service-unavailable"),
  },
});

const imported = createRoute({
  method: "post",
  path: "/v1/sources.opml",
  operationId: "importSources",
  tags: ["sources"],
  summary: "Register the feeds of an OPML file",
  description: "A feed that is registered already keeps its key and its state.",
  security: SECURITY,
  request: {
    body: bodyOf(
      z
        .object({
          opml: z.string().openapi({ description: "The text of the file." }),
          active: z.boolean().default(true).openapi({ description: "false registers new ones switched off." }),
        })
        .openapi("SourcesImport"),
      {
        opml: '<opml version="2.0"><body><outline text="الوطن" xmlUrl="https://alwatan.example/rss"/></body></opml>',
      },
    ),
  },
  responses: {
    200: answer(
      "What became of the feeds, by the keys of their sources.",
      z
        .object({
          created: z.array(z.string()),
          updated: z.array(z.string()),
          refused: z.array(z.object({ title: z.string(), address: z.string(), reason: z.string() })),
        })
        .openapi("SourcesImported"),
    ),
    ...problems(...BODY_PROBLEMS, "unauthorized", "service-unavailable"),
  },
});
