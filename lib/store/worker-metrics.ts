import type { Sql } from "./client.ts";
import { type Json, jsonText } from "./json.ts";

/** Keeps the metrics of a worker process for the API to show. */
export async function putWorkerMetrics(sql: Sql, instance: string, body: Json): Promise<void> {
  await sql`
    insert into worker_metrics (instance, body) values (${instance}, ${jsonText(body)}::text::jsonb)
    on conflict (instance) do update set body = excluded.body, updated_at = now()`;
}

/** The metrics of the workers that were heard of within `maxAgeS` seconds; those silent for a day are dropped. */
export async function allWorkerMetrics(sql: Sql, maxAgeS: number): Promise<{ instance: string; body: Json }[]> {
  await sql`delete from worker_metrics where updated_at < now() - interval '1 day'`;
  return await sql<{ instance: string; body: Json }[]>`
    select instance, body from worker_metrics
    where updated_at >= now() - make_interval(secs => ${maxAgeS}) order by instance`;
}
