import { type Refusal, refusalOf } from "../service/process/run-main.ts";
import { errorMessage } from "../std/mod.ts";
import { connect, type Sql } from "./client.ts";
import { type UnusualSource, unusualSources } from "./source-volumes.ts";
import { type FollowerFacts, listFollowers } from "./log.ts";
import { type AppliedMigration, migrations } from "./migrate.ts";

/** Holds what a database says of itself, for the operator. */
export type DatabaseFacts = {
  version: string;
  /** `server_version_num`, for instance 180001. */
  versionNumber: number;
  /** Clock of the server minus that of this machine, in milliseconds, and the uncertainty of that. */
  skewMs: number;
  uncertainMs: number;
  bytes: number;
  connections: number;
  maxConnections: number;
  /** Migrations that were applied, and those that a start would apply. */
  applied: number;
  missing: string[];
  /** Applied migrations that this version lacks or has in other words, and those of a later one that bears it. */
  unknown: string[];
  bearing: string[];
  /** Why nothing can be written: `full`, `read-only`, `locked`, or the database's own words; undefined where it can. */
  refusal?: string | undefined;
  /** Articles by state; none before the first start. */
  articles: Record<string, number>;
  /** Holds what was set aside, by stage: how many, and why the newest one was; none before the first start. */
  setAside: { stage: string; articles: number; reason: string | null }[];
  /** Holds what follows the log of changes; none before the first start. */
  followers: FollowerFacts[];
  /** Sources whose last day is unusual, the first of them; none before the first start. */
  unusual: UnusualSource[];
};

/** Sources with an unusual day that are named, at most. */
const UNUSUAL_SHOWN = 20;

