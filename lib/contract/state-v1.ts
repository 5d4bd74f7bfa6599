import { z } from "@hono/zod-openapi";

/** Holds what a key may be good for: reading, submitting articles, the desk's work, or everything. */
export const SCOPES = ["read", "ingest", "desk", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** A key in force, as services know it: by the SHA-256 of its text, in hex. */
export const KeyRecord = z.object({
  key_id: z.string(),
  hash: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  rate_per_min: z.int().nullable(),
  expires_at: z.string().nullable(),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

/** Says when a key was used last, ISO 8601. */
export const KeyUse = z.object({ key_id: z.string().max(64), at: z.iso.datetime() });
export type KeyUse = z.infer<typeof KeyUse>;

/** Holds what a service without a database tells the API of the keys that it has seen, and what it is told. */
export const KeysRequest = z.object({ used: z.array(KeyUse).max(10_000) });
export const KeysAnswer = z.object({ keys: z.array(KeyRecord) });

const time = () => z.string().openapi({ format: "date-time" });

/** A service as it says of itself, or that it does not answer. */
export const ServiceState = z
  .object({
    name: z.enum(["api", "retrieval", "nlp", "edge", "scraper"]),
    status: z.enum(["ok", "degraded", "away"]),
    version: z.string().nullable(),
    failing: z.array(z.object({ name: z.string(), reason: z.string().nullable() })).openapi({
      description: "What it depends on and cannot use, with the reason where that is known.",
    }),
    components: z.array(z.object({ name: z.string(), kind: z.string(), version: z.string(), licence: z.string() })),
  })
  .openapi("ServiceState");
export type ServiceState = z.output<typeof ServiceState>;

/** Says how the whole stack stands: what `GET /v1/state` answers. */
export const StackState = z
  .object({
    services: z.array(ServiceState),
    articles: z
      .object({ pending: z.int(), stored: z.int() })
      .openapi({ description: "In work, counted; stored, as the database estimates it." }),
    stages: z.array(
      z
        .object({ stage: z.string(), waiting: z.int(), set_aside: z.int() })
        .openapi({ description: "Articles that wait or are in work, and those given up after five attempts." }),
    ),
    set_aside: z
      .array(
        z.object({
          article_id: z.int(),
          stage: z.string(),
          attempts: z.int(),
          reason: z.string().nullable(),
          at: time(),
        }),
      )
      .openapi({ description: "The newest twenty of them." }),
    indexes: z
      .array(
        z.object({
          name: z.string(),
          state: z.enum(["filling", "healing", "following", "failing", "silent"]),
          behind: z.int(),
          reason: z.string().nullable(),
        }),
      )
      .openapi({ description: "What follows the database: the indexes, and saved searches." }),
    sources: z.object({ quiet: z.int(), doubled: z.int() }),
    storage: z.object({
      database_bytes: z.number(),
      disk_free_bytes: z.number().nullable(),
      disk_bytes: z.number().nullable(),
    }),
    keys: z.array(
      z.object({
        key_id: z.string(),
        name: z.string(),
        scopes: z.array(z.enum(SCOPES)),
        rate_per_min: z.int().nullable(),
        created_at: time(),
        expires_at: time().nullable(),
        last_used_at: time().nullable(),
      }),
    ),
  })
  .openapi("StackState");
export type StackState = z.output<typeof StackState>;
