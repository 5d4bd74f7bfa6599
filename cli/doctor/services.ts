import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkEngine, type RemoteEngine } from "@isnad/lib/search";
import { explain, readRunning } from "@isnad/lib/service/cli";
import { type Config, VERSION } from "@isnad/lib/service/config";
import { readHealth } from "@isnad/lib/service/http";
import { scrub, sizeText } from "@isnad/lib/std";
import { databaseFacts, type DatabaseFacts, embeddedUrl, FOLLOWER_SILENT_S } from "@isnad/lib/store";
import { redisFacts } from "@isnad/lib/work/queue";
import { services } from "../up/services.ts";

const DEADLINE_MS = 5_000;

type Answer = { status: number; version: string; failing: string[]; degraded: boolean } | { problem: string };

/**
 * The health of every service: those of the stack that runs here, else where the settings say they are. Where none
 * answers nothing runs, which is no fault; where some do, the others should.
 */
export async function serviceFindings(config: Config): Promise<{ running: boolean; list: Finding[] }> {
  const { list, ok, warn, fail } = findings("service");
  const running = readRunning(config.dataDir).urls;
  const configured: Record<string, string | undefined> = {
    api: config.apiUrl,
    retrieval: config.retrievalUrl,
    scraper: config.scraperUrl,
    edge: config.edgeUrl,
    nlp: config.nlpUrl,
    workers: config.workers.port === undefined ? undefined : localUrl(config.host, config.workers.port),
  };
  const answers = await Promise.all(
    services.flatMap(({ name, healthPath }) => {
      const url = running[name] ?? configured[name];
      return url === undefined ? [] : [ask(`${url}${healthPath}`).then((answer) => ({ name, url, answer }))];
    }),
  );
  const isUp = answers.some(({ answer }) => !("problem" in answer));
  for (const { name, url, answer } of answers) {
    if ("problem" in answer) {
      if (isUp) fail(name, `${url}: ${answer.problem}`);
      continue;
    }
    const { status, version, failing, degraded } = answer;
    const depends = failing.length > 0 ? `: ${failing.join(", ")}` : "";
    if (status !== 200) fail(name, `${url}: answers ${status}${depends}`);
    else if (degraded) warn(name, `${url}: degraded${depends}`);
    else if (version !== "" && !version.startsWith(VERSION) && name !== "retrieval") {
      warn(name, `${url}: is of version ${version}, this is ${VERSION}`);
    } else ok(name, url);
  }
  if (!isUp) ok("all", "none runs");
  return { running: isUp, list };
}

async function ask(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
    const health = readHealth(await response.text());
    if (health === undefined) return { problem: `answers ${response.status} with no health body: another program?` };
    const { status, version, failing } = health;
    const names = failing.map(({ name }) => name);
    return { status: response.status, version: version ?? "", failing: names, degraded: status === "degraded" };
  } catch (error) {
    return { problem: explain(error) };
  }
}

function localUrl(host: string, port: number): string {
  return `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${port}`;
}

const UPSTREAM_DEADLINE_MS = 5_000;

/** Returns the servers of models that are set: whether they answer, and take their keys. */
export async function upstreamFindings({ llm }: Config): Promise<Finding[]> {
  const { list, ok, fail } = findings("upstream");
  const { limits: _, ...servers } = llm;
  const asked = new Map<string, { tasks: string[]; answer: Promise<string | undefined> }>();
  for (const [task, server] of Object.entries(servers)) {
    const upstream = asked.get(server.url) ?? { tasks: [], answer: problemOf(server) };
    upstream.tasks.push(task);
    asked.set(server.url, upstream);
  }
  for (const [url, { tasks, answer }] of asked) {
    const problem = await answer;
    if (problem === undefined) ok(tasks.join(", "), url);
    else fail(tasks.join(", "), `${url}: ${problem}`);
  }
  return list;
}

async function problemOf({ url, key }: { url: string; key?: string }): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/models`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(UPSTREAM_DEADLINE_MS),
    });
    await response.arrayBuffer();
    if (response.status === 401 || response.status === 403) return `refuses the key (${response.status})`;
    return response.status >= 500 ? `answers ${response.status}` : undefined;
  } catch (error) {
    return explain(error);
  }
}

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
    const problem = await engineProblem(engine);
    if (problem === undefined) ok(task, `${engine.engine} at ${addressOf(engine)}`);
    else fail(task, problem);
  }
  return list;
}

function addressOf(remote: RemoteEngine): string {
  return remote.engine === "meilisearch" ? remote.server.url : remote.server.urls.join(", ");
}

async function engineProblem(remote: RemoteEngine): Promise<string | undefined> {
  return await checkEngine(remote).then(() => undefined, explain);
}

/** Something that was looked at: `fail` is what keeps the platform, or a part of it, from working as it is set up. */
export type Finding = { area: string; name: string; state: "ok" | "warn" | "fail"; detail: string };

/** Makes the findings of one area. */
export function findings(area: string) {
  const list: Finding[] = [];
  const add = (state: Finding["state"]) => (name: string, detail: string) => {
    list.push({ area, name, state, detail: scrub(detail) });
  };
  return { list, ok: add("ok"), warn: add("warn"), fail: add("fail") };
}
