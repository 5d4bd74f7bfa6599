import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkEngine, type RemoteEngine } from "@isnad/lib/search";
import { explain } from "@isnad/lib/service/cli";
import type { Config } from "@isnad/lib/service/config";
import { sizeText } from "@isnad/lib/std";
import { databaseFacts, FOLLOWER_SILENT_S, type DatabaseFacts, embeddedUrl } from "@isnad/lib/store";
import { redisFacts } from "@isnad/lib/work/queue";
import { type Finding, findings } from "./finding.ts";

/** The oldest PostgreSQL that the schema works on. */
const OLDEST = 140_000;

/** Holds what an operator does about a database that takes no writes. */
const REFUSALS: Record<string, string> = {
  full: "the database's disk is full; free space there",
  "read-only": "the database is read-only: a standby, or default_transaction_read_only",
  locked: "somebody holds the table of articles; see pg_locks",
};

/** Characters of a reason that are shown. */
const MAX_REASON = 120;

const SKEW_MUCH_MS = 1_000;
const SKEW_TOO_MUCH_MS = 30_000;

/** Returns the database: whether it answers, its version, schema, clock, size and connections. */
export async function databaseFindings({ dataDir, databaseUrl }: Config): Promise<Finding[]> {
  const { list, ok, fail } = findings("PostgreSQL");
  const url = databaseUrl ?? (await embeddedUrl(dataDir));
  if (url === undefined) {
    const made = existsSync(join(dataDir, "postgres", "cluster"));
    ok("embedded", made ? "not running; started with the first service" : "made and started with the first service");
    return list;
  }
  try {
    const facts = await databaseFacts(url);
    ok("reachable", `${databaseUrl === undefined ? "embedded" : "DATABASE_URL"}, ${sizeText(facts.bytes)}`);
    return [...list, ...judge(facts)];
  } catch (error) {
    fail("reachable", `${databaseUrl === undefined ? "the embedded one" : "DATABASE_URL"}: ${explain(error)}`);
    return list;
  }
}

/** Returns what the facts of a database mean. */
export function judge(facts: DatabaseFacts): Finding[] {
  const { list, ok, warn, fail } = findings("PostgreSQL");
  if (facts.versionNumber < OLDEST) fail("version", `${facts.version}: 14 is the oldest that will do`);
  else ok("version", facts.version);
  if (facts.unknown.length > 0) {
    fail("schema", `is of another version of Isnad, and this one does not start: ${facts.unknown.join(", ")}`);
  } else if (facts.bearing.length > 0) {
    warn("schema", `is of a later version, which bears this one: ${facts.bearing.join(", ")}`);
  } else if (facts.missing.length > 0) {
    warn("schema", `${facts.applied} migrations; the next start applies ${facts.missing.join(", ")}`);
  } else ok("schema", `${facts.applied} migrations, up to date`);
  const off = Math.max(0, Math.abs(facts.skewMs) - facts.uncertainMs);
  const clock = `${facts.skewMs} ms from this machine's (±${facts.uncertainMs})`;
  if (off > SKEW_TOO_MUCH_MS) fail("clock", `${clock}: schedules and leases go wrong; set up NTP`);
  else if (off > SKEW_MUCH_MS) warn("clock", `${clock}: set up NTP`);
  else ok("clock", clock);
  if (facts.refusal === undefined) ok("writes", "are taken");
  else fail("writes", `are refused: ${REFUSALS[facts.refusal] ?? facts.refusal}`);
  const used = `${facts.connections} of ${facts.maxConnections} in use`;
  if (facts.connections > facts.maxConnections * 0.9) fail("connections", `${used}: raise max_connections`);
  else if (facts.connections > facts.maxConnections * 0.7) warn("connections", used);
  else ok("connections", used);
  const { indexed = 0, accepted = 0, normalized = 0, failed = 0 } = facts.articles;
  ok("articles", `${indexed} indexed, ${accepted + normalized} in work, ${failed} failed`);
  for (const { stage, articles, reason } of facts.setAside) {
    const why = reason === null ? "" : `, the newest for: ${reason.slice(0, MAX_REASON)}`;
    warn("set aside", `${articles} articles in stage ${stage}${why}; articles:retry tries them again`);
  }
  for (const { key, state, lastDay, usual } of facts.unusual) {
    const counts = `${lastDay} in 24 hours, usually ${Math.round(usual ?? 0)}`;
    warn("source", `${key} ${state === "quiet" ? "has gone quiet" : "has doubled"}: ${counts}`);
  }
  for (const { name, state, reason, behind, silentS } of facts.followers) {
    const late = behind > 0 ? `, ${behind} changes behind` : "";
    const why = reason === null ? "" : `: ${reason.slice(0, MAX_REASON)}`;
    if (silentS > FOLLOWER_SILENT_S) warn(name, `said nothing for ${Math.round(silentS)} s`);
    else if (state === "failing") fail(name, `cannot follow the database${late}${why}`);
    else if (state !== "following") warn(name, `${state}${late}${why}`);
    else ok(name, `follows the database${late}`);
  }
  return list;
}

/** Returns the Redis of the queues, where one is set. */
export async function redisFindings({ redisUrl }: Config): Promise<Finding[]> {
  const { list, ok, warn, fail } = findings("Redis");
  if (redisUrl === undefined) {
    ok("queues", "in PostgreSQL; REDIS_URL is not set");
    return list;
  }
  try {
    const { version, evictionPolicy, usedBytes } = await redisFacts(redisUrl);
    ok("reachable", `version ${version}, ${sizeText(usedBytes)} used`);
    if (evictionPolicy !== "noeviction")
      warn("eviction", `maxmemory-policy is ${evictionPolicy}: noeviction loses no jobs`);
    else ok("eviction", evictionPolicy);
  } catch (error) {
    fail("reachable", `REDIS_URL: ${explain(error)}`);
  }
  return list;
}

/** Returns what answers searches, and whether its server can be used. */
export async function engineFindings({ engines }: Config): Promise<Finding[]> {
  const { list, ok, fail } = findings("engine");
  for (const [task, engine] of [
    ["by word", engines.keyword],
    ["by meaning", engines.vectors],
  ] as const) {
    if (!("server" in engine)) {
      ok(task, `${engine.engine === "embedded" ? "built in" : engine.engine}, in DATA_DIR`);
      continue;
    }
    const problem = await problemOf(engine);
    if (problem === undefined) ok(task, `${engine.engine} at ${addressOf(engine)}`);
    else fail(task, problem);
  }
  return list;
}

function addressOf(remote: RemoteEngine): string {
  return remote.engine === "meilisearch" ? remote.server.url : remote.server.urls.join(", ");
}

async function problemOf(remote: RemoteEngine): Promise<string | undefined> {
  return await checkEngine(remote).then(() => undefined, explain);
}
