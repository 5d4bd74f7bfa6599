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
