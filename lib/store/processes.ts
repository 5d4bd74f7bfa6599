import { repeating } from "./transaction.ts";
import { createHash } from "node:crypto";
import type { Sql } from "./client.ts";
import { type Json, jsonText } from "./values.ts";

/** Makes the statements over requests that are counted. */
export function rateLimitStore(sql: Sql) {
  return {
    /** Not retried: a caller that cannot wait counts in its own memory meanwhile. */
    count: (kind: string, client: string, perMinute: number) => countRequest(sql, kind, client, perMinute),
    prune: () => repeating(() => pruneRequests(sql)),
  };
}

/** Makes the statements over the metrics of workers. */
export function workerMetricStore(sql: Sql) {
  return {
    put: (instance: string, body: Json) => repeating(() => putWorkerMetrics(sql, instance, body)),
    all: (maxAgeS: number) => repeating(() => allWorkerMetrics(sql, maxAgeS)),
  };
}

/** Rows of clients that were silent for this long are forgotten. */
const KEPT_S = 3_600;

/**
 * Counts a request of a client, over all processes, unless it had `perMinute` of them in the last 60 seconds. Returns
 * undefined when it was counted, else after how many seconds the next one will be. Only a digest of the client is kept:
 * it may be a key.
 */
async function countRequest(sql: Sql, kind: string, client: string, perMinute: number): Promise<number | undefined> {
  const key = createHash("sha256").update(`${kind}\n${client}`).digest();
  const [row] = await sql<{ waitS: number | null }[]>`
    insert into rate_limits as r (key, times) values (${key}, array[clock_timestamp()])
    on conflict (key) do update set (times, refused_at) = (
      select
        case when count(*) < ${perMinute} then array_append(coalesce(array_agg(t order by t), '{}'), clock_timestamp())
          else array_agg(t order by t) end,
        case when count(*) < ${perMinute} then null else clock_timestamp() end
      from unnest(r.times) as t 
      where t > clock_timestamp() - interval '1 minute' and t <= clock_timestamp() + interval '1 minute')
    returning case when refused_at is not null
      then extract(epoch from times[1] + interval '1 minute' - refused_at)::float8 end as "waitS"`;
  return row?.waitS == null ? undefined : Math.max(1, Math.ceil(row.waitS));
}

/** Forgets clients that have not asked for long. */
async function pruneRequests(sql: Sql): Promise<number> {
  const gone = await sql`
    delete from rate_limits where times[array_upper(times, 1)] < now() - make_interval(secs => ${KEPT_S})`;
  return gone.count;
}

/** Keeps the metrics of a worker process for the API to show. */
async function putWorkerMetrics(sql: Sql, instance: string, body: Json): Promise<void> {
  await sql`
    insert into worker_metrics (instance, body) values (${instance}, ${jsonText(body)}::text::jsonb)
    on conflict (instance) do update set body = excluded.body, updated_at = now()`;
}

/** The metrics of the workers that were heard of within `maxAgeS` seconds; those silent for a day are dropped. */
async function allWorkerMetrics(sql: Sql, maxAgeS: number): Promise<{ instance: string; body: Json }[]> {
  await sql`delete from worker_metrics where updated_at < now() - interval '1 day'`;
  return await sql<{ instance: string; body: Json }[]>`
    select instance, body from worker_metrics
    where updated_at >= now() - make_interval(secs => ${maxAgeS}) order by instance`;
}