/** Asks the database at `url`; changes nothing. Rejects when it cannot be reached. */
export async function databaseFacts(url: string): Promise<DatabaseFacts> {
  const sql = connect(url, { max: 1, name: "doctor", timeoutMs: 5_000 });
  try {
    await sql`select 1`;
    const askedAt = Date.now();
    const [row] = await sql<
      Omit<
        DatabaseFacts,
        | "skewMs"
        | "uncertainMs"
        | "applied"
        | "missing"
        | "unknown"
        | "bearing"
        | "articles"
        | "refusal"
        | "setAside"
        | "followers"
        | "unusual"
      >[]
    >`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
        pg_database_size(current_database())::float8 as bytes, current_setting('max_connections')::int as "maxConnections",
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections`;
    const [clock] = await sql<{ now: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`;
    const answeredAt = Date.now();
    if (row === undefined || clock === undefined) throw new Error("the database gave no answer");
    const [there] = await sql<
      { migrations: boolean; articles: boolean; work: boolean; probe: boolean; followers: boolean; volumes: boolean }[]
    >`
      select to_regclass('schema_migrations') is not null as migrations, to_regclass('articles') is not null as articles,
        to_regclass('followers') is not null as followers, to_regclass('source_volumes') is not null as volumes,
        to_regclass('work') is not null as work, to_regproc('probe_write') is not null as probe`;
    const refusal = there?.probe ? await refusalOfProbe(sql) : undefined;
    const rows = there?.migrations
      ? await sql<AppliedMigration[]>`
          select name, checksum, to_jsonb(m) ->> 'compatible_from' as "compatibleFrom" from schema_migrations m order by name`
      : [];
    const setAside = there?.work
      ? await sql<DatabaseFacts["setAside"]>`
          select stage, count(*)::int as articles, (array_agg(reason order by article_id desc))[1] as reason
          from work where set_aside_at is not null group by stage order by stage`
      : [];
    const states = there?.articles ? await countStates(url) : [];
    return {
      ...row,
      ...skewOf(clock.now, askedAt, answeredAt),
      ...(await standing(rows)),
      refusal,
      followers: there?.followers ? await listFollowers(sql) : [],
      articles: Object.fromEntries(states.map(({ state, count }) => [state, count])),
      setAside: [...setAside],
      unusual: there?.volumes ? await unusualSources(sql, UNUSUAL_SHOWN) : [],
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Tries to write as admission does, and takes it back. */
async function refusalOfProbe(sql: Sql): Promise<string | undefined> {
  const undo = new Error("taken back");
  try {
    await sql.begin(async (tx) => {
      await tx`select probe_write()`;
      throw undo;
    });
  } catch (error) {
    return error === undo ? undefined : (refusalOf(error) ?? errorMessage(error));
  }
}

/** Counts the articles of each state. Of millions this reads for many seconds. */
async function countStates(url: string): Promise<{ state: string; count: number }[]> {
  const sql = connect(url, { max: 1, name: "doctor", timeoutMs: 300_000 });
  try {
    return await sql<{ state: string; count: number }[]>`select state, count(*)::int as count from articles group by 1`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** The difference of a clock that said `theirs` at some moment between two of ours. */
function skewOf(theirs: number, askedAt: number, answeredAt: number): { skewMs: number; uncertainMs: number } {
  return {
    skewMs: Math.round(theirs - (askedAt + answeredAt) / 2),
    uncertainMs: Math.ceil((answeredAt - askedAt) / 2),
  };
}

async function standing(rows: readonly AppliedMigration[]) {
  const checksums = new Map((await migrations()).map(({ name, checksum }) => [name, checksum]));
  const applied = new Set(rows.map(({ name }) => name));
  const bears = (row: AppliedMigration): boolean => !checksums.has(row.name) && checksums.has(row.compatibleFrom ?? "");
  return {
    applied: rows.length,
    missing: [...checksums.keys()].filter((name) => !applied.has(name)),
    unknown: rows.filter((row) => checksums.get(row.name) !== row.checksum && !bears(row)).map(({ name }) => name),
    bearing: rows.filter(bears).map(({ name }) => name),
  };
}

/** Returns the size of the database, and its articles as the planner estimates them. */
export async function databaseSize(sql: Sql): Promise<{ bytes: number; articles: number }> {
  const [row] = await sql<{ bytes: number; articles: number }[]>`
    select pg_database_size(current_database())::float8 as bytes,
      (select case when reltuples < 10000 then (select count(*) from (select from articles limit 20000) as a)
        else reltuples end::int from pg_class where oid = 'articles'::regclass) as articles`;
  return row ?? { bytes: 0, articles: 0 };
}

/** Says how long what was found holds, in milliseconds: balancers ask several times a second. */
const PROBE_MS = 1_000;

/**
 * Says how long a refused write counts against a probe that went through: a full disk may have room for that little.
 */
const REFUSED_MS = 10_000;

/** Tells whether the database takes writes, as it is asked and as those who write find it. */
type Writes = {
  /** Rejects with the database's own error when it takes no writes now. */
  check(): Promise<void>;
  /** Does what writes, and remembers it when it is refused. */
  noting<T>(write: () => Promise<T>): Promise<T>;
};

/** Watches whether the database takes writes. */
export function watchWrites(sql: Sql, now: () => number = () => performance.now()): Writes {
  let probed: { at: number; answer: Promise<unknown> } | undefined;
  let refused: { at: number; error: unknown } | undefined;
  return {
    async check() {
      if (probed === undefined || now() - probed.at > PROBE_MS) {
        const answer = sql`select probe_write()`;
        // Whoever awaits it hears of a failure.
        answer.catch(() => undefined);
        probed = { at: now(), answer };
      }
      await probed.answer;
      if (refused !== undefined && now() - refused.at < REFUSED_MS) throw refused.error;
    },
    async noting(write) {
      try {
        const result = await write();
        refused = undefined;
        return result;
      } catch (error) {
        if (isLasting(refusalOf(error))) refused = { at: now(), error };
        throw error;
      }
    },
  };
}

/** A lock may be one row's, and is over when the probe finds the table free. */
function isLasting(refusal: Refusal | undefined): boolean {
  return refusal === "full" || refusal === "read-only";
}

/**
 * Times that something waits for, and how far ahead each can lie, in hours. What lies further was written while a clock
 * ran ahead: nothing is waited for that long. `of` are the rows that wait at all.
 */
const AWAITED = [
  { table: "articles", column: "queued_at", hours: 0.1, of: "state in ('accepted', 'normalized')" },
  { table: "work", column: "due_at", hours: 12, of: "true" },
  { table: "outbox_deliveries", column: "due_at", hours: 12, of: "true" },
  { table: "scraper_frontier", column: "due_at", hours: 12, of: "state = 'waiting'" },
  { table: "scraper_items", column: "due_at", hours: 12, of: "state = 'pending'" },
  { table: "host_turns", column: "next_at", hours: 12, of: "true" },
  { table: "saved_searches", column: "due_at", hours: 26, of: "due_at is not null" },
  { table: "saved_searches", column: "lease_until", hours: 2, of: "lease_until is not null" },
  { table: "work", column: "lease_until", hours: 2, of: "true" },
  { table: "outbox_deliveries", column: "lease_until", hours: 2, of: "true" },
  { table: "scraper_frontier", column: "lease_until", hours: 2, of: "state = 'waiting'" },
  { table: "scraper_items", column: "lease_until", hours: 2, of: "state = 'pending'" },
  { table: "scraper_runs", column: "lease_until", hours: 2, of: "status in ('queued', 'running')" },
  { table: "pull_runs", column: "lease_until", hours: 2, of: "status in ('queued', 'running')" },
  { table: "host_leases", column: "lease_until", hours: 2, of: "true" },
] as const;

/**
 * Brings back to the present what waits for a time so far ahead that only a clock which ran ahead can have named it.
 * Returns how many rows, by table and column; those with none are left out.
 */
export async function mendFutures(sql: Sql): Promise<Record<string, number>> {
  const mended: Record<string, number> = {};
  for (const { table, column, hours, of } of AWAITED) {
    const { count } = await sql`
      update ${sql(table)} set ${sql(column)} = now()
      where ${sql.unsafe(of)} and ${sql(column)} > now() + make_interval(secs => ${hours * 3_600})`;
    if (count > 0) mended[`${table}.${column}`] = count;
  }
  return mended;
}
