import type { Sql, Tx } from "../client.ts";
import { storableText } from "../json.ts";
import { urlKey } from "../url-key.ts";
import type { Validators } from "./types.ts";

/** What an address said of itself when it was fetched last, undefined when it never was. */
export async function getValidators(sql: Sql, profileId: string, url: string): Promise<Validators | undefined> {
  const [row] = await sql<Validators[]>`
    select etag, last_modified as "lastModified", content_hash as "contentHash"
    from scraper_validators where profile_id = ${profileId} and url_key = ${urlKey(url)}`;
  return row;
}

/** Keeps what an address says of itself. */
export async function putValidators(sql: Sql | Tx, profileId: string, url: string, seen: Validators): Promise<void> {
  const [etag, lastModified, contentHash] = [seen.etag, seen.lastModified, seen.contentHash].map(storable);
  await sql`
    insert into scraper_validators (profile_id, url_key, etag, last_modified, content_hash)
    values (${profileId}, ${urlKey(url)}, ${etag ?? null}, ${lastModified ?? null}, ${contentHash ?? null})
    on conflict (profile_id, url_key) do update
    set (etag, last_modified, content_hash, updated_at)
      = (excluded.etag, excluded.last_modified, excluded.content_hash, now())`;
}

function storable(text: string | null): string | null {
  return text === null ? null : storableText(text);
}
