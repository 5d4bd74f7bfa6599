import type { SourceVolumeState } from "../contract/mod.ts";
import type { Sql, Tx } from "./client.ts";
import { type NewEvent, writeEvents } from "./outbox.ts";
import { earliestUuid } from "./sources.ts";
import { repeating, transaction } from "./transaction.ts";
import { jsonText } from "./values.ts";

/** Makes the statements over how much sources bring in. */
export function volumeStore(sql: Sql) {
  return {
    watchVolumes: (judge: (days: SourceDays) => VolumeVerdict, now?: number) => watchVolumes(sql, judge, now),
    unusual: (limit: number) => repeating(() => unusualSources(sql, limit)),
    countUnusual: () => repeating(() => countUnusual(sql)),
  };
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;

/** Weeks whose day of the same name a day is compared with. */
const WEEKS = 6;

/** Hours that are kept: those of all days that are compared, and one day to spare. */
const RETENTION_HOURS = WEEKS * WEEK_HOURS + 2 * DAY_HOURS;

/** Time after which an hour is over for good: a transaction that began within it has ended. */
const SETTLED_MS = 300_000;

/** An hour that was counted later than this after it began was not watched: the platform was down. */
const WATCHED_MS = 3 * HOUR_MS;

const VOLUMES_LOCK = 4_922_051_790;

/** The articles of a source within the last day and within the same 24 hours of the weeks before, the latest first. */
export type SourceDays = {
  key: string;
  name: string;
  state: SourceVolumeState;
  lastDay: number;
  /** Only of weeks in which it was known. */
  before: number[];
};

/** Tells how the last day of a source stands against its usual ones; `usual` is null where too little is known. */
export type VolumeVerdict = { state: SourceVolumeState; usual: number | null };

/** A source whose last day began or ceased to be unusual. */
type VolumeChange = { key: string; state: SourceVolumeState };

/**
 * Counts the articles of the hours that have ended, and once for each hour has the last day of each source judged. What
 * changes is stored and told in events in one transaction, once however many processes watch. A day of which hours went
 * by unwatched is not judged. Returns the changes.
 */
async function watchVolumes(
  sql: Sql,
  judge: (days: SourceDays) => VolumeVerdict,
  now: number = Date.now(),
): Promise<VolumeChange[]> {
  const end = Math.floor((now - SETTLED_MS) / HOUR_MS) * HOUR_MS;
  for (;;) {
    const changes = await transaction(sql, async (tx) => {
      const [lock] = await tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${VOLUMES_LOCK}) as held`;
      if (lock?.held !== true) return [];
      const to = await countDay(tx, end, now);
      if (to === undefined) return [];
      return to < end ? undefined : await judgeAll(tx, end, judge);
    });
    if (changes !== undefined) return changes;
  }
}

/** Counts up to a day of hours that are not counted; returns the end of the last one, undefined where all are. */
async function countDay(tx: Tx, end: number, now: number): Promise<number | undefined> {
  const [latest] = await tx<{ hour: number | null }[]>`
    select extract(epoch from max(hour))::float8 * 1000 as hour from counted_hours`;
  const from = Math.max((latest?.hour ?? 0) + HOUR_MS, end - RETENTION_HOURS * HOUR_MS);
  const to = Math.min(end, from + DAY_HOURS * HOUR_MS);
  if (to <= from) return undefined;
  const hours = Array.from({ length: (to - from) / HOUR_MS }, (_, i) => from + i * HOUR_MS);
  const rows = hours.map((hour) => ({
    hour: new Date(hour).toISOString(),
    lo: earliestUuid(hour),
    hi: earliestUuid(hour + HOUR_MS),
  }));
  await tx`
    with h as (
      select * from json_to_recordset(${jsonText(rows)}::text::json) as h (hour timestamptz, lo uuid, hi uuid)
    ), noted as (
      insert into counted_hours (hour, counted_at) select hour, ${new Date(now).toISOString()}::timestamptz from h
    ), counted as (
      insert into source_hours (hour, source_id, articles)
      select h.hour, c.source_id, c.articles
      from h cross join lateral (
        select source_id, count(*)::int as articles from articles
        where doc_id >= h.lo and doc_id < h.hi group by source_id
      ) c
      returning hour, source_id
    )
    insert into source_volumes (source_key, first_hour)
    select source_id, min(hour) from counted where exists (select from sources where key = source_id) group by source_id
    on conflict do nothing`;
  return to;
}

/** Judges the last day of each source, stores what came of it, and writes the events of what changed. */
async function judgeAll(tx: Tx, end: number, judge: (days: SourceDays) => VolumeVerdict): Promise<VolumeChange[]> {
  await tx`delete from counted_hours where hour < ${timeOf(end - RETENTION_HOURS * HOUR_MS)}`;
  await tx`delete from source_hours where hour < ${timeOf(end - RETENTION_HOURS * HOUR_MS)}`;
  const [watched] = await tx<{ hours: number }[]>`
    select count(*)::int as hours from counted_hours
    where hour >= ${timeOf(end - DAY_HOURS * HOUR_MS)} and hour < ${timeOf(end)}
      and counted_at <= hour + make_interval(secs => ${WATCHED_MS / 1000})`;
  if (watched?.hours !== DAY_HOURS) return [];
  const rows = await sourceDays(tx, end);
  const verdicts = rows.map(({ isOff, ...days }) => ({ ...days, isOff, now: isOff ? ALL_USUAL : judge(days) }));
  await tx`
    update source_volumes v
    set state = j.state, usual = j.usual, last_day = j."lastDay",
      since = case when v.state = j.state then v.since else ${timeOf(end)}::timestamptz end
    from json_to_recordset(${jsonText(
      verdicts.map(({ key, lastDay, now: { state, usual } }) => ({ key, lastDay, state, usual })),
    )}::text::json) as j (key text, "lastDay" int, state text, usual real)
    where v.source_key = j.key
      and (v.state, v.last_day, v.usual) is distinct from (j.state, j."lastDay", j.usual)`;
  const changes = verdicts.filter(({ state, isOff, now }) => !isOff && now.state !== state);
  await writeEvents(
    tx,
    changes.map(({ key, name, lastDay, now: { state, usual } }): NewEvent => {
      const subject = { kind: "source", id: key };
      return { type: `source.${state}`, subject, data: { source: { key, name, last_day: lastDay, usual } } };
    }),
  );
  return changes.map(({ key, now }) => ({ key, state: now.state }));
}

/** The verdict on a source that somebody switched off: nobody waits for its articles. */
const ALL_USUAL: VolumeVerdict = { state: "usual", usual: null };

/** Returns what came of each source within the last day, and within that day of the weeks before. */
async function sourceDays(tx: Tx, end: number): Promise<(SourceDays & { isOff: boolean })[]> {
  const windows = Array.from({ length: WEEKS + 1 }, (_, week) => {
    const until = end - week * WEEK_HOURS * HOUR_MS;
    return { week, lo: timeOf(until - DAY_HOURS * HOUR_MS), hi: timeOf(until) };
  });
  const rows = await tx<
    (Omit<SourceDays, "lastDay" | "before"> & { isOff: boolean; weeks: number; days: Record<string, number> })[]
  >`
    with w as (
      select * from json_to_recordset(${jsonText(windows)}::text::json) as w (week int, lo timestamptz, hi timestamptz)
    ), days as (
      select w.week, h.source_id, sum(h.articles)::int as articles
      from w join source_hours h on h.hour >= w.lo and h.hour < w.hi
      group by 1, 2
    )
    select v.source_key as key, s.name, v.state, s.off_since is not null as "isOff",
      (select count(*)::int from w where w.week > 0 and w.lo >= v.first_hour) as weeks,
      coalesce(jsonb_object_agg(d.week, d.articles) filter (where d.week is not null), '{}') as days
    from source_volumes v join sources s on s.key = v.source_key left join days d on d.source_id = v.source_key
    group by v.source_key, s.key order by v.source_key`;
  return rows.map(({ weeks, days, ...source }) => ({
    ...source,
    lastDay: days[0] ?? 0,
    before: Array.from({ length: weeks }, (_, i) => days[i + 1] ?? 0),
  }));
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** A source whose last day is unusual. */
export type UnusualSource = { key: string; state: SourceVolumeState; lastDay: number; usual: number | null };

/** Returns the sources whose last day is unusual, by key. */
export async function unusualSources(sql: Sql, limit: number): Promise<UnusualSource[]> {
  return await sql<UnusualSource[]>`
    select source_key as key, state, last_day as "lastDay", usual::float8 as usual from source_volumes
    where state <> 'usual' order by source_key limit ${limit}`;
}

/** Counts the sources whose last day is unusual, by how. */
async function countUnusual(sql: Sql): Promise<Record<Exclude<SourceVolumeState, "usual">, number>> {
  const [row] = await sql<{ quiet: number; doubled: number }[]>`
    select count(*) filter (where state = 'quiet')::int as quiet, count(*) filter (where state = 'doubled')::int as doubled
    from source_volumes where state <> 'usual'`;
  return row ?? { quiet: 0, doubled: 0 };
}
